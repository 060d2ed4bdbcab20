/** Hits as text for a model: a line of place, then lines of code, as many as the budget carries. */
import type { Detail, Hit, SearchAnswer } from '../search/index.ts';
import { FEATURE_MEANINGS } from '../search/index.ts';
import { escapeControl } from '../text/index.ts';

export const DEFAULT_BUDGET = 2_000;
export const MOST_BUDGET = 8_000;

/** Code has about this many characters per token; the estimate is on the safe side. */
const CHARS_PER_TOKEN = 3.6;
const MOST_WHY = 2;
const MOST_LINE_CHARS = 300;
const MOST_ANSWER_CHARS = 40_000;

export interface HitValue {
  path: string;
  project?: string;
  start_line: number;
  end_line: number;
  symbol?: string;
  score: number;
  why: string[];
}

export interface RenderOptions {
  readonly budget: number;
  readonly detail: Detail;
  readonly manyProjects: boolean;
  /** The cursor this answer began at. */
  readonly from: string | undefined;
}

export function renderHits(
  answer: SearchAnswer,
  options: RenderOptions,
): { text: string; hits: HitValue[]; next: string | undefined } {
  const { hits, matched } = answer;
  if (hits.length === 0) {
    const looked = `no match in ${answer.files} files`;
    return {
      text: `${looked}; try other words, fewer filters, or a symbol's name`,
      hits: [],
      next: undefined,
    };
  }
  const most = Math.min(options.budget * CHARS_PER_TOKEN, MOST_ANSWER_CHARS);
  const blocks: string[] = [];
  let used = 0;
  let shown = 0;
  for (const hit of hits) {
    const place = renderPlace(hit, options.manyProjects);
    const whole = renderHit(hit, options.detail, options.manyProjects);
    // The first is always shown; what no longer fits is named by its place, and then no more.
    const block = shown === 0 || used + whole.length <= most ? whole : place;
    if (shown > 0 && used + block.length > most) break;
    blocks.push(block);
    used += block.length + 1;
    shown += 1;
  }
  const first = startOf(options.from);
  const next = first + shown < matched ? `after-${first + shown}` : undefined;
  const rest = [
    ...(next === undefined ? [] : [`${matched - first - shown} more files match; cursor: ${next}`]),
    ...(answer.isPartial ? ['not every file was looked at: narrow the search with path: or lang:'] : []),
  ];
  return {
    text: [...blocks, ...rest].join('\n'),
    hits: hits.slice(0, shown).map((hit) => toValue(hit, options.manyProjects)),
    next,
  };
}

function startOf(cursor: string | undefined): number {
  return Number(/\d+$/.exec(cursor ?? '')?.[0] ?? 0);
}

/** One hit: its place, and its lines if they are wanted. */
export function renderHit(hit: Hit, detail: Detail, manyProjects: boolean): string {
  const place = renderPlace(hit, manyProjects);
  return detail === 'locations' ? place : `${place}\n${renderLines(hit)}`;
}

/** `src/a.ts:10-21 Store.get` */
function renderPlace(hit: Hit, manyProjects: boolean): string {
  const project = manyProjects ? `${hit.root.slice(hit.root.lastIndexOf('/') + 1)}/` : '';
  const symbol = symbolOf(hit);
  const more = hit.more > 0 ? ` (+${hit.more} more places)` : '';
  return escapeControl(
    `${project}${hit.path}:${hit.startLine}-${hit.endLine}${symbol === undefined ? '' : ` ${symbol}`}${more}`,
  );
}

export function symbolOf({ definition }: Hit): string | undefined {
  if (definition === undefined) return undefined;
  const { name, container } = definition;
  return container === undefined ? name : `${container}.${name}`;
}

/** Without the indent that all lines share: it says nothing and costs tokens. */
function renderLines({ lines, isCut }: Hit): string {
  const indents = lines
    .filter((line) => line.trim() !== '')
    .map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0);
  const shared = indents.length === 0 ? 0 : Math.min(...indents);
  const shown = lines.map((line) => {
    const text = line.trim() === '' ? '' : line.slice(shared).trimEnd();
    return escapeControl(text.length > MOST_LINE_CHARS ? `${text.slice(0, MOST_LINE_CHARS)} …` : text);
  });
  return [...shown, ...(isCut ? ['…'] : [])].join('\n');
}

function toValue(hit: Hit, manyProjects: boolean): HitValue {
  const symbol = symbolOf(hit);
  return {
    path: hit.path,
    ...(manyProjects ? { project: hit.root } : {}),
    start_line: hit.startLine,
    end_line: hit.endLine,
    ...(symbol === undefined ? {} : { symbol }),
    score: Math.round(hit.score * 100) / 100,
    why: hit.reasons
      .slice(0, MOST_WHY)
      .map(({ feature }) => (feature === 'exact' ? 'holds the exact text' : FEATURE_MEANINGS[feature])),
  };
}
