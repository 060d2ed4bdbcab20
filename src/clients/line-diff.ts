/** What changed between two texts, line by line: one place, with a little of what stands around it. Pure. */

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
