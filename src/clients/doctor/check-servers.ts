/** The HTTP servers that say they run. */
import { join } from 'node:path';
import { isProcessAlive, readableNames, readTextIfPresent } from '../../platform/index.ts';
import { ok, problem, type Finding } from './finding.ts';

interface RunningServer {
  readonly pid: number;
  readonly url: string;
  readonly version: string;
  readonly file: string;
}

export function listServers(dataDir: string): readonly (RunningServer & { readonly alive: boolean })[] {
  const folder = join(dataDir, 'servers');
  return readableNames(folder)
    .filter((name) => /^\d+\.json$/.test(name))
    .flatMap((name) => {
      const server = readNote(join(folder, name));
      return server === undefined ? [] : [{ ...server, alive: isProcessAlive(server.pid) }];
    });
}

function readNote(file: string): RunningServer | undefined {
  try {
    const value: unknown = JSON.parse(readTextIfPresent(file) ?? '');
    const fields = new Map(Object.entries(Object(value)));
    const pid = Number(fields.get('pid'));
    return { pid, url: String(fields.get('url')), version: String(fields.get('version')), file };
  } catch {
    return undefined;
  }
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
