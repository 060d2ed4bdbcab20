/**
 * Waymark's listener around its tools and a few of the campaigns' own: one that echoes, one that takes anything, and a
 * resource that crashes. Runs as a process of its own; its parent may ask it about its insides.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { createApp } from '../../../src/app.ts';
import { readEnvironment, resolveConfig } from '../../../src/config/index.ts';
import { createServerFactory } from '../../../src/mcp/index.ts';
import { defineTool } from '../../../src/tools/define-tool.ts';
import { TOOLS, type Resource } from '../../../src/tools/index.ts';
import { CRASH_URI } from './planted.ts';

export interface Memory {
  readonly heapMb: number;
  readonly rssMb: number;
}

export interface LoopDelay {
  /** The longest the loop was held up, by the clock on the wall: by our work, or by other programs that had the processor. */
  readonly longestMs: number;
}

const HINTS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** Says the canary back after a random moment, so that answers overtake each other. */
const echo = defineTool({
  name: 'echo',
  toolset: 'project',
  scope: 'search',
  title: 'Echo',
  description: 'Says a canary back.',
  input: z.strictObject({ canary: z.string(), waitMs: z.number().max(1000).optional() }),
  output: z.object({ canary: z.string() }),
  hints: HINTS,
  project: 'none',
  example: { canary: 'tweet' },
  async run({ canary, waitMs = 0 }) {
    if (waitMs > 0) await wait(waitMs);
    return { text: canary, structured: { canary } };
  },
});

/** Takes whatever it is given, so that large arguments get as far as they can. */
const swallow = defineTool({
  name: 'swallow',
  toolset: 'project',
  scope: 'search',
  title: 'Swallow',
  description: 'Takes anything.',
  input: z.strictObject({ items: z.array(z.string()).optional(), rest: z.unknown().optional() }),
  output: z.object({ count: z.number() }),
  hints: HINTS,
  project: 'none',
  example: {},
  run: async ({ items = [] }) => ({ text: 'gone', structured: { count: items.length } }),
});

const crash: Resource = {
  uri: CRASH_URI,
  name: 'crash',
  title: 'Crash',
  description: 'Crashes the handler that reads it.',
  mimeType: 'text/plain',
  scope: 'search',
  read: () => Promise.reject(new Error('planted')),
};

const { config } = resolveConfig({ env: readEnvironment(), flags: { port: '0' } });
const app = createApp({
  config,
  servers: async (parts) =>
    createServerFactory({
      ...parts,
      tools: [echo, swallow, ...TOOLS],
      resources: [crash],
      prompts: [],
      newReference: () => 'planted',
    }),
});
const delay = monitorEventLoopDelay({ resolution: 5 });
const listener = await app.listen();
process.stdout.write(`serving ${listener.url}\n`);

const QUESTIONS: Readonly<Record<string, () => Promise<Memory | LoopDelay>>> = {
  async memory() {
    // Twice, with a turn between: finalizers of the first round free what the second one counts.
    globalThis.gc?.();
    await wait(50);
    globalThis.gc?.();
    const { heapUsed, rss } = process.memoryUsage();
    return { heapMb: heapUsed / 2 ** 20, rssMb: rss / 2 ** 20 };
  },
  async 'watch the loop'() {
    delay.enable();
    delay.reset();
    await wait(20);
    delay.reset();
    return { longestMs: 0 };
  },
  async 'loop delay'() {
    await wait(20);
    return { longestMs: delay.max / 1e6 };
  },
};

process.on('message', (question) => {
  void QUESTIONS[String(question)]?.().then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit());
process.once('SIGTERM', () => {
  void app.close().then(() => process.exit());
});
