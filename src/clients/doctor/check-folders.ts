/** The directories of Waymark: can they be written, can others read them, is the clock older than what is in them? */
import { join } from 'node:path';
import type { Clock } from '../../core/index.ts';
import { readableNames, pathFacts } from '../../platform/index.ts';
import { ok, problem, type Finding } from './finding.ts';

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
