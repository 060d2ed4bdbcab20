/** What Waymark keeps: its directories, the room on their disk, its databases and locks. */
import { join } from 'node:path';
import type { Clock } from '../../core/index.ts';
import { pathFacts, readableNames } from '../../platform/index.ts';
import {
  checkMemoryFile,
  checkStoreFile,
  memoryDirectory,
  type StoreCondition,
} from '../../storage/index.ts';
import { note, ok, problem, type Finding } from './finding.ts';

const DAY_MS = 24 * 3600 * 1000;

export function checkFolder(what: string, absPath: string, clock: Clock): readonly Finding[] {
  const facts = firstThere(absPath);
  if (facts === undefined || facts.kind !== 'directory')
    return [problem('folder', `${what}: ${absPath} is no directory`)];
  if (facts.mode !== undefined && facts.isOurs && (facts.mode & 0o300) !== 0o300) {
    return [problem('folder', `${what}: ${absPath} cannot be written`)];
  }
  const found = pathFacts(absPath);
  if (found === undefined) return [ok('folder', `${what}: ${absPath} (not made yet)`)];
  const findings = [...openToOthers(absPath), ...fromTheFuture(absPath, clock)];
  return findings.length === 0 ? [ok('folder', `${what}: ${absPath}`)] : findings;
}

/** The path itself, or the nearest folder above that exists. */
function firstThere(absPath: string): ReturnType<typeof pathFacts> {
  const parent = join(absPath, '..');
  return pathFacts(absPath) ?? (parent === absPath ? undefined : firstThere(parent));
}

function openToOthers(folder: string): readonly Finding[] {
  const open = [folder, ...readableNames(folder).map((name) => join(folder, name))].filter((absPath) => {
    const facts = pathFacts(absPath);
    return facts?.mode !== undefined && facts.kind !== 'other' && (facts.mode & 0o077) !== 0;
  });
  return open.map((absPath) => problem('open-to-others', absPath));
}

function fromTheFuture(folder: string, clock: Clock): readonly Finding[] {
  const later = readableNames(folder).find((name) => {
    const facts = pathFacts(join(folder, name));
    return facts !== undefined && facts.mtimeMs > clock.now() + DAY_MS;
  });
  return later === undefined ? [] : [problem('clock', `${join(folder, later)} is dated in the future`)];
}

const LOCK = /\.(?:lock|writer)$/;

export async function checkStores(folders: readonly string[]): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const folder of folders) {
    const names = readableNames(folder);
    for (const name of names.filter((one) => one.endsWith('.db'))) {
      findings.push(judgeStore(join(folder, name), await checkStoreFile(join(folder, name))));
    }
    const left = names.filter((name) => LOCK.test(name) && !names.includes(name.replace(LOCK, '')));
    findings.push(...left.map((name) => problem('lock', join(folder, name))));
  }
  return findings;
}

/** Reads each memory to its last row: a sound file may still hold rows that no command can show. */
export async function checkMemories(dataDir: string): Promise<readonly Finding[]> {
  const folder = memoryDirectory(dataDir);
  const findings: Finding[] = [];
  for (const name of readableNames(folder).filter((one) => one.endsWith('.db'))) {
    const absPath = join(folder, name);
    const condition = await checkStoreFile(absPath);
    const wrong = condition === 'sound' ? await checkMemoryFile(absPath) : undefined;
    findings.push(
      wrong === undefined ? judgeMemory(absPath, condition) : problem('memory', `${absPath}: ${wrong}`),
    );
  }
  return findings;
}

function judgeMemory(absPath: string, condition: StoreCondition): Finding {
  const finding = judgeStore(absPath, condition);
  return finding.level === 'problem' ? { ...finding, id: 'memory' } : finding;
}

function judgeStore(absPath: string, condition: StoreCondition): Finding {
  switch (condition) {
    case 'sound':
      return ok('store', `${absPath} is sound`);
    case 'busy':
      return note('store', `${absPath} is in use and was not looked at`);
    case 'damaged':
      return problem('store', `${absPath} is damaged`);
    case 'foreign':
      return problem('store', `${absPath} belongs to another program`);
    case 'unreadable':
      return problem('store', `${absPath} cannot be opened`);
  }
}
