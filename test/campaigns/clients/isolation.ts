/** Runs this program again where nothing but loopback can be reached. */
import { spawn, spawnSync } from 'node:child_process';

const INSIDE = 'WAYMARK_CAMPAIGN_INSIDE';
/** Processes that an agent leaves behind end with the namespace. */
const FLAGS = ['--net', '--pid', '--fork', '--mount-proc', '--kill-child'];

export type Isolation = 'network namespace' | 'closed proxy';

/** Which one this process runs in; `undefined` at the first start. */
export function currentIsolation(): Isolation | undefined {
  const kind = process.env[INSIDE];
  return kind === 'network namespace' || kind === 'closed proxy' ? kind : undefined;
}

/** Runs it again, and resolves with its exit code. */
export function runIsolated(args: readonly string[]): Promise<number> {
  const self = [process.execPath, ...process.execArgv, process.argv[1] ?? '', ...args];
  const root = process.getuid?.() === 0 ? [] : ['--map-root-user'];
  const canUnshare = spawnSync('unshare', [...root, ...FLAGS, 'ip', 'link', 'set', 'lo', 'up']).status === 0;
  const kind: Isolation = canUnshare ? 'network namespace' : 'closed proxy';
  const [program = '', ...rest] = canUnshare
    ? ['unshare', ...root, ...FLAGS, 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', ...self]
    : self;
  const child = spawn(program, rest, { stdio: 'inherit', env: { ...process.env, [INSIDE]: kind } });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

/** For the agents: where there is no namespace, everything but loopback goes to a port where nothing listens. */
export function isolationEnv(): Readonly<Record<string, string>> {
  if (currentIsolation() !== 'closed proxy') return {};
  const closed = 'http://127.0.0.1:9';
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()]);
  const spared = { NO_PROXY: '127.0.0.1,localhost', no_proxy: '127.0.0.1,localhost' };
  return { ...Object.fromEntries(names.map((name) => [name, closed])), ...spared };
}
