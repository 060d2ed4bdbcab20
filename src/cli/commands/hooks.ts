/** What the hooks of clients run. They never fail a session: whatever happens they end with 0, in silence, and it is logged. */
import { CAPTURE_CLIENTS } from '../hooks/capture-clients.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { readEnvironment } from '../../config/index.ts';
import { toAppError } from '../../core/index.ts';
import { processAgeMs, readInputUpTo } from '../../platform/index.ts';
import { escapeControlKeepingLines } from '../../text/index.ts';
import type { HookClient } from '../../clients/index.ts';
import type { Command, CommandContext, Services } from '../command.ts';
import { INPUT_LIMITS, isTold, momentOf, parseHookInput, type HookInput } from '../hooks/hook-input.ts';
import { openSessionsIn } from '../hooks/open-sessions.ts';
import { numberIn, textOf } from '../options.ts';
import { projectRoot } from '../project.ts';

const CLIENT = {
  name: 'client',
  description: 'the client whose hook this is',
  choices: CAPTURE_CLIENTS,
} as const;

export const hooksStartCommand: Command = {
  name: 'hooks start',
  group: 'Connect an agent',
  summary: 'What a client runs when a session starts: prints where the work stood',
  family: 'What clients run in their sessions, and a look at it',
  examples: ['waymark hooks start claude-code < input.json'],
  argument: CLIENT,
  options: [{ name: 'within', valueName: 'ms', description: 'say nothing after this time (default: 300)' }],
  failureCode: 0,
  hidden: true,
  async run(context, argument, options) {
    const openedMs = processAgeMs();
    const within = numberIn(options, {
      name: 'within',
      least: 1,
      most: 60_000,
      example: 'waymark hooks start codex',
    });
    const { isLate, leftMs, startText, toHookOutput } = await import('../hooks/start-session.ts');
    const telling = quietly(context, async ({ memory, detector, logger, config }) => {
      const { hookClientOf } = await import('../../clients/index.ts');
      const { briefOf, markShown } = await import('../../memory/index.ts');
      const client = hookClientOf(argument ?? '');
      const input = parseHookInput(await readInput(context, INPUT_LIMITS.startMs, 'path'));
      if (client === undefined || !isTold(input)) return;
      // Opening a memory that another program holds waits for it, and keeps the timer below waiting.
      const root = await projectRoot(detector, input.folder);
      if (config.storage === undefined && (await isLocked(config.dataDir, memory.placeOf(root).identity)))
        return;
      const { text, drafts } = startText(await briefOf(memory, root));
      const late = isLate({ openedMs, within });
      if (late) logger.info('a hook was too late to tell a session where the work stood', {});
      if (text === '' || late) return;
      context.output.raw(`${toHookOutput(client, text)}\n`);
      await markShown(
        await memory.storeOf(root),
        drafts.map(({ id }) => id),
      );
    });
    // Another program may hold the memory's file for longer than a session waits.
    await Promise.race([
      telling,
      delay(Math.max(0, leftMs({ openedMs, within })), undefined, { ref: false }),
    ]);
  },
};

export const hooksCaptureCommand: Command = {
  name: 'hooks capture',
  group: 'Connect an agent',
  summary: 'What a client runs before compaction and at the end: keeps what the session did',
  examples: ['waymark hooks capture claude-code < input.json'],
  argument: CLIENT,
  failureCode: 0,
  hidden: true,
  async run(context, argument) {
    // It prints nothing: some clients read what is printed before a compaction as orders for it.
    await quietly(context, async (services) => {
      const { hookClientOf } = await import('../../clients/index.ts');
      const client = hookClientOf(argument ?? '');
      if (client === undefined) return;
      const input = parseHookInput(await readInput(context, INPUT_LIMITS.captureMs, client.sends));
      await captureSession(client, input, services);
    });
  },
};

/** Started by a hook that does not wait for it: what was told is noted, and sessions are read that nothing has read to their end. */
export const hooksSettleCommand: Command = {
  name: 'hooks settle',
  group: 'Connect an agent',
  summary: 'What a hook leaves to be done: reads sessions that were killed, or go on',
  examples: ['waymark hooks settle'],
  argument: { name: 'folder', description: 'where the session that was told works' },
  options: [
    {
      name: 'shown',
      valueName: 'id',
      repeatable: true,
      description: 'a draft of a fix that a session was told of',
    },
  ],
  failureCode: 0,
  hidden: true,
  async run(context, folder, options) {
    await quietly(context, async (services) => {
      const { hookClientOf } = await import('../../clients/index.ts');
      const { markShown } = await import('../../memory/index.ts');
      const { memory, detector, clock, config } = services;
      const shown = options['shown'];
      if (Array.isArray(shown)) {
        const store = await memory.storeOf(await projectRoot(detector, folder));
        await markShown(store, shown.map(String));
      }
      for (const open of openSessionsIn(config.dataDir).waiting(clock.now())) {
        const client = hookClientOf(open.client);
        const input = { ...open, source: undefined, event: LATER };
        if (client !== undefined) await quietly(context, async () => captureSession(client, input, services));
      }
    });
  },
};

