/** Node, SQLite, the clock, and what the system lets us watch. */
import { toAppError } from '../../core/index.ts';
import { freeBytes, watchLimit } from '../../platform/index.ts';
import { readEngine } from '../../storage/index.ts';
import { note, ok, problem, type Finding } from './finding.ts';

const OLDEST_NODE = 20;
const FEW_WATCHES = 8_192;
const GIGABYTE = 1024 ** 3;

export async function checkRuntime(): Promise<readonly Finding[]> {
  return [judgeNode(process.versions.node), await checkEngine(), ...judgeWatches(watchLimit())];
}

/** Undefined is no version at all. */
export function judgeNode(version: string): Finding {
  const major = Number.parseInt(version, 10);
  const good = major >= OLDEST_NODE;
  return good
    ? ok('node', `Node ${version}`)
    : problem('node', `Node ${version}; ${OLDEST_NODE} is the oldest that works`);
}

async function checkEngine(): Promise<Finding> {
  try {
    const { kind, version } = await readEngine();
    return ok('sqlite', `SQLite ${version} (${kind === 'builtin' ? "Node's own" : 'bundled'})`);
  } catch (thrown) {
    return problem('sqlite', toAppError(thrown).message);
  }
}

export function judgeWatches(limit: number | undefined): readonly Finding[] {
  if (limit === undefined || Number.isNaN(limit)) return [];
  const seen = `${limit.toLocaleString('en')} watched folders allowed`;
  return [limit < FEW_WATCHES ? problem('watcher', seen) : ok('watcher', seen)];
}

export function checkDisk(absPath: string): readonly Finding[] {
  const free = freeBytes(absPath);
  return free === undefined ? [] : [judgeDisk(free)];
}

export function judgeDisk(free: number): Finding {
  const seen = `${(free / GIGABYTE).toFixed(1)} GB free`;
  if (free < GIGABYTE / 10) return problem('disk', seen);
  return free < GIGABYTE ? note('disk', seen) : ok('disk', seen);
}
