/** From a plan to connected clients: show, ask, write, try the handshake; then index the project. */
import {
  AGENTS_FILE,
  applyEdit,
  openManifest,
  planFile,
  planHooks,
  HOOK_CLIENTS,
  readConnection,
  readEntry,
  TOKEN_VARIABLE,
  tryHandshake,
  type Client,
  type Handshake,
  type Places,
  type PlannedEdit,
  type PlannedFile,
  type SetupWish,
} from '../../clients/index.ts';
import { AppError, toAppError } from '../../core/index.ts';
import { readEditable, systemClock, systemIds } from '../../platform/index.ts';
import type { CommandContext } from '../command.ts';
import { wrap } from '../look/width.ts';
import { pickClients, type ChosenConnection } from './choose.ts';
import { firstRun, type FirstRun } from './first-run.ts';
import {
  ownCommandNote,
  renderHandshake,
  renderPlan,
  renderProblem,
  toSetupValue,
  type Connected,
} from './render-setup.ts';
import { renderDiff } from './render-diff.ts';

const TOKEN_NOTE = `No token is written into any file: these clients read it from ${TOKEN_VARIABLE}. Set that where they are started: export ${TOKEN_VARIABLE}="$(waymark token)"`;

const HOOKS_NOTE =
  'Hooks: when a session starts its agent is told where the work stood, and before it ends what it decided, touched and left open is kept in the memory on this machine. `waymark hooks test` shows what it is told; --no-hooks leaves them out.';

interface SetupRun {
  readonly places: Places;
  readonly wish: SetupWish;
  readonly clients: readonly Client[];
  readonly makeReady: ChosenConnection['makeReady'];
  readonly mode: 'show' | 'ask' | 'write';
  /** The block for AGENTS.md, if it was asked for. */
  readonly agentsFile: PlannedFile | undefined;
  /** Whether the clients that have hooks get ours. */
  readonly hooks: boolean;
  readonly index: boolean;
}

export async function runSetup(context: CommandContext, run: SetupRun): Promise<number> {
  const { output } = context;
  const { places, wish, mode } = run;
  let planned = withoutTwins([
    ...run.clients.map((client) => planFile(client, places, wish)),
    ...(run.hooks ? planHooks(run.clients, places, wish) : []),
    ...(run.agentsFile === undefined ? [] : [run.agentsFile]),
  ]);
  const edits = planned.filter(isEdit).filter(({ kind }) => kind !== 'same');
  if (planned.length === 0) throw nothingFound(wish.scope);
  if (!output.json) {
    output.talk(`waymark ${context.version} · runs on this machine, sends nothing anywhere\n`);
    output.talk(
      `${output.talkPaint.bold('Agents found')}\n${renderPlan(planned, { home: places.home, paint: output.talkPaint, isNumbered: mode === 'ask' })}\n`,
    );
    for (const edit of edits) output.talk(`${renderDiff(edit, places.home, output.talkPaint)}\n`);
    if (edits.length > 0 && wish.connection.kind === 'http' && wish.connection.token !== undefined)
      output.talk(`${wrap(TOKEN_NOTE, '')}\n`);
    if (edits.some(({ client }) => HOOK_CLIENTS.some(({ file }) => file === client)))
      output.talk(`${wrap(HOOKS_NOTE, '')}\n`);
    if (run.makeReady !== undefined) output.talk(`${wrap(`${run.makeReady.why}.`, '')}\n`);
  }
  const refused = planned.some(({ kind }) => kind === 'refused');
  if (mode === 'show') {
    output.answer('Nothing was written.', toSetupValue(planned.map((plan) => ({ planned: plan }))));
    return refused ? 1 : 0;
  }
  if (edits.length > 0 && mode === 'ask') {
    const chosen = await askWhich(context, edits);
    planned = planned.filter((plan) => !edits.some((edit) => edit === plan) || chosen.includes(plan.client));
  }
  // Also when every entry is there already: the copy they name may be gone.
  if (planned.some(isEdit)) run.makeReady?.act();
  const tried = new Map<string, Promise<Handshake>>();
  const written: Connected[] = [];
  for (const plan of planned) written.push(await connect(plan, { ...run, tried }, context));
  const connected = written.map((one) => lookAgain(one, run, context));
  const first = run.index && wish.root !== undefined ? await firstRun(context, wish.root) : undefined;
  return report({ context, run, connected, first });
}

interface Outcome {
  readonly context: CommandContext;
  readonly run: SetupRun;
  readonly connected: readonly Connected[];
  readonly first: FirstRun | undefined;
}

