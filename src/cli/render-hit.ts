/** A hit on a terminal or in a pipe, as `search_code` shows it: its place, then numbered lines. */
import { join } from 'node:path';
import type { Hit } from '../search/index.ts';
import { escapeControl, renderCodeLine } from '../text/index.ts';
import { highlight } from './highlight.ts';
import type { Paint } from './output.ts';

interface HitStyle {
  /** Said before the path, if there are several. */
  readonly project: string | undefined;
  readonly paint: Paint;
  /** What was looked for. */
  readonly words: readonly string[];
  /** Places become links that editors open. */
  readonly asLink: boolean;
}

const MOST_MORE_LINES = 5;

/** `src/a.ts:10-21  Store.get (method)`, then the lines. */
export function renderHit(hit: Hit, style: HitStyle): string {
  const { paint } = style;
  const { startLine, endLine, continuesTo, moreLines } = hit;
  const more =
    moreLines.length === 0
      ? ''
      : `  +${moreLines.length} more ${moreLines.length === 1 ? 'place: line' : 'places: lines'} ${moreLines.slice(0, MOST_MORE_LINES).join(', ')}${moreLines.length > MOST_MORE_LINES ? ' …' : ''}`;
  const place = style.asLink ? linkTo(hit) : `${pathOf(hit, style)}:${startLine}-${endLine}`;
  return [
    `${paint.bold(place)}${paint.dim(`${symbolIn(hit)}${more}`)}`,
    ...hit.lines.map((line, at) => numbered(startLine + at, line, style)),
    ...(continuesTo === undefined ? [] : [paint.dim(`… to line ${continuesTo}`)]),
  ].join('\n');
}

/** Only where it is: `src/a.ts:10  Store.get (method)`. */
export function renderPlace(hit: Hit, style: HitStyle): string {
  const { paint } = style;
  const place = style.asLink ? linkTo(hit) : `${pathOf(hit, style)}:${hit.startLine}`;
  return `${paint.bold(place)}${paint.dim(symbolIn(hit))}`;
}

/** One of all lines that match. */
export function renderMatch(hit: Hit, style: HitStyle): string {
  const place = style.asLink ? `${linkTo(hit)} ` : `${pathOf(hit, style)}:`;
  return `${style.paint.bold(place)}${numbered(hit.startLine, hit.lines[0] ?? '', style)}`;
}

/** Its number, a tab, then the line as it stands in the file. */
function numbered(number: number, line: string, { paint, words }: HitStyle): string {
  const shown = highlight(renderCodeLine(line), words, (part) => paint.red(part));
  return `${paint.dim(String(number))}${shown === '' ? '' : '\t'}${shown}`;
}

function symbolIn({ definition }: Hit): string {
  if (definition === undefined) return '';
  const { name, container, kind } = definition;
  return escapeControl(`  ${container === undefined ? name : `${container}.${name}`} (${kind})`);
}

function pathOf({ path }: Hit, { project }: HitStyle): string {
  return escapeControl(project === undefined ? path : `${project}/${path}`);
}

/** A link has no blanks and no signs that end it: terminals and editors take it as one. */
function linkTo({ root, path, startLine }: Hit): string {
  const parts = join(root, path).replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
  return `vscode://file${parts.startsWith('/') ? '' : '/'}${parts}:${startLine}`;
}
