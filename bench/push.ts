/**
 * What pushing an index costs: beside indexing the same files, for a second person, and for many branches, with a server of PostgreSQL of
 * its own. `npm run bench:push -- [--repo DIR | --chunks N] [--branches N]`; 64,000 chunks are the size of a repository of 61 MB.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { createApiToken } from '../src/auth/index.ts';
import { systemClock, systemIds } from '../src/platform/index.ts';
import { serveBinary } from '../test/campaigns/http/served-process.ts';
import { startPostgres } from '../test/support/postgres-server.ts';
import { generateTree } from './search/generated-tree.ts';

const { values } = parseArgs({
  options: {
    repo: { type: 'string' },
    chunks: { type: 'string', default: '20000' },
    branches: { type: 'string', default: '50' },
  },
});
const GOALS = { time: 3, bytes: 0.01, content: 4 };
const CHANGED = 0.05;
const PROGRAM = resolve('dist/main.js');
const folder = mkdtempSync(join(tmpdir(), 'waymark-bench-push-'));
const root = join(folder, 'shop');
const database = await startPostgres();

const git = (...args: readonly string[]): void =>
  void execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
    cwd: root,
    stdio: 'ignore',
  });

interface Ran {
  readonly ms: number;
  readonly stdout: string;
}

function waymark(home: string, args: readonly string[], token = ''): Ran {
  const started = performance.now();
  const stdout = execFileSync(process.execPath, [PROGRAM, ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: join(folder, home),
      ...(token === '' ? {} : { WAYMARK_TOKEN: token }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { ms: performance.now() - started, stdout };
}

function filesIn(at: string): string[] {
  return readdirSync(at, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('/.git'))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** As many files as the share says, others for each branch. */
function change(files: readonly string[], branch: number): void {
  const count = Math.round(files.length * CHANGED);
  for (let at = 0; at < count; at += 1) {
    const file = files[(at * 37 + branch * 101 + Math.floor((at * branch * 13) / 7)) % files.length];
    if (file === undefined) continue;
    const text = readFileSync(file, 'utf8');
    const half = text.indexOf('\n', text.length / 2) + 1;
    writeFileSync(file, `${text.slice(0, half)}// branch ${branch}, change ${at}\n${text.slice(half)}`);
  }
}

async function contentBytes(): Promise<number> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ n: string }>(
    'SELECT coalesce(sum(size_bytes + coalesce(length(facts), 0)), 0) AS n FROM content',
  );
  await client.end();
  return Number(rows[0]?.n);
}

const rows: (readonly [what: string, measured: string, limit: string, isMet: boolean])[] = [];
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

try {
  mkdirSync(root);
  if (values.repo === undefined) generateTree(root, Number(values.chunks));
  else cpSync(resolve(values.repo), root, { recursive: true, filter: (path) => !path.endsWith('/.git') });
  git('init', '-q', '-b', 'main');
  git('remote', 'add', 'origin', 'https://git.example/acme/shop.git');
  git('add', '.');
  git('commit', '-qm', 'first');
  const files = filesIn(root);
  const sourceBytes = files.reduce((sum, file) => sum + readFileSync(file).byteLength, 0);
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  const server = await serveBinary(
    ['--require-token', '--data-dir', dataDir, '--cache-dir', join(folder, 'cache')],
    { WAYMARK_STORAGE: database.url },
  );
  const tokenOf = (name: string): string =>
    createApiToken(
      dataDir,
      { name, scopes: ['search', 'memory:write'], expiresAt: undefined },
      { ids: systemIds, clock: systemClock },
    ).token;
  const to = ['--server', `http://127.0.0.1:${server.port}/mcp`, '--json'];
  const push = (home: string, token: string, ...args: readonly string[]) => {
    const { ms, stdout } = waymark(home, ['push', ...to, ...args], token);
    // What the command prints with --json.
    return { ms, ...(JSON.parse(stdout) as { bytes: number; sent: string[] }) };
  };
  try {
    const local = waymark('local', ['index', '--exact', '--json']);
    const [ann, bob] = [tokenOf('ann'), tokenOf('bob')];
    const first = push('ann', ann);
    const one = await contentBytes();
    const second = push('bob', bob);
    process.stdout.write(`${files.length} files, ${megabytes(sourceBytes)}; ${first.sent.length} sent\n`);
    const ratio = first.ms / local.ms;
    const share = second.bytes / first.bytes;
    rows.push(
      ['index --exact here (s)', (local.ms / 1000).toFixed(1), '', true],
      ['first push, index included (s)', (first.ms / 1000).toFixed(1), '', true],
      ['as often as indexing', `${ratio.toFixed(2)} x`, `≤ ${GOALS.time} x`, ratio <= GOALS.time],
      ['sent by it', megabytes(first.bytes), '', true],
      ['second person, index included (s)', (second.ms / 1000).toFixed(1), '', true],
      ['sent by them', `${(second.bytes / 1000).toFixed(1)} kB`, '', true],
      [
        'share of the first',
        `${(share * 100).toFixed(3)} %`,
        `≤ ${GOALS.bytes * 100} %`,
        share <= GOALS.bytes,
      ],
    );
    const branches = Number(values.branches);
    const took: number[] = [];
    for (let branch = 1; branch <= branches; branch += 1) {
      git('checkout', '-q', '-B', `branch-${branch}`, 'main');
      change(files, branch);
      git('commit', '-qam', `branch ${branch}`);
      took.push(push('ann', ann).ms);
    }
    if (branches > 0) {
      const all = await contentBytes();
      rows.push(
        [
          `${branches} branches, median push (s)`,
          ((took.toSorted((a, b) => a - b)[took.length >> 1] ?? 0) / 1000).toFixed(1),
          '',
          true,
        ],
        ['content of one branch', megabytes(one), '', true],
        ['content of all', megabytes(all), '', true],
        [
          'as much as of one',
          `${(all / one).toFixed(2)} x`,
          `≤ ${GOALS.content} x`,
          all / one <= GOALS.content,
        ],
      );
    }
  } finally {
    await server.stop();
  }
  process.stdout.write('\n| what | measured | goal |\n|---|---|---|\n');
  for (const [what, measured, limit, isMet] of rows)
    process.stdout.write(`| ${what} | ${measured} | ${limit}${isMet ? '' : ' MISSED'} |\n`);
  process.exitCode = rows.every(([, , , isMet]) => isMet) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
  await database.remove();
}
