/** Code with line numbers, coloured by what any language has in common, and with the words of a query marked. */
import type { ComponentChildren } from 'preact';
import { html } from '../html.ts';

const TOKEN =
  /(\/\/.*|#(?![\w{]).*|\/\*.*?(?:\*\/|$)|^\s*\*.*)|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`?)|\b(\d[\w.]*)\b|\b([A-Za-z_$][\w$]*)\b/g;

const KEYWORDS = new Set(
  (
    'abstract as async await break case catch class const continue def default defer del do elif else enum except export extends ' +
    'final finally fn for from func function go if impl implements import in instanceof interface internal is lambda let loop ' +
    'match mod module mut namespace new not null None nil of or override package pass private protected pub public raise ' +
    'readonly record return self static struct super switch this throw trait true false True False try type typeof undefined ' +
    'unsafe use using val var virtual void while with yield and'
  ).split(' '),
);

interface Piece {
  readonly text: string;
  readonly look: string;
}

/** Longer lines are data; colouring them would cost more than it shows. */
const MOST_COLOURED_CHARS = 1_000;

function toPieces(line: string): readonly Piece[] {
  if (line.length > MOST_COLOURED_CHARS) return [{ text: line, look: '' }];
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of line.matchAll(TOKEN)) {
    const [text, comment, string, number, word] = match;
    const look =
      comment !== undefined
        ? 'comment'
        : string !== undefined
          ? 'string'
          : number !== undefined
            ? 'number'
            : word !== undefined && KEYWORDS.has(word)
              ? 'keyword'
              : '';
    if (look === '') continue;
    if (match.index > end) pieces.push({ text: line.slice(end, match.index), look: '' });
    pieces.push({ text, look });
    end = match.index + text.length;
  }
  if (end < line.length) pieces.push({ text: line.slice(end), look: '' });
  return pieces;
}

function toMarker(marked: readonly string[]): RegExp | undefined {
  const wanted = marked.filter((word) => word.length > 2).slice(0, 50);
  if (wanted.length === 0) return undefined;
  const alternatives = wanted.map((word) => word.replaceAll(/[^\p{L}\p{N}_ ]/gu, String.raw`\$&`));
  try {
    return new RegExp(`(${alternatives.join('|')})`, 'giu');
  } catch {
    return undefined;
  }
}

function mark(text: string, marker: RegExp | undefined): ComponentChildren {
  if (marker === undefined) return text;
  return text.split(marker).map((part, at) => (at % 2 === 1 ? html`<mark key=${at}>${part}</mark>` : part));
}

export function Code({
  lines,
  startLine,
  marked = [],
  label,
}: {
  readonly lines: readonly string[];
  readonly startLine: number;
  readonly marked?: readonly string[];
  readonly label: string;
}): ComponentChildren {
  const marker = toMarker(marked);
  return html`<pre class="code" tabindex="0" role="group" aria-label=${label}><code>${lines.map(
    (line, at) =>
      html`<span class="line" key=${at}><span class="no" aria-hidden="true">${startLine + at}</span>${toPieces(
        line,
      ).map(({ text, look }, place) =>
        look === ''
          ? html`<span key=${place}>${mark(text, marker)}</span>`
          : html`<span key=${place} class=${look}>${mark(text, marker)}</span>`,
      )}${'\n'}</span>`,
  )}</code></pre>`;
}
