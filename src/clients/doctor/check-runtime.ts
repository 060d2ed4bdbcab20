/** What runs: this Node, its SQLite, the watcher of the system, and HTTP servers that say they run. */
import { toAppError } from '../../core/index.ts';
import { freeBytes, listServers, watchLimit } from '../../platform/index.ts';
import { readEngine } from '../../storage/index.ts';
import { note, ok, problem, type Finding } from './finding.ts';

const OLDEST_NODE = 20;
const FEW_WATCHES = 8_192;
const GIGABYTE = 1024 ** 3;

export async function checkRuntime(): Promise<readonly Finding[]> {
  return [judgeNode(process.versions.node), await checkEngine(), ...judgeWatches(watchLimit())];
}

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

export function checkServers(dataDir: string, version: string): readonly Finding[] {
  const servers = listServers(dataDir);
  const alive = servers.filter((server) => server.alive);
  const gone = servers
    .filter((server) => !server.alive)
    .map(({ pid, file }) => problem('server-gone', `process ${pid} is gone; its note is ${file}`));
  const other = alive
    .filter((server) => server.version !== version)
    .map(({ url, version: its }) =>
      problem('server-version', `${url} is version ${its}, this is ${version}`),
    );
  const several =
    alive.length < 2
      ? []
      : [problem('two-servers', alive.map(({ url, pid }) => `${url} (${pid})`).join(', '))];
  const fine = alive.map(({ url, pid }) => ok('server-version', `a server runs at ${url} (process ${pid})`));
  return [...gone, ...other, ...several, ...(other.length + several.length === 0 ? fine : [])];
}
