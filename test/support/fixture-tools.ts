/** Tools that do what no real tool should: wait, break, print. For tests of the edge. */
import { z } from 'zod';
import { AppError } from '../../src/core/index.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import type { Resource, Tool } from '../../src/tools/index.ts';

const HINTS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** A call that waits until the test lets it go on, or until it is cancelled. */
export interface Gate {
  /** Resolves when a call has arrived. */
  readonly entered: Promise<void>;
  /** Resolves when the waiting call was cancelled. */
  readonly cancelled: Promise<void>;
  open(): void;
}

export interface OpenableGate extends Gate {
  /** What the tool calls. */
  pass(signal: AbortSignal): Promise<void>;
}

export function createGate(): OpenableGate {
  const entered = deferred();
  const cancelled = deferred();
  const opened = deferred();
  return {
    entered: entered.promise,
    cancelled: cancelled.promise,
    open: opened.resolve,
    async pass(signal) {
      entered.resolve();
      signal.addEventListener('abort', cancelled.resolve, { once: true });
      await Promise.race([opened.promise, cancelled.promise]);
    },
  };
}

/** Says it has started if it was asked to, waits at the gate, and says it is done. */
export function waitTool(gate: OpenableGate): Tool {
  return defineTool({
    name: 'wait',
    toolset: 'project',
    scope: 'search',
    title: 'Wait',
    description: 'Waits until it is let go.',
    input: z.strictObject({}),
    output: z.object({ done: z.boolean() }),
    hints: HINTS,
    project: 'none',
    example: {},
    async run(_input, call) {
      await call.progress({ done: 1, total: 2, message: 'half' });
      await gate.pass(call.signal);
      if (call.signal.aborted) throw new AppError('interrupted', 'Cancelled.');
      await call.progress({ done: 2, total: 2 });
      return { text: 'done waiting', structured: { done: true } };
    },
  });
}

/** Takes several fields, so that several can be wrong at once. */
export const countTool: Tool = defineTool({
  name: 'count',
  toolset: 'project',
  scope: 'search',
  title: 'Count',
  description: 'Counts.',
  input: z.strictObject({ from: z.number().int(), unit: z.string().max(5) }),
  output: z.object({ next: z.number() }),
  hints: HINTS,
  project: 'none',
  example: { from: 1, unit: 'sheep' },
  run: async ({ from, unit }) => ({ text: `${from + 1} ${unit}`, structured: { next: from + 1 } }),
});

export const SECRET = 'the-insides-of-a-crash';

export const crashTool: Tool = defineTool({
  name: 'crash',
  toolset: 'project',
  scope: 'search',
  title: 'Crash',
  description: 'Breaks.',
  input: z.strictObject({}),
  output: z.object({}),
  hints: HINTS,
  project: 'none',
  example: {},
  run: async () => {
    throw new TypeError(SECRET);
  },
});

/** Prints to standard output, as a dependency might. */
export const printTool: Tool = defineTool({
  name: 'print',
  toolset: 'project',
  scope: 'search',
  title: 'Print',
  description: 'Prints.',
  input: z.strictObject({}),
  output: z.object({}),
  hints: HINTS,
  project: 'none',
  example: {},
  async run() {
    // oxlint-disable-next-line no-console -- the very thing this tool is for
    console.log('printed by a tool');
    process.stdout.write('written by a tool\n');
    return { text: 'printed', structured: {} };
  },
});

export const crashResource: Resource = {
  uri: 'fixture://crash',
  name: 'crash',
  title: 'Crash',
  description: 'Breaks.',
  mimeType: 'text/plain',
  scope: 'search',
  read: async () => {
    throw new TypeError(SECRET);
  },
};

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
