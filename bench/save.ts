/**
 * What `checkpoint_save` costs by size of the project: git repositories of 100, 1,000 and 15,000 committed files with three changed ones.
 * Wall-clock time of the call as a client over stdio sees it, from the built program: in a server that watches the project; in one that
 * does not (nothing was searched); and as the first call of a new process, timed from the call: at once after the handshake, while the
 * engine's thread still starts, and a second later, as a client calls whose model has to think first.
 * The ratio is to the smallest project. A non-zero exit code where a goal is missed. `bench:save [SAVES] [STARTS]`
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const [saves = 60, starts = 20] = process.argv.slice(2).map(Number);
const SIZES = [100, 1_000, 15_000];
const GOAL_MS: Readonly<Record<string, number>> = { watched: 20, 'new process': 60 };
const MAIN = resolve('dist', 'main.js');
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'waymark-save-')));
const CHANGED = ['src/p0/f0.ts', 'src/p1/f1.ts', 'notes.md'];

function plant(files: number): string {
  const root = join(folder, `project-${files}`);
  for (let at = 0; at < files; at++) {
    const absFolder = join(root, 'src', `p${at % 97}`);
    if (at < 97) mkdirSync(absFolder, { recursive: true });
    writeFileSync(join(absFolder, `f${at}.ts`), `export const value${at} = ${at};\n`);
  }
  const git = (...args: readonly string[]): Buffer =>
    execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@b', ...args], { cwd: root });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'all');
  for (const path of CHANGED) appendFileSync(join(root, path), 'export const more = 1;\n');
  return root;
}

interface Server {
  save(content: string): Promise<{ readonly ms: number; readonly isPartial: boolean }>;
  call(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

let homes = 0;
function newHome(): string {
  const home = join(folder, `home-${homes++}`);
  mkdirSync(home);
  return home;
}

async function start(cwd: string, home: string): Promise<Server> {
  const client = new Client({ name: 'bench', version: '1' });
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, WAYMARK_STRUCTURED: 'true' };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [MAIN, 'mcp'], cwd, env, stderr: 'ignore' }),
  );
  const call = async (name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> => {
    const answer = await client.callTool({ name, arguments: args });
    if (answer.isError === true) throw new Error(`${name}: ${JSON.stringify(answer.content)}`);
    // The protocol says that it is an object.
    return (answer.structuredContent ?? {}) as Record<string, unknown>;
  };
  return {
    call,
    async save(content) {
      const startedAt = performance.now();
      const answer = await call('checkpoint_save', { name: 'bench', content });
      return { ms: performance.now() - startedAt, isPartial: answer['uncommitted_partial'] === true };
    },
    close: () => client.close(),
  };
}

interface Measured {
  readonly times: readonly number[];
  readonly partial: number;
}

async function measureRunning(root: string, how: 'watched' | 'not watched'): Promise<Measured> {
  const server = await start(root, newHome());
  try {
    if (how === 'watched') {
      await server.call('index_codebase', {});
      await settle(server);
    }
    for (let at = 0; at < 5; at++) await server.save(`warm ${at}`);
    const all = [];
    for (let at = 0; at < saves; at++) all.push(await server.save(`Saved ${at}: next is src/p2/f2.ts.`));
    if (how === 'watched') await checkNoted(server);
    return { times: all.map(({ ms }) => ms), partial: all.filter(({ isPartial }) => isPartial).length };
  } finally {
    await server.close();
  }
}

/** Until the index is complete and the watcher has looked at everything. */
async function settle(server: Server): Promise<void> {
  for (let quiet = 0, round = 0; quiet < 8 && round < 400; round++) {
    const { state } = await server.call('search_code', { query: 'value', limit: 1 });
    quiet = state === undefined || state === 'fresh' ? quiet + 1 : 0;
    await delay(250);
  }
}

async function checkNoted(server: Server): Promise<void> {
  const { uncommitted_files: noted } = await server.call('checkpoint_resume', {});
  // The contract of checkpoint_resume.
  const paths = (noted as readonly { path: string }[]).map(({ path }) => path);
  if (CHANGED.some((path) => !paths.includes(path)) || paths.length !== CHANGED.length)
    throw new Error(`noted as uncommitted: ${paths.join(', ')}`);
}

async function measureNew(root: string, afterMs: number): Promise<Measured> {
  const all = [];
  const home = newHome();
  for (let at = 0; at < starts; at++) {
    const server = await start(root, home);
    await delay(afterMs);
    all.push(await server.save(`Saved ${at}.`));
    await server.close();
  }
  return { times: all.map(({ ms }) => ms), partial: all.filter(({ isPartial }) => isPartial).length };
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? Number.NaN;
}

try {
  const base = new Map<string, number>();
  process.stdout.write(`Node ${process.version}, ${saves} saves, ${starts} starts\n`);
  process.stdout.write('| files | server | p50 ms | p95 ms | × smallest | partial lists | goal p95 |\n');
  process.stdout.write('|---|---|---|---|---|---|---|\n');
  for (const files of SIZES) {
    const root = plant(files);
    const measured: readonly (readonly [string, Measured])[] = [
      ['watched', await measureRunning(root, 'watched')],
      ['not watched', await measureRunning(root, 'not watched')],
      ['new process', await measureNew(root, 1_000)],
      ['new process, at once', await measureNew(root, 0)],
    ];
    for (const [label, { times, partial }] of measured) {
      const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)];
      if (!base.has(label)) base.set(label, p50);
      const goal = GOAL_MS[label];
      if (goal !== undefined && p95 > goal) process.exitCode = 1;
      const verdict = goal === undefined ? '' : `${goal} ms: ${p95 <= goal ? 'met' : 'missed'}`;
      const ratio = (p50 / (base.get(label) ?? p50)).toFixed(1);
      const row = [
        files,
        label,
        p50.toFixed(1),
        p95.toFixed(1),
        ratio,
        `${partial} of ${times.length}`,
        verdict,
      ];
      process.stdout.write(`| ${row.join(' | ')} |\n`);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
