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
  type PlannedEdit,
  type PlannedFile,
  type TokenTrouble,
} from '../../clients/index.ts';
import { findProgram } from '../../platform/index.ts';
import { escapeControl, hideSecrets } from '../../text/index.ts';
import { shortPath } from '../look/paths.ts';
import type { Paint } from '../look/theme.ts';
import { cut, fit, NARROW as COLUMNS, row, wrap } from '../look/width.ts';

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

/** The lines that change, with a little of what stands around them; nothing that looks like a secret is shown. */
export function renderDiff(edit: PlannedEdit, home: string, paint: Paint): string {
  const safe = diffLines(edit.before, edit.after).map((line) => ({
    ...line,
    text: escapeControl(hideForeign(line.text).replaceAll('\t', '  ')),
  }));
  const lines = foldLongLines(safe).map(({ kind, number, text }) => {
    const mark = kind === 'same' ? ' ' : kind === 'gone' ? '-' : '+';
    const whole = `${String(number).padStart(5)} ${mark} ${text}`;
    const line = HOOK_COMMAND.test(text) ? fit(whole, COLUMNS) : cut(whole);
    return kind === 'new' ? paint.green(line) : kind === 'gone' ? paint.red(line) : paint.dim(line);
  });
  return [paint.bold(cut(shortPath(edit.absPath, home), COLUMNS)), ...lines].join('\n');
}

/** What such a command ends with says more than how it begins. */
const HOOK_COMMAND = /\bhooks (?:start|capture) /;
const TEXT_COLUMNS = COLUMNS - 8;
const CONTEXT_CHARS = 20;

/** A file on one long line: only the part that changes, folded to the width of the terminal. */
function foldLongLines(lines: readonly DiffLine[]): readonly DiffLine[] {
  const [old, now] = lines;
  const isPair = lines.length === 2 && old?.kind === 'gone' && now?.kind === 'new';
  if (!isPair || now.text.length <= TEXT_COLUMNS) return lines;
  const most = Math.min(old.text.length, now.text.length);
  let head = 0;
  while (head < most && old.text[head] === now.text[head]) head++;
  let tail = 0;
  while (tail < most - head && old.text.at(-1 - tail) === now.text.at(-1 - tail)) tail++;
  return lines.flatMap((line) => {
    const from = Math.max(0, head - CONTEXT_CHARS);
    const to = Math.min(line.text.length, line.text.length - tail + CONTEXT_CHARS);
    const part = `${from > 0 ? '…' : ''}${line.text.slice(from, to)}${to < line.text.length ? '…' : ''}`;
    const rows = Math.ceil(part.length / TEXT_COLUMNS);
    return Array.from({ length: rows }, (_, row) => ({
      ...line,
      text: part.slice(row * TEXT_COLUMNS, (row + 1) * TEXT_COLUMNS),
    }));
  });
}

/** Our own reference to the token's variable looks like a secret and is none. */
const OWN =
  /("?Authorization"?: ?"Bearer (?:\$?\{(?:env:)?WAYMARK_TOKEN\}|\$\{\{ secrets\.WAYMARK_TOKEN \}\})"|(?:bearer_token_env_var =|"bearerTokenEnvVar":) "WAYMARK_TOKEN")/;

function hideForeign(line: string): string {
  return line
    .split(OWN)
    .map((part, index) => (index % 2 === 1 ? part : hideSecrets(part)))
    .join('');
}

interface DiffLine {
  readonly kind: 'same' | 'gone' | 'new';
  /** In the old text for lines that go, in the new one for all others. */
  readonly number: number;
  readonly text: string;
}

const AROUND = 2;

/** An entry that is put in or replaced is one run of lines, so what both texts share at either end is all that is needed. */
function diffLines(before: string, after: string): readonly DiffLine[] {
  if (before === after) return [];
  const old = toLines(before);
  const now = toLines(after);
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const numbered = (
    kind: DiffLine['kind'],
    lines: readonly string[],
    from: number,
    to: number,
  ): readonly DiffLine[] =>
    lines.slice(from, to).map((text, index) => ({ kind, number: from + index + 1, text }));
  return [
    ...numbered('same', now, Math.max(0, head - AROUND), head),
    ...numbered('gone', old, head, old.length - tail),
    ...numbered('new', now, head, now.length - tail),
    ...numbered('same', now, now.length - tail, Math.min(now.length, now.length - tail + AROUND)),
  ];
}

function toLines(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
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
