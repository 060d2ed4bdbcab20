/** How a hit looks in lines of text: colours, what was looked for marked, places as one opens them. */
import { join } from 'node:path';
import type { Hit, HitLook } from '../search/index.ts';
import { escapeControl } from '../text/index.ts';
import { highlight } from './highlight.ts';
import { pathFrom } from './look/paths.ts';
import type { Paint } from './look/theme.ts';

export interface TerminalLook {
  readonly paint: Paint;
  /** What was looked for. */
  readonly words: readonly string[];
  readonly asLink: boolean;
  /** Paths are shown as one would type them there. */
  readonly cwd: string | undefined;
}

export function terminalLook({ paint, words, asLink, cwd }: TerminalLook): HitLook {
  return {
    mostLineChars: Infinity,
    mostPlaceChars: Infinity,
    mostMoreLines: 5,
    strong: (text) => paint.bold(text),
    faint: (text) => paint.dim(text),
    mark: (line) => highlight(line, words, (part) => paint.mark(part)),
    pathOf: ({ root, path }) => pathFrom(cwd, join(root, path)).replaceAll('\\', '/'),
    link: asLink ? linkTo : undefined,
  };
}

/** `src/a.ts:10`, or a link. */
export function placeOf(hit: Hit, project: string | undefined, { link, pathOf }: HitLook): string {
  if (link !== undefined) return link(hit);
  const path = project === undefined ? (pathOf?.(hit) ?? hit.path) : `${project}/${hit.path}`;
  return escapeControl(`${path}:${hit.startLine}`);
}

/** A link has no blanks and no signs that end it: terminals and editors take it as one. */
function linkTo({ root, path, startLine }: Hit): string {
  const parts = join(root, path).replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
  return `vscode://file${parts.startsWith('/') ? '' : '/'}${parts}:${startLine}`;
}
