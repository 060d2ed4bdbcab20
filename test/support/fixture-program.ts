/** Waymark's own command line with three more tools: one reads a project, one writes to it, one fails. */
import { z } from 'zod';
import { createApp } from '../../src/app.ts';
import { runCli, standardStreams } from '../../src/cli/index.ts';
import { readEnvironment } from '../../src/config/index.ts';
import { AppError } from '../../src/core/index.ts';
import { createServerFactory } from '../../src/mcp/index.ts';
import { defineTool, projectOf, PROMPTS, RESOURCES, TOOLS } from '../../src/tools/index.ts';

const answer = { input: z.strictObject({}), output: z.object({ done: z.boolean() }), example: {} };

const fixtureRead = defineTool({
  name: 'fixture_read',
  toolset: 'project',
  scope: 'search',
  title: 'Read',
  description: 'Reads.',
  project: 'required',
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  ...answer,
  run: async (_input, call) => ({ text: `read ${projectOf(call).project.name}`, structured: { done: true } }),
});

const fixtureWrite = defineTool({
  name: 'fixture_write',
  toolset: 'project',
  scope: 'search',
  title: 'Write',
  description: 'Writes.',
  project: 'required',
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  ...answer,
  run: async (_input, call) => ({
    text: `wrote ${projectOf(call).project.name}`,
    structured: { done: true },
  }),
});

const fixtureFail = defineTool({
  name: 'fixture_fail',
  toolset: 'project',
  scope: 'search',
  title: 'Fail',
  description: 'Fails.',
  project: 'required',
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  ...answer,
  run: async () => {
    throw new AppError('storage_busy', 'The index is busy.', { hint: 'Try again in a moment.' });
  },
});

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort(signal));
process.exit(
  await runCli({
    argv: process.argv.slice(2),
    env: readEnvironment(),
    streams: standardStreams(),
    version: '0.0.0',
    stop: stop.signal,
    openServices: async ({ config }) =>
      createApp({
        config,
        servers: async (parts) =>
          createServerFactory({
            ...parts,
            tools: [...TOOLS, fixtureRead, fixtureWrite, fixtureFail],
            resources: RESOURCES,
            prompts: PROMPTS,
          }),
      }),
  }),
);