function report({ context, run, connected, first }: Outcome): number {
  const { output } = context;
  const failed = connected.some(
    ({ planned, handshake }) => planned.kind === 'refused' || handshake?.kind === 'failed',
  );
  const none = connected.every(({ planned }) => planned.kind === 'unsupported');
  const after = none
    ? 'Nothing was written: `waymark setup --print` shows what can be.'
    : failed
      ? '`waymark doctor` looks closer at what did not work.'
      : 'Restart open sessions. `waymark uninstall` takes all of this back.';
  const note = ownCommandNote(run.wish.connection, run.places);
  const text = note === undefined ? after : `${after}\n${note}`;
  output.answer(text, { ...toSetupValue(connected), project: first });
  return failed || none ? 1 : 0;
}

async function connect(
  plan: PlannedFile,
  run: SetupRun & { readonly tried: Map<string, Promise<Handshake>> },
  { output, resolved, working }: CommandContext,
): Promise<Connected> {
  if (!isEdit(plan)) return { planned: plan };
  const { client, absPath } = plan;
  const isHooks = HOOK_CLIENTS.some(({ file }) => file === client);
  try {
    // The client's servers may have been written into the same file just now.
    const now = isHooks
      ? planHooks(run.clients, run.places, run.wish).find((other) => other.client === client)
      : plan;
    if (now !== undefined && isEdit(now))
      applyEdit(now, openManifest(resolved.config.dataDir, systemIds), systemIds);
  } catch (thrown) {
    const error = toAppError(thrown);
    if (!output.json)
      output.talk([`  ! ${client.name}`, ...renderProblem(error, run.places.home)].join('\n'));
    return { planned: { kind: 'refused', client, absPath, error } };
  }
  // What starts no server is not tried.
  if (client === AGENTS_FILE || isHooks) return { planned: plan };
  // What counts is what the file says now, not what we meant to write.
  const written = new TextDecoder().decode(readEditable(absPath).bytes);
  const connection = readConnection(client, readEntry(written, plan.place));
  if (connection === undefined)
    throw new AppError('internal', 'An entry that was just written is not there.');
  working(`Starting the server as ${client.name} does`);
  const handshake = await tryHandshake(client, connection, {
    places: run.places,
    root: run.wish.root,
    clock: systemClock,
    tried: run.tried,
  });
  if (!output.json) output.talk(renderHandshake(client, handshake, output.talkPaint));
  return { planned: plan, handshake };
}

/** A running client may overwrite its file from memory and drop our entry: tell the user. */
function lookAgain(one: Connected, run: SetupRun, { output }: CommandContext): Connected {
  const { planned } = one;
  if (!isEdit(planned)) return one;
  const { client, absPath, place } = planned;
  try {
    const now = new TextDecoder().decode(readEditable(absPath).bytes);
    if (readEntry(now, place) !== undefined) return one;
  } catch {
    // Half written by another program: not what we left either.
  }
  const error = new AppError('file_unavailable', `${absPath} was written again by another program.`, {
    hint: `The entry is gone. Quit ${client.name} and run the same command again.`,
  });
  if (!output.json) output.talk([`  ! ${client.name}`, ...renderProblem(error, run.places.home)].join('\n'));
  return { planned: { kind: 'refused', client, absPath, error } };
}

/** Two clients that read the same key of the same file need it only once. */
function withoutTwins(planned: readonly PlannedFile[]): readonly PlannedFile[] {
  return planned.filter((plan, index) => {
    if (plan.kind === 'unsupported') return true;
    const twin = planned.findIndex(
      (other) =>
        other.kind !== 'unsupported' && other.absPath === plan.absPath && keyOf(other) === keyOf(plan),
    );
    return twin === index;
  });
}

/** Servers and hooks may stand in one file. */
function keyOf({ client }: PlannedFile): string {
  return client.key.join('.');
}

function isEdit(plan: PlannedFile): plan is PlannedEdit {
  return plan.kind !== 'refused' && plan.kind !== 'unsupported';
}

/** The clients that are to be connected. */
async function askWhich(
  { ask, output }: CommandContext,
  edits: readonly PlannedEdit[],
): Promise<readonly Client[]> {
  const question =
    edits.length === 1
      ? 'Write this file? A backup is kept. [Y/n] '
      : `Write these ${edits.length} files? A backup is kept. [Y/n] or which, as in 1,2 or ${edits[0]?.client.id}: `;
  const answer = output.json ? undefined : await ask(question);
  if (answer === undefined) {
    throw new AppError('bad_argument', 'There is no terminal to ask on; nothing was written.', {
      hint: 'Add --yes to write, or --dry-run to look only.',
    });
  }
  const chosen = pickClients(
    answer,
    edits.map(({ client }) => client),
  );
  if (chosen !== undefined) return chosen;
  throw new AppError('interrupted', 'Nothing was written.', {
    hint: '`waymark setup --only ID` connects single agents; --except ID leaves them out.',
  });
}

function nothingFound(scope: string): AppError {
  return new AppError('not_found', 'No agent was found on this machine.', {
    hint:
      scope === 'user'
        ? 'Name one to set it up anyway: `waymark setup cursor`. `waymark setup --print` shows the entries.'
        : 'Name the clients of the project: `waymark setup mcp-json --scope project`.',
  });
}
