/** What the hooks of clients run. They never fail a session: whatever happens they end with 0, in silence, and it is logged. */
import { CAPTURE_CLIENTS } from '../hooks/capture-clients.ts';
import { readEnvironment } from '../../config/index.ts';
import { toAppError } from '../../core/index.ts';
import { processAgeMs, readInputUpTo } from '../../platform/index.ts';
import { escapeControlKeepingLines } from '../../text/index.ts';
import type { Command, CommandContext, Services } from '../command.ts';
import { numberIn, textOf } from '../options.ts';
import { projectRoot } from '../project.ts';

const CLIENT = {
  name: 'client',
  description: 'the client whose hook this is',
  choices: CAPTURE_CLIENTS,
} as const;

const MOST_INPUT_BYTES = 1024 * 1024;
const START_INPUT_MS = 100;
const CAPTURE_INPUT_MS = 2_000;
/** From the start of the process; a machine that needs longer for less tells nothing. */
const START_MS = 300;
/** So much is ours even where the process itself was late. */
const LEAST_MS = 150;
const WHOLE_CONVERSATION = 'resume';

export const hooksStartCommand: Command = {
  name: 'hooks start',
  group: 'Connect an agent',
  summary: 'What a client runs when a session starts: prints where the work stood',
  examples: ['waymark hooks start claude-code < input.json'],
  argument: CLIENT,
  options: [{ name: 'within', valueName: 'ms', description: 'say nothing after this time (default: 300)' }],
  failureCode: 0,
  hidden: true,
  async run(context, argument, options) {
    await quietly(context, async (services) => {
      const openedMs = processAgeMs();
      const within = numberIn(options, {
        name: 'within',
        least: 1,
        most: 60_000,
        example: 'waymark hooks start codex',
      });
      const { hookClientOf } = await import('../../clients/index.ts');
      const { parseHookInput } = await import('../hooks/hook-input.ts');
      const { startText, toHookOutput } = await import('../hooks/start-session.ts');
      const client = hookClientOf(argument ?? '');
      const input = parseHookInput(await readInputUpTo(MOST_INPUT_BYTES, START_INPUT_MS));
      // A session that is resumed holds it all already.
      if (client === undefined || input.source === WHOLE_CONVERSATION) return;
      const { text, noteShown } = await startText(
        await projectRoot(services.detector, input.folder),
        services,
      );
      const isLate = processAgeMs() > (within ?? Math.max(START_MS, openedMs + LEAST_MS));
      if (isLate) services.logger.info('a hook was too late to tell a session where the work stood', {});
      if (text === '' || isLate) return;
      context.output.raw(`${toHookOutput(client, text)}\n`);
      await noteShown();
    });
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
      await capture(argument ?? '', await readInputUpTo(MOST_INPUT_BYTES, CAPTURE_INPUT_MS), services);
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
  hidden: true,
  options: [{ name: 'transcript', valueName: 'file', description: "a client's record of a session" }],
  async run({ services, output }, argument, options) {
    const { estimateTokens } = await import('../../memory/index.ts');
    const { startText } = await import('../hooks/start-session.ts');
    const opened = await services();
    const root = await projectRoot(opened.detector);
    const { text } = await startText(root, opened);
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

async function capture(id: string, text: string, { memory, detector }: Services): Promise<void> {
  const { currentPlaces, hookClientOf } = await import('../../clients/index.ts');
  const { saveCapture } = await import('../../memory/index.ts');
  const { readCapture } = await import('../hooks/capture-session.ts');
  const { parseHookInput } = await import('../hooks/hook-input.ts');
  const client = hookClientOf(id);
  const input = parseHookInput(text);
  if (client === undefined) return;
  const root = await projectRoot(detector, input.folder);
  const found = readCapture(client, input, { memory, root, places: currentPlaces(readEnvironment()) });
  if (found === undefined) return;
  await saveCapture(memory, root, { origin: 'captured', client: client.id, tool: 'hook' }, found);
}

async function preview(id: string, transcript: string, root: string, { memory }: Services) {
  const { currentPlaces, hookClientOf } = await import('../../clients/index.ts');
  const { gate } = await import('../../memory/index.ts');
  const { readCapture } = await import('../hooks/capture-session.ts');
  const { resolve } = await import('node:path');
  const client = hookClientOf(id);
  if (client === undefined) return undefined;
  const input = { session: 'test', folder: root, source: undefined, transcript: resolve(transcript) };
  const found = readCapture(client, input, { memory, root, places: currentPlaces(readEnvironment()) });
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
