/** How a hit looks on a terminal or in a pipe: colours, what was looked for marked, places as links that editors open. */
import { join } from 'node:path';
import type { Hit, HitLook } from '../search/index.ts';
import { highlight } from './highlight.ts';
import type { Paint } from './output.ts';

export interface TerminalLook {
  readonly paint: Paint;
  /** What was looked for. */
  readonly words: readonly string[];
  readonly asLink: boolean;
}

export function terminalLook({ paint, words, asLink }: TerminalLook): HitLook {
  return {
    mostLineChars: Infinity,
    mostPlaceChars: Infinity,
    mostMoreLines: 5,
    strong: (text) => paint.bold(text),
    faint: (text) => paint.dim(text),
    mark: (line) => highlight(line, words, (part) => paint.red(part)),
    link: asLink ? linkTo : undefined,
  };
}

/** A link has no blanks and no signs that end it: terminals and editors take it as one. */
function linkTo({ root, path, startLine }: Hit): string {
  const parts = join(root, path).replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
  return `vscode://file${parts.startsWith('/') ? '' : '/'}${parts}:${startLine}`;
}
