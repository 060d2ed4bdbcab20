/**
 * How long the start of a session waits for its hook, with a memory that has something to tell, beside `node -e 0` in turn.
 * `--runs N`, `--entries N`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { saveFact } from '../src/memory/index.ts';
import { AUTHOR, openPlainMemory } from '../test/support/plain-memory.ts';
import { makeRepository } from '../test/support/git.ts';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '60' }, entries: { type: 'string', default: '300' } },
});
const GOAL_P95_MS = 150;
const folder = mkdtempSync(join(tmpdir(), 'waymark-hooks-'));
const root = join(folder, 'shop');
const program = join(process.cwd(), 'dist', 'main.js');
const input = JSON.stringify({
  session_id: 's',
  cwd: root,
  source: 'startup',
  hook_event_name: 'SessionStart',
});

function timed(args: readonly string[]): { readonly ms: number; readonly stdout: string } {
  const before = performance.now();
  const { stdout } = spawnSync(process.execPath, args, {
    cwd: root,
    env: { HOME: folder, PATH: process.env['PATH'] ?? '' },
    input,
    encoding: 'utf8',
  });
  return { ms: performance.now() - before, stdout };
}

function percentile(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(share * times.length) - 1] ?? Number.NaN;
}

try {
  makeRepository(root);
  const place = { root, name: 'shop', identity: join(root, '.git'), folder: '', branch: 'trunk' };
  const memory = openPlainMemory(join(folder, '.local', 'share', 'waymark'), undefined, {
    placeOf: () => place,
  });
  for (let at = 0; at < Number(values.entries); at += 1) {
    await memory.save(root, AUTHOR, {
      kind: 'checkpoint',
      content: `Step ${at}: ${'the queue is drained. '.repeat(40)}`,
    });
    await saveFact(memory, root, AUTHOR, {
      text: `Service ${at} listens on port ${4000 + at}.`,
      scope: 'project',
    });
  }
  await memory.close();
  const hook = ['hooks', 'start', 'claude-code', '--within', '60000'];
  const told = timed([program, ...hook]).stdout;
  if (!told.includes(`Step ${Number(values.entries) - 1}`))
    throw new Error(`The start was not told: ${told}`);
  const bare: number[] = [];
  const hooks: number[] = [];
  for (let run = 0; run < Number(values.runs); run += 1) {
    bare.push(timed(['-e', '0']).ms);
    hooks.push(timed([program, ...hook]).ms);
  }
  process.stdout.write('| what | p50 ms | p95 ms |\n|---|---|---|\n');
  for (const [what, all] of Object.entries({ 'node -e 0 (baseline)': bare, 'hooks start': hooks }))
    process.stdout.write(
      `| ${what} | ${percentile(all, 0.5).toFixed(0)} | ${percentile(all, 0.95).toFixed(0)} |\n`,
    );
  const p95 = percentile(hooks, 0.95);
  process.stdout.write(`goal: p95 at most ${GOAL_P95_MS} ms: ${p95 <= GOAL_P95_MS ? 'met' : 'missed'}\n`);
  process.exitCode = p95 <= GOAL_P95_MS ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
