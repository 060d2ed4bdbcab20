/** One hit: its place, then its lines with their numbers, as they stand in the file. */
import { meaningOf, symbolOf, type Hit } from '../search/index.ts';
import { escapeControl, renderCodeLine, renderNumberedLine } from '../text/index.ts';

const MOST_WHY = 2;
const MOST_LINE_CHARS = 300;
const MOST_PLACE_CHARS = 400;
const MOST_MORE_LINES = 3;
const MOST_MORE_LINES_VALUE = 50;

export interface HitValue extends PlaceValue {
  /** From `start_line`, as they stand in the file. */
  lines: string[];
  more_lines: number[];
  cut?: string;
  score: number;
  why: string[];
}

export interface PlaceValue {
  path: string;
  project?: string;
  start_line: number;
  end_line: number;
  symbol?: string;
  kind?: string;
}

/** `src/a.ts:10-21  Store.get (method)`, then the lines. */
export function renderHit(hit: Hit, project?: string): string {
  const cut = renderCut(hit);
  return [
    renderPlace(hit, project),
    ...shownLines(hit).map((line, at) => renderNumberedLine(hit.startLine + at, line)),
    ...(cut === undefined ? [] : [cut]),
  ].join('\n');
}

/** A line that matches, where every one is listed. */
export function renderMatch(hit: Hit, project?: string): string {
  const [line = ''] = shownLines(hit);
  return `${renderPath(hit, project)}:${renderNumberedLine(hit.startLine, line)}`;
}

export function renderPlace(hit: Hit, project?: string): string {
  const symbol = symbolOf(hit);
  const path = renderPath(hit, project);
  const named = symbol === undefined ? '' : `  ${symbol} (${hit.definition?.kind ?? ''})`;
  const place = `${path}:${hit.startLine}-${hit.endLine}${escapeControl(named)}`;
  // A path is never cut: it is what the next call needs.
  return `${place.slice(0, Math.max(MOST_PLACE_CHARS, path.length + 20))}${renderMore(hit)}`;
}

function renderPath({ path }: Hit, project: string | undefined): string {
  return escapeControl(project === undefined ? path : `${project}/${path}`);
}

/** `  +4 more places: lines 12, 40, 77 …` */
export function renderMore({ moreLines }: Hit): string {
  if (moreLines.length === 0) return '';
  const places = moreLines.length === 1 ? 'place: line' : 'places: lines';
  const rest = moreLines.length > MOST_MORE_LINES ? ' …' : '';
  return `  +${moreLines.length} more ${places} ${moreLines.slice(0, MOST_MORE_LINES).join(', ')}${rest}`;
}

export function renderCut({ continuesTo }: Hit): string | undefined {
  return continuesTo === undefined ? undefined : `… to line ${continuesTo}`;
}

/** A hit whose lines are left out for want of room has none. */
function shownLines({ lines }: Hit): string[] {
  return lines.map((line) => renderCodeLine(line, MOST_LINE_CHARS));
}

export function toValue(hit: Hit, manyProjects: boolean): HitValue {
  const cut = renderCut(hit);
  return {
    ...toPlaceValue(hit, manyProjects),
    lines: shownLines(hit),
    more_lines: hit.moreLines.slice(0, MOST_MORE_LINES_VALUE),
    ...(cut === undefined ? {} : { cut }),
    score: Math.round(hit.score * 100) / 100,
    why: hit.reasons.slice(0, MOST_WHY).map(({ feature }) => meaningOf(feature)),
  };
}

/** Why a listed line is there is what was asked for. */
export function toMatchValue(hit: Hit, manyProjects: boolean): HitValue {
  return { ...toValue(hit, manyProjects), why: [] };
}

export function toPlaceValue(hit: Hit, manyProjects: boolean): PlaceValue {
  const symbol = symbolOf(hit);
  return {
    path: hit.path,
    ...(manyProjects ? { project: hit.root } : {}),
    start_line: hit.startLine,
    end_line: hit.endLine,
    ...(symbol === undefined ? {} : { symbol }),
    ...(hit.definition === undefined ? {} : { kind: hit.definition.kind }),
  };
}