export const hooksTestCommand: Command = {
  name: 'hooks test',
  group: 'Connect an agent',
  summary: 'Show what a session is told, and what is kept of one',
  examples: [
    'waymark hooks test',
    'waymark hooks test codex --transcript ~/.codex/sessions/…/rollout-….jsonl',
  ],
  argument: CLIENT,
  options: [{ name: 'transcript', valueName: 'file', description: "a client's record of a session" }],
  async run({ services, output }, argument, options) {
    const { briefOf, estimateTokens } = await import('../../memory/index.ts');
    const { startText } = await import('../hooks/start-session.ts');
    const opened = await services();
    const root = await projectRoot(opened.detector);
    const { text } = startText(await briefOf(opened.memory, root));
    const transcript = textOf(options, 'transcript');
    const kept =
      transcript === undefined
        ? undefined
        : await preview(argument ?? 'claude-code', transcript, root, opened);
    const lines = [
      text === ''
        ? 'A session that starts here is told nothing: nothing was learned yet.'
        : `A session that starts here is told (about ${estimateTokens(text)} tokens):\n\n${text}`,
      ...(transcript === undefined
        ? []
        : kept === undefined
          ? [
              'Of this transcript nothing would be kept: it is not below the folder of the client, or holds no work.',
            ]
          : [
              `Of this transcript this would be kept:\n\n${kept.text}`,
              ...kept.fixes.map(({ error, solution }) => `A draft of a fix:\n${error}\n→ ${solution}`),
            ]),
    ];
    output.answer(escapeControlKeepingLines(lines.join('\n\n')), { told: text, kept: kept ?? null });
  },
};

async function quietly(
  { services }: CommandContext,
  work: (services: Services) => Promise<void>,
): Promise<void> {
  let opened: Services | undefined;
  try {
    opened = await services();
    await work(opened);
  } catch (thrown) {
    const { code, message } = toAppError(thrown);
    opened?.logger.info('a hook failed; the session goes on', { code, message });
  }
}

/** Not its end: it may go on. */
const LATER = 'stop';

async function readInput(
  { input }: CommandContext,
  waitMs: number,
  sends: HookClient['sends'],
): Promise<string> {
  return input ?? readInputUpTo(INPUT_LIMITS.bytes[sends], waitMs);
}

async function captureSession(
  client: HookClient,
  input: HookInput,
  { memory, detector, clock, config }: Services,
): Promise<void> {
  const { currentPlaces } = await import('../../clients/index.ts');
  const { saveCapture } = await import('../../memory/index.ts');
  const { readCapture } = await import('../hooks/capture-session.ts');
  const root = await projectRoot(detector, input.folder);
  const readAt = clock.now();
  const found = readCapture(client, input, {
    memory,
    root,
    places: currentPlaces(readEnvironment()),
    readAt,
  });
  if (found !== undefined)
    await saveCapture(memory, root, { origin: 'captured', client: client.id, tool: 'hook' }, found);
  const { session, folder, transcript } = input;
  if (session === undefined) return;
  const sessions = openSessionsIn(config.dataDir);
  if (momentOf(input) === 'end') sessions.end(client.id, session);
  else if (folder !== undefined && transcript !== undefined)
    sessions.note({ client: client.id, session, folder, transcript, readAt });
}

async function preview(id: string, transcript: string, root: string, { memory }: Services) {
  const { currentPlaces, hookClientOf } = await import('../../clients/index.ts');
  const { gate } = await import('../../memory/index.ts');
  const { readCapture } = await import('../hooks/capture-session.ts');
  const { resolve } = await import('node:path');
  const client = hookClientOf(id);
  if (client === undefined) return undefined;
  const input = {
    session: 'test',
    folder: root,
    source: undefined,
    event: undefined,
    transcript: resolve(transcript),
  };
  const places = currentPlaces(readEnvironment());
  const found = readCapture(client, input, { memory, root, places, readAt: 0 });
  return (
    found && {
      ...found,
      text: gate.clean(found.text),
      fixes: found.fixes.map(({ error, solution, files }) => ({
        error: gate.clean(error),
        solution: gate.clean(solution),
        files,
      })),
    }
  );
}

/** Whether another program holds the memory's file, told without waiting for it. */
async function isLocked(dataDir: string, identity: string): Promise<boolean> {
  const { gate } = await import('../../memory/index.ts');
  const { peekMemories } = await import('../../storage/index.ts');
  try {
    (await peekMemories(dataDir, gate)).list(identity, { limit: 1 });
    return false;
  } catch (thrown) {
    return toAppError(thrown).code === 'storage_busy';
  }
}
