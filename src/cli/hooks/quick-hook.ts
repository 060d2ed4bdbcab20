/**
 * What a client's hook runs, without the rest of the program: a session waits for it. The start is told from a look into the memory's
 * file; a turn's end only notes the session and leaves reading it to a process of its own. What is not plain is left to the whole program.
 */
import { hookClientOf, type HookClient } from '../../clients/index.ts';
import { AppError } from '../../core/index.ts';
import { readEnvironment, resolveConfig, type Config } from '../../config/index.ts';
import { gate, readBrief } from '../../memory/index.ts';
import { processAgeMs, readInputUpTo, startDetached, systemClock } from '../../platform/index.ts';
import { createDetector, findTree } from '../../project/index.ts';
import { peekMemories } from '../../storage/index.ts';
import { readPlace } from '../../workspace/index.ts';
import { projectRoot } from '../project.ts';
import { INPUT_LIMITS, isTold, momentOf, parseHookInput, type HookInput } from './hook-input.ts';
import { openSessionsIn } from './open-sessions.ts';
import { isLate, startText, toHookOutput, type StartText } from './start-session.ts';

/** `input`: what was read of standard input, which can be read once. */
export type HookRun = { readonly kind: 'done' } | { readonly kind: 'whole'; readonly input?: string };

const DONE: HookRun = { kind: 'done' };
const WHOLE: HookRun = { kind: 'whole' };
/** A session is read again after its turns, but not after each. */
const BETWEEN_READS_MS = 10 * 60 * 1000;

export async function runHook([what, id = '', ...flags]: readonly string[]): Promise<HookRun> {
  const openedMs = processAgeMs();
  let input: string | undefined;
  try {
    const client = hookClientOf(id);
    const given = readPairs(flags);
    // Where a transcript comes with the input there is much to read, and no session waits.
    const isBrought = client?.sends === 'lines' && what === 'capture';
    if (client === undefined || given === undefined || isBrought) return WHOLE;
    const { within, ...settings } = given;
    const { config } = resolveConfig({ env: readEnvironment(), flags: settings });
    if (config.storage !== undefined) return WHOLE;
    input = await readInputUpTo(
      INPUT_LIMITS.bytes.path,
      what === 'start' ? INPUT_LIMITS.startMs : INPUT_LIMITS.captureMs,
    );
    const parsed = parseHookInput(input);
    const hook = { client, input: parsed, config, flags };
    if (what === 'start')
      await tell(hook, { openedMs, within: within === undefined ? undefined : Number(within) });
    else if (momentOf(parsed) === 'end' || !(await leaveForLater(hook))) return { kind: 'whole', input };
    return DONE;
  } catch (thrown) {
    // Another program holds the memory's file: the whole program would wait for it, and so would the session.
    if (what === 'start' && thrown instanceof AppError && thrown.code === 'storage_busy') return DONE;
    return input === undefined ? WHOLE : { kind: 'whole', input };
  }
}

interface Hook {
  readonly client: HookClient;
  readonly input: HookInput;
  readonly config: Config;
  readonly flags: readonly string[];
}

async function tell(
  hook: Hook,
  time: { readonly openedMs: number; readonly within: number | undefined },
): Promise<void> {
  const { client, input, config } = hook;
  noteSession(hook);
  const { text, drafts } = isTold(input) ? await textFor(hook) : { text: '', drafts: [] };
  const isTelling = text !== '' && !isLate(time);
  if (isTelling)
    await new Promise((resolve) => void process.stdout.write(`${toHookOutput(client, text)}\n`, resolve));
  const shown = isTelling ? drafts.map((draft) => draft.id) : [];
  const others = openSessionsIn(config.dataDir)
    .waiting(systemClock.now())
    .filter(({ session }) => session !== input.session);
  if (shown.length + others.length > 0) await settleLater(hook, shown);
}

async function textFor({ input, config }: Hook): Promise<StartText> {
  const detector = createDetector({ environment: readEnvironment, projectFromCwd: config.projectFromCwd });
  const root = await projectRoot(detector, input.folder);
  const disk = detector.diskOf(root, 'cli');
  const place = readPlace(root, findTree(root, disk), disk);
  const memories = await peekMemories(config.dataDir, gate);
  const brief = await readBrief(async (identity, filter) => memories.list(identity, filter), place, 'person');
  return startText(brief);
}

/** False if the session cannot be noted. */
async function leaveForLater(hook: Hook): Promise<boolean> {
  const known = noteSession(hook);
  if (known === undefined) return false;
  const isSoon = systemClock.now() - known.readAt < BETWEEN_READS_MS;
  if (isSoon && momentOf(hook.input) === 'turn') return true;
  return settleLater(hook, []);
}

/** What is known of it, with what was known before. */
function noteSession({ client, input, config }: Hook): { readonly readAt: number } | undefined {
  const { session, folder, transcript } = input;
  if (session === undefined || folder === undefined || transcript === undefined) return undefined;
  if (gate.clean(`${session}\n${folder}\n${transcript}`) !== `${session}\n${folder}\n${transcript}`)
    return undefined;
  const sessions = openSessionsIn(config.dataDir);
  const readAt = sessions.get(client.id, session)?.readAt ?? 0;
  const open = { client: client.id, session, folder, transcript, readAt };
  sessions.note(open);
  return open;
}

async function settleLater({ input, flags }: Hook, shown: readonly string[]): Promise<boolean> {
  const [, program] = process.argv;
  if (program === undefined) return false;
  const told = shown.flatMap((id) => ['--shown', id]);
  const folder = input.folder === undefined ? [] : [input.folder];
  const args = ['hooks', 'settle', ...folder, ...told, ...withoutWithin(flags)];
  return startDetached(process.execPath, [program, ...args]);
}

const FLAGS: Readonly<Record<string, string>> = {
  '--data-dir': 'dataDir',
  '--cache-dir': 'cacheDir',
  '--within': 'within',
};

/** What setup writes behind a hook; undefined where there is more. */
function readPairs(flags: readonly string[]): Readonly<Record<string, string>> | undefined {
  const pairs: Record<string, string> = {};
  for (let at = 0; at < flags.length; at += 2) {
    const [name, value] = [FLAGS[flags[at] ?? ''], flags[at + 1]];
    if (name === undefined || value === undefined) return undefined;
    pairs[name] = value;
  }
  return pairs;
}

function withoutWithin(flags: readonly string[]): readonly string[] {
  return flags.filter((flag, at) => flag !== '--within' && flags[at - 1] !== '--within');
}
