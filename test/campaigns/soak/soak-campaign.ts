/** Many clients for a long time over a tree that changes: memory, handles and threads stay flat, and nothing saved is lost. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createRandom } from '../../support/random.ts';
import { createEditedProject, WORDS } from '../edits/edited-project.ts';
import { rpc, type Json } from '../http/messages.ts';
import { connect, type Connected } from '../http/mixed-clients.ts';
import { serveBinary, type ServedProcess } from '../http/served-process.ts';
import { factsOf, type ProcessFacts } from './process-facts.ts';
import { readSaved } from './read-saved.ts';
import { createSavedKeys, problemOf, type SavedKeys } from './saved-keys.ts';
import { trendOf, type Trend } from './trend.ts';

export interface SoakOptions {
  readonly minutes: number;
  readonly clients: number;
  readonly sampleEveryMs: number;
  /** Of each client. */
  readonly callEveryMs: number;
}

export interface SoakReport {
  readonly calls: number;
  readonly edits: number;
  readonly acknowledged: number;
  readonly missing: readonly string[];
  readonly doubled: readonly string[];
  readonly failed: readonly string[];
  readonly samples: number;
  readonly trends: Readonly<Record<keyof Facts, Trend>>;
}

interface Facts extends ProcessFacts {
  /** What all threads hold once their garbage is collected. */
  readonly heapMb: number;
}

const FILES = 300;
const EDIT_EVERY_MS = 250;
/**
 * The first part is the start: code is compiled, caches fill. The longest memory of the server is that of answers which came late, and
 * which it keeps for clients that lost them: five minutes. Before that, nothing can be told from a leak.
 */
const WARM_SHARE = 0.2;
const WARM_MINUTES = 6;

export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'waymark-soak-')));
  const root = join(folder, 'project');
  mkdirSync(join(root, '.git'), { recursive: true });
  const dataDir = join(folder, 'data');
  const server = await serveBinary(['--data-dir', dataDir, '--cache-dir', join(folder, 'cache')]);
  const agent = new Agent({ keepAlive: true });
  const keys = createSavedKeys();
  try {
    const soaked = await soak({ server, root, agent, keys }, options);
    await server.stop();
    const { contents, isSound } = await readSaved(dataDir);
    const failed = isSound ? soaked.failed : [...soaked.failed, 'the memory is not sound'];
    return { ...soaked, acknowledged: keys.acknowledged(), ...keys.compare(contents), failed };
  } finally {
    agent.destroy();
    if (server.exit() === undefined) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Soaked {
  readonly server: ServedProcess;
  readonly root: string;
  readonly agent: Agent;
  readonly keys: SavedKeys;
}

async function soak(
  { server, root, agent, keys }: Soaked,
  { minutes, clients, sampleEveryMs, callEveryMs }: SoakOptions,
): Promise<Omit<SoakReport, 'acknowledged' | 'missing' | 'doubled'>> {
  const project = createEditedProject(root, FILES, createRandom(7));
  const failed: string[] = [];
  const samples: (Facts & { readonly minute: number })[] = [];
  const connected = await Promise.all(
    Array.from({ length: clients }, (_, number) => connect(server.port, number, agent)),
  );
  const started = performance.now();
  const minute = (): number => (performance.now() - started) / 60_000;
  const isOver = (): boolean => minute() >= minutes || server.exit() !== undefined;
  const counts = { calls: 0, edits: 0 };
  const repeat = async (everyMs: number, step: () => unknown): Promise<void> => {
    while (!isOver()) {
      await step();
      await wait(everyMs);
    }
  };
  const live = async ({ call }: Connected, number: number): Promise<void> => {
    const random = createRandom(number + 1);
    const word = (): string => WORDS[random.below(WORDS.length)] ?? '';
    await wait(random.below(callEveryMs));
    await repeat(callEveryMs, async () => {
      counts.calls += 1;
      const tool = async (name: string, args: Readonly<Record<string, Json>>): Promise<string | undefined> =>
        problemOf(
          await call(rpc(number, 'tools/call', { name, arguments: { project_path: root, ...args } })),
        );
      const turn = random.below(10);
      const wrong = await (
        turn < 6
          ? tool('search_code', { query: `how to ${word()} the ${word()}`, limit: 5 })
          : turn < 7
            ? keys.save(`c${number}`, call, root)
            : turn < 9
              ? tool('skill_search', { query: `${word()} done` })
              : tool('project_status', {})
      ).catch(String);
      if (wrong !== undefined) failed.push(wrong);
    });
  };
  await Promise.all([
    ...connected.map(live),
    repeat(EDIT_EVERY_MS, () => {
      project.edit();
      counts.edits += 1;
    }),
    repeat(sampleEveryMs, async () => {
      const heapMb = await server.collect();
      if (heapMb !== undefined && server.exit() === undefined)
        samples.push({ minute: minute(), heapMb, ...factsOf(server.pid, server.port) });
    }),
  ]);
  if (server.exit() !== undefined) failed.push(`the server ended: ${server.exit()} ${server.complaints()}`);
  for (const { close } of connected) close();
  const warmAt = Math.min(minutes / 2, Math.max(WARM_SHARE * minutes, WARM_MINUTES));
  const warm = samples.filter((sample) => sample.minute >= warmAt);
  const trend = (of: keyof Facts): Trend =>
    trendOf(warm.map((sample) => ({ minute: sample.minute, value: sample[of] })));
  return {
    ...counts,
    failed,
    samples: warm.length,
    trends: {
      rssMb: trend('rssMb'),
      heapMb: trend('heapMb'),
      handles: trend('handles'),
      threads: trend('threads'),
    },
  };
}
