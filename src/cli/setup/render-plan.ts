/** What setup is about to do, on the screen. */
import type { PlannedEdit, PlannedFile } from '../../clients/index.ts';
import { escapeControl, hideSecrets } from '../../text/index.ts';
import type { Paint } from '../output.ts';
import { COLUMNS, cut, row, shortPath, wrap } from './layout.ts';

const WIDTHS = [1, 18, 40, 14];

export function renderPlan(planned: readonly PlannedFile[], home: string, paint: Paint): string {
  return planned
    .flatMap((plan) => {
      if (plan.kind === 'unsupported') {
        const left = `  ${row(['-', plan.client.name, `(${plan.why})`, 'left out'], WIDTHS)}`;
        return plan.hint === undefined ? [left] : [left, `    ${wrap(plan.hint, '    ')}`];
      }
      const line = `  ${row([MARKS[plan.kind], plan.client.name, shortPath(plan.absPath, home), WORDS[plan.kind]], WIDTHS)}`;
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
  const lines = diffLines(edit.before, edit.after).map(({ kind, number, text }) => {
    const mark = kind === 'same' ? ' ' : kind === 'gone' ? '-' : '+';
    const line = cut(
      `${String(number).padStart(5)} ${mark} ${escapeControl(hideForeign(text).replaceAll('\t', '  '))}`,
    );
    return kind === 'new' ? paint.green(line) : kind === 'gone' ? paint.red(line) : paint.dim(line);
  });
  return [paint.bold(cut(shortPath(edit.absPath, home), COLUMNS)), ...lines].join('\n');
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
export function diffLines(before: string, after: string): readonly DiffLine[] {
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
