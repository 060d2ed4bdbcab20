/** The databases and their locks. */
import { join } from 'node:path';
import { readableNames } from '../../platform/index.ts';
import {
  checkMemoryFile,
  checkStoreFile,
  memoryDirectory,
  type StoreCondition,
} from '../../storage/index.ts';
import { note, ok, problem, type Finding } from './finding.ts';

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

/** Each memory is read to its last row: one that no command can show is a finding, however sound its file is. */
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
