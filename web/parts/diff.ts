/** What changed between two texts, line by line. */
import type { ComponentChildren } from 'preact';
import { html } from '../html.ts';

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** The table of a comparison grows with both sides; longer texts are shown one after the other. */
const MOST_CELLS = 1_000_000;

/** The longest common subsequence of lines. Pure. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  if (old.length * now.length > MOST_CELLS)
    return [
      ...old.map((text) => ({ kind: 'removed', text }) as const),
      ...now.map((text) => ({ kind: 'added', text }) as const),
    ];
  const width = now.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        old[i] === now[j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [was, is] = [old[i], now[j]];
    if (was !== undefined && was === is) {
      lines.push({ kind: 'same', text: was });
      i++;
      j++;
    } else if (
      is === undefined ||
      (was !== undefined && (lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0))
    ) {
      lines.push({ kind: 'removed', text: was ?? '' });
      i++;
    } else {
      lines.push({ kind: 'added', text: is });
      j++;
    }
  }
  return lines;
}

const SIGNS = { same: ' ', added: '+', removed: '−' } as const;
const SAID = { same: '', added: 'added: ', removed: 'removed: ' } as const;

export function Diff({
  before,
  after,
}: {
  readonly before: string;
  readonly after: string;
}): ComponentChildren {
  return html`<pre class="plain diff" tabindex="0" role="group" aria-label="Changes">${diffLines(
    before,
    after,
  ).map(
    ({ kind, text }, at) =>
      html`<span key=${at} class=${kind}><span aria-hidden="true">${SIGNS[kind]} </span><span class="hidden"
          >${SAID[kind]}</span
        >${text}${'\n'}</span>`,
  )}</pre>`;
}
