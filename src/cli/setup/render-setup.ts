/** What setup is about to do and how it went, on the screen and as values. */
import {
  HOOK_CLIENTS,
  isTemporaryInstall,
  isTokenTrouble,
  TOKEN_VARIABLE,
  type Client,
  type Connection,
  type Handshake,
  type Places,
  type PlannedFile,
  type TokenTrouble,
} from '../../clients/index.ts';
import { findProgram } from '../../platform/index.ts';
import { escapeControl, hideSecrets } from '../../text/index.ts';
import { shortPath } from '../look/paths.ts';
import type { Paint } from '../look/theme.ts';
import { cut, row, wrap } from '../look/width.ts';

const WIDTHS = [4, 18, 38, 14];

interface PlanLook {
  readonly home: string;
  readonly paint: Paint;
  /** What would be written can be chosen by its number. */
  readonly isNumbered: boolean;
}

export function renderPlan(planned: readonly PlannedFile[], { home, paint, isNumbered }: PlanLook): string {
  let number = 0;
  const marked = (mark: string, isEdit: boolean): string => {
    if (!isNumbered) return `   ${mark}`;
    if (isEdit) number += 1;
    return `${(isEdit ? String(number) : '').padStart(2)} ${mark}`;
  };
  return planned
    .flatMap((plan) => {
      if (plan.kind === 'unsupported') {
        const left = row([marked('-', false), plan.client.name, `(${plan.why})`, 'left out'], WIDTHS);
        return plan.hint === undefined ? [left] : [left, `    ${wrap(plan.hint, '    ')}`];
      }
      const mark = marked(MARKS[plan.kind], plan.kind !== 'refused' && plan.kind !== 'same');
      const line = row([mark, plan.client.name, shortPath(plan.absPath, home), WORDS[plan.kind]], WIDTHS);
      if (plan.kind !== 'refused') return [line];
      return [paint.red(line), ...renderProblem(plan.error, home)];
    })
    .join('\n');
}

const MARKS = { create: '+', add: '+', replace: '~', same: '=', refused: '!' } as const;
const WORDS = {
  create: 'new file',
  add: 'add waymark',
  replace: 'update waymark',
  same: 'already there',
  refused: 'left alone',
} as const;

export function renderProblem(
  { message, hint }: { readonly message: string; readonly hint: string | undefined },
  home: string,
): readonly string[] {
  return [message, hint]
    .filter((text): text is string => text !== undefined)
    .map((text) => `    ${wrap(escapeControl(text.replaceAll(home, '~')), '    ')}`);
}

/** What became of one client. */
export interface Connected {
  readonly planned: PlannedFile;
  readonly handshake?: Handshake;
}

const NAMES_NO_PROJECT = 'It does not tell which project is open: the agent names it with `switch_project`.';

const SET_VARIABLE = `Set it where the client is started: export ${TOKEN_VARIABLE}="$(waymark token)"`;
const TOKEN_ADVICE: Readonly<Record<TokenTrouble, string>> = {
  'no token': 'Run the same command with --with-token.',
  'no variable': SET_VARIABLE,
  'not filled in':
    'This client fills in no variables. Run the same command without --http: then no token is needed.',
  'wrong token': `${TOKEN_VARIABLE} is not that server's token. \`waymark token\` prints the one of this machine.`,
};

export function renderHandshake(
  { name, restart, namesNoProject }: Client,
  handshake: Handshake,
  paint: Paint,
): string {
  if (handshake.kind === 'answered') {
    const { tools, tokens, ms } = handshake;
    const told = `handshake ok, ${tools} tools, about ${tokens} tokens, ${ms} ms`;
    const notes = [restart, ...(namesNoProject === true ? [NAMES_NO_PROJECT] : [])];
    return [
      `  ${paint.green('✓')} ${row([name, told], [18, 56])}`,
      ...notes.map((note) => `    ${paint.dim(wrap(note, '    '))}`),
    ].join('\n');
  }
  if (handshake.kind === 'not tried') {
    return `  · ${row([name, 'not tried'], [18, 56])}\n    ${wrap(escapeControl(handshake.why), '    ')}`;
  }
  const { why, detail } = handshake;
  const known = isTokenTrouble(why);
  const told = known ? 'the server answers only with its token' : 'the server did not answer';
  return [
    `  ${paint.red('✗')} ${row([name, told], [18, 56])}`,
    `    ${wrap(cut(hideSecrets(escapeControl(detail)), 240), '    ')}`,
    ...(known ? [`    → ${wrap(TOKEN_ADVICE[why], '      ')}`] : []),
  ].join('\n');
}

export function toSetupValue(connected: readonly Connected[]): Record<string, unknown> {
  return {
    ok:
      connected.some(({ planned }) => planned.kind !== 'unsupported') &&
      connected.every(({ planned, handshake }) => planned.kind !== 'refused' && handshake?.kind !== 'failed'),
    clients: connected.filter((one) => !isOfHooks(one)).map(toConnectedValue),
    hooks: connected.filter(isOfHooks).map(toConnectedValue),
  };
}

function isOfHooks({ planned }: Connected): boolean {
  return HOOK_CLIENTS.some(({ file }) => file === planned.client);
}

function toConnectedValue({ planned, handshake }: Connected): Record<string, unknown> {
  return {
    client: planned.client.id,
    action: planned.kind,
    ...(planned.kind === 'unsupported' ? { why: planned.why } : { file: planned.absPath }),
    ...(planned.kind === 'refused'
      ? { error: { code: planned.error.code, message: planned.error.message, hint: planned.error.hint } }
      : {}),
    handshake,
  };
}

/** Undefined where `waymark` is on the path, or nothing is started from here. */
export function ownCommandNote(connection: Connection, { env, home }: Places): string | undefined {
  if (connection.kind === 'http') return undefined;
  const [script = ''] = connection.args;
  const found = findProgram('waymark', { path: env['PATH'], extensions: env['PATHEXT'] });
  if (found !== undefined && !isTemporaryInstall(found)) return undefined;
  // A tilde is not filled in between quotes.
  const word = /\s/.test(script) ? `"${escapeControl(script)}"` : shortPath(script, home);
  return `Your shell does not know \`waymark\`. In its place:\n  node ${word}`;
}
