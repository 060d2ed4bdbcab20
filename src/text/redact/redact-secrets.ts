/** Takes secrets out of text before it is stored, embedded or logged; every line stays where it was. */
import { findSecrets } from './find-secrets.ts';

export interface Redaction {
  readonly text: string;
  readonly found: readonly FoundSecret[];
}

/** Where a secret was, in the text that came in: both 1-based, the column in UTF-16 units. Never the secret itself. */
export interface FoundSecret {
  readonly kind: string;
  readonly line: number;
  readonly column: number;
}

/** Text without secrets comes back as the very string that came in. */
export function redactSecrets(text: string): Redaction {
  const spans = findSecrets(text);
  if (spans.length === 0) return { text, found: [] };
  const found: FoundSecret[] = [];
  const pieces: string[] = [];
  let done = 0;
  let line = 1;
  let lineStart = 0;
  const advance = (piece: string): void => {
    for (const match of piece.matchAll(LINE_BREAK)) {
      line += 1;
      lineStart = done + match.index + match[0].length;
    }
    done += piece.length;
  };
  for (const { kind, start, end } of spans) {
    const kept = text.slice(done, start);
    advance(kept);
    found.push({ kind, line, column: start - lineStart + 1 });
    const secret = text.slice(start, end);
    advance(secret);
    pieces.push(kept, `[redacted:${kind}]`, lineBreaksOf(secret));
  }
  return { text: pieces.join('') + text.slice(done), found };
}

const LINE_BREAK = /\r\n|\r|\n/g;

/** The mark stands on a secret's first line; of its other lines only the ends remain, so that no line changes its number. */
function lineBreaksOf(secret: string): string {
  return (secret.match(LINE_BREAK) ?? []).join('');
}
