/** What a file of a client will say, before it is written: the lines that change, with a little of what stands around them. */
import type { PlannedEdit } from '../../clients/index.ts';
import { escapeControl, hideSecrets, jsoncValue, parseJsonc } from '../../text/index.ts';
import { shortPath } from '../look/paths.ts';
import type { Paint } from '../look/theme.ts';
import { cut, fit, NARROW as COLUMNS, widthOf } from '../look/width.ts';

/** Nothing that looks like a secret is shown. */
export function renderDiff(edit: PlannedEdit, home: string, paint: Paint): string {
  const asWritten = toSafe(diffLines(edit.before, edit.after));
  const spread = asWritten.some(isCrowded) ? spreadOf(edit) : undefined;
  const lines = (spread ?? foldLongLines(asWritten)).map(({ kind, number, text }) => {
    const mark = kind === 'same' ? ' ' : kind === 'gone' ? '-' : '+';
    const whole = `${(spread === undefined ? String(number) : '').padStart(5)} ${mark} ${text}`;
    const line = HOOK_COMMAND.test(text) ? cutPath(whole) : cut(whole);
    return kind === 'new' ? paint.green(line) : kind === 'gone' ? paint.red(line) : paint.dim(line);
  });
  const note = spread === undefined ? [] : [paint.dim('      (this stands on one line in the file)')];
  return [paint.bold(cut(shortPath(edit.absPath, home), COLUMNS)), ...lines, ...note].join('\n');
}

function toSafe(lines: readonly DiffLine[]): readonly DiffLine[] {
  return lines.map((line) => ({
    ...line,
    text: escapeControl(hideForeign(line.text).replaceAll('\t', '  ')),
  }));
}

/** A line that changes is too long to be read, and holds more than one field. */
function isCrowded({ kind, text }: DiffLine): boolean {
  return kind === 'new' && text.length > TEXT_COLUMNS && (text.match(/"\s*:/g)?.length ?? 0) > 1;
}

/** The same change as if the JSON stood on many lines; undefined for what is none. */
function spreadOf({ before, after }: PlannedEdit): readonly DiffLine[] | undefined {
  const [old, now] = [before, after].map((text) => {
    const parsed = parseJsonc(text, MOST_DEPTH);
    return parsed.kind === 'tree' ? JSON.stringify(jsoncValue(parsed.root), undefined, 2) : undefined;
  });
  return old === undefined || now === undefined ? undefined : toSafe(diffLines(old, now));
}

/** What such a command ends with says more than how it begins; its key stays whole. */
const HOOK_COMMAND = /\bhooks (?:start|capture) /;
const KEY = /^[^"]*"[^"]*": "/;

function cutPath(line: string): string {
  const [key = ''] = KEY.exec(line) ?? [];
  return `${key}${fit(line.slice(key.length), COLUMNS - widthOf(key), 'start')}`;
}

const TEXT_COLUMNS = COLUMNS - 8;
const CONTEXT_CHARS = 20;
const MOST_DEPTH = 100;

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
