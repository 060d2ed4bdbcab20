/** A hit as text: its place, then its lines with their numbers, as they stand in the file. */
import { escapeControl, renderCodeLine } from '../../text/index.ts';
import type { Hit } from './hit.ts';

/** How much of a hit is shown, and how: plainly to a model, with colours and links on a terminal. */
export interface HitLook {
  readonly mostLineChars: number;
  readonly mostPlaceChars: number;
  readonly mostMoreLines: number;
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  /** Marks what was looked for in a line. */
  readonly mark: (line: string) => string;
  /** The path as it is shown, where that is not the one in the project. */
  readonly pathOf?: ((hit: Hit) => string) | undefined;
  /** In place of the path and the lines. */
  readonly link?: ((hit: Hit) => string) | undefined;
}

const asItIs = (text: string): string => text;
/** For a model. */
export const PLAIN_LOOK: HitLook = {
  mostLineChars: 300,
  mostPlaceChars: 400,
  mostMoreLines: 3,
  strong: asItIs,
  faint: asItIs,
  mark: asItIs,
};

/** `src/a.ts:10-21  Store.get (method)`, then the lines. `project` is said before the path, where there are several. */
export function renderHit(hit: Hit, project?: string, look = PLAIN_LOOK): string {
  const cut = renderCut(hit);
  return [
    renderPlace(hit, project, look),
    ...hit.lines.map((line, at) => renderLine(hit.startLine + at, line, look)),
    ...(cut === undefined ? [] : [look.faint(cut)]),
  ].join('\n');
}

/** `src/a.ts:10-21  Store.get (method)  +4 more places: lines 12, 40, 77 …` */
export function renderPlace(hit: Hit, project?: string, look = PLAIN_LOOK): string {
  const path = renderPath(hit, project, look);
  const place = look.link?.(hit) ?? `${path}:${hit.startLine}-${hit.endLine}`;
  // A path is never cut: it is what the next call needs.
  const room = Math.max(look.mostPlaceChars, path.length + 20) - place.length;
  return `${look.strong(place)}${look.faint(`${renderSymbol(hit).slice(0, Math.max(0, room))}${renderMore(hit, look)}`)}`;
}

/** Only where it is: `src/a.ts:10  Store.get (method)`. */
export function renderLocation(hit: Hit, project: string | undefined, look: HitLook): string {
  const place = look.link?.(hit) ?? `${renderPath(hit, project, look)}:${hit.startLine}`;
  return `${look.strong(place)}${look.faint(renderSymbol(hit))}`;
}

/** One of all lines that match: `src/a.ts:10` and the line. */
export function renderMatch(hit: Hit, project?: string, look = PLAIN_LOOK): string {
  const place = look.link === undefined ? `${renderPath(hit, project, look)}:` : `${look.link(hit)} `;
  return `${look.strong(place)}${renderLine(hit.startLine, hit.lines[0] ?? '', look)}`;
}

/** A tab costs a model no more than a blank, is what `cat -n` prints, and cannot be taken for indent of the number's width. */
function renderLine(number: number, line: string, look: HitLook): string {
  const shown = renderCodeLine(line, look.mostLineChars);
  return `${look.faint(String(number))}${shown === '' ? '' : `\t${look.mark(shown)}`}`;
}

export function renderCut({ continuesTo }: Hit): string | undefined {
  return continuesTo === undefined ? undefined : `… to line ${continuesTo}`;
}

function renderMore({ moreLines }: Hit, { mostMoreLines }: HitLook): string {
  if (moreLines.length === 0) return '';
  const places = moreLines.length === 1 ? 'place: line' : 'places: lines';
  const rest = moreLines.length > mostMoreLines ? ' …' : '';
  return `  +${moreLines.length} more ${places} ${moreLines.slice(0, mostMoreLines).join(', ')}${rest}`;
}

function renderPath(hit: Hit, project: string | undefined, { pathOf }: HitLook): string {
  return escapeControl(project === undefined ? (pathOf?.(hit) ?? hit.path) : `${project}/${hit.path}`);
}

function renderSymbol(hit: Hit): string {
  const symbol = symbolOf(hit);
  return symbol === undefined ? '' : escapeControl(`  ${symbol} (${hit.definition?.kind ?? ''})`);
}

/** `Store.get`; undefined where no definition is shown. */
export function symbolOf({ definition }: Hit): string | undefined {
  if (definition === undefined) return undefined;
  const { name, container } = definition;
  return container === undefined ? name : `${container}.${name}`;
}
