/** Several `waymark mcp` on one project that is worked on, some killed and started again: nothing saved is lost, the index is right. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { bundleEntry } from '../../support/bundle-entry.ts';
import { createRandom } from '../../support/random.ts';
import { WORDS } from '../edits/edited-project.ts';
import { createChangingTree } from '../kills/changing-tree.ts';
import { heal, homeEnvironment, inspectIndex } from '../kills/index-kill-campaign.ts';
import { readSaved } from './read-saved.ts';

export interface ProcessesOptions {
  readonly minutes: number;
  readonly processes: number;
  /** Of each process. */
  readonly callEveryMs: number;
  /** Of all together. */
  readonly killEveryMs: number;
  readonly seed: number;
}

export interface ProcessesReport {
  readonly calls: number;
  readonly changes: number;
  readonly kills: number;
  readonly acknowledged: number;
  readonly missing: readonly string[];
  readonly doubled: readonly string[];
  /** Calls that failed although their process was left alone. */
  readonly failed: readonly string[];
  /** What is wrong with the memory or the index in the end. */
  readonly unsound: readonly string[];
}

const FILES = 200;
const CHANGE_EVERY_MS = 2_000;
/** Ten may start at once on a machine that does other work. */
const MOST_START_MS = 300_000;

export async function runProcesses(options: ProcessesOptions): Promise<ProcessesReport> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'waymark-processes-')));
  const inspector = await bundleEntry('test/campaigns/kills/index-inspector.ts');
  const root = join(base, 'project');
  const home = join(base, 'home');
  mkdirSync(join(root, '.git'), { recursive: true });
  mkdirSync(home);
  try {
    const worked = await work(root, home, options);
    const { names, isSound } = await readSaved(join(home, 'share', 'waymark'));
    // The servers have parsed some files exactly by now, and not others.
    const { difference } = await heal(
      base,
      home,
      root,
      (place) => inspectIndex(inspector.absPath, place, root),
      ['--exact'],
    );
    const there = new Set<string>();
    const { acknowledged, ...report } = worked;
    return {
      ...report,
      acknowledged: acknowledged.length,
      doubled: names.filter((name) => there.size === there.add(name).size),
      missing: acknowledged.filter((key) => !there.has(key)),
      unsound: [
        ...(isSound ? [] : ['the memory is not sound']),
        ...(difference === undefined ? [] : [`the index is not a fresh one: ${difference}`]),
      ],
    };
  } finally {
    inspector.remove();
    rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

interface Running {
  readonly client: Client;
  readonly pid: number | null;
  /** The end of what it wrote to standard error: an internal error names a reference that stands there. */
  lastWords(): string;
  isKilled: boolean;
}

const MOST_SAID = 4_000;

async function work(
  root: string,
  home: string,
  { minutes, processes, callEveryMs, killEveryMs, seed }: ProcessesOptions,
) {
  const tree = createChangingTree(root, FILES, seed);
  const random = createRandom(seed + 1);
  const acknowledged: string[] = [];
  const failed: string[] = [];
  const counts = { calls: 0, changes: 0, kills: 0 };
  const endAt = performance.now() + minutes * 60_000;
  const isOver = (): boolean => performance.now() >= endAt;
  const running = await Promise.all(Array.from({ length: processes }, () => start(root, home)));
  const pauseUpTo = (ms: number): Promise<void> => wait(Math.min(ms, Math.max(0, endAt - performance.now())));

  const live = async (number: number): Promise<void> => {
    const own = createRandom(seed + number + 2);
    for (let turn = 0; !isOver(); turn++) {
      const current = running[number];
      if (current === undefined || current.isKilled) {
        try {
          running[number] = await start(root, home);
        } catch (thrown) {
          failed.push(`it does not start: ${String(thrown)}`);
        }
        continue;
      }
      const key = `p${number}-${turn}`;
      const isSave = own.below(3) === 0;
      const word = WORDS[own.below(WORDS.length)] ?? '';
      counts.calls += 1;
      try {
        const { isError, content } = await current.client.callTool(
          isSave
            ? {
                name: 'checkpoint_save',
                arguments: { name: key, content: `Done: ${key} ${word}.`, idempotency_key: key },
              }
            : { name: 'search_code', arguments: { query: `total of ${word}`, limit: 3 } },
        );
        if (isError === true) failed.push(`${JSON.stringify(content).slice(0, 300)}\n${current.lastWords()}`);
        else if (isSave) acknowledged.push(key);
      } catch (thrown) {
        // A killed process answers nothing; what it had under way may be there or not.
        if (!current.isKilled) failed.push(String(thrown));
      }
      await pauseUpTo(callEveryMs);
    }
  };
  const change = async (): Promise<void> => {
    while (!isOver()) {
      tree.change();
      counts.changes += 1;
      await pauseUpTo(CHANGE_EVERY_MS);
    }
  };
  const kill = async (): Promise<void> => {
    while (!isOver()) {
      await pauseUpTo(killEveryMs / 2 + random.below(killEveryMs));
      const victim = running[random.below(processes)];
      if (victim === undefined || victim.isKilled || victim.pid === null || isOver()) continue;
      victim.isKilled = true;
      process.kill(victim.pid, 'SIGKILL');
      counts.kills += 1;
    }
  };
  await Promise.all([...running.map((_, number) => live(number)), change(), kill()]);
  await Promise.all(running.map(({ client }) => client.close().catch(() => undefined)));
  return { ...counts, acknowledged, failed };
}

async function start(root: string, home: string): Promise<Running> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [resolve('dist/main.js'), 'mcp'],
    cwd: root,
    env: { ...homeEnvironment(home), WAYMARK_PROJECT: root },
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr?.on('data', (piece: Buffer) => (said = `${said}${piece.toString()}`.slice(-MOST_SAID)));
  const client = new Client({ name: 'processes', version: '1' });
  await client.connect(transport, { timeout: MOST_START_MS });
  return { client, pid: transport.pid, lastWords: () => said, isKilled: false };
}
