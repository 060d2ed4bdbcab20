/** Hits as text for a model: a line of place, then lines of code, as many as the budget carries. */
import type { Detail, EncoderNote, Hit, SearchAnswer } from '../search/index.ts';
import { cursorAfter, meaningOf, noteGuess, noteNoneLeft, symbolOf } from '../search/index.ts';
import { escapeControl, escapeControlKeepingLines, estimateCodeTokens } from '../text/index.ts';

export const DEFAULT_BUDGET = 2_000;
export const MOST_BUDGET = 8_000;

/** For what the answer says besides: project, freshness, what is left. */
const REST_TOKENS = 90;
const MOST_WHY = 2;
const MOST_LINE_CHARS = 300;
const MOST_PLACE_CHARS = 400;
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
  /** The projects that were searched. */
  readonly roots: readonly string[];
}

export interface RenderedHits {
  readonly text: string;
  readonly hits: HitValue[];
  readonly next: string | undefined;
}

export function renderHits(answer: SearchAnswer, options: RenderOptions): RenderedHits {
  const { hits, matched } = answer;
  if (hits.length === 0) return { text: renderNothing(answer), hits: [], next: undefined };
  const projectOf = nameProjects(options.roots);
  const room = createRoom(options.budget);
  const blocks: string[] = [];
  let withoutLines = 0;
  for (const hit of hits) {
    const place = renderPlace(hit, projectOf(hit.root));
    // The first is always shown, as much of it as there is room for; then whole hits, then places, then no more.
    const block =
      blocks.length === 0
        ? room.cut(renderHit(hit, options.detail, projectOf(hit.root)))
        : [renderHit(hit, options.detail, projectOf(hit.root)), place].find((text) => room.has(text));
    if (block === undefined) break;
    if (block === place) withoutLines += 1;
    room.take(block);
    blocks.push(block);
  }
  const shown = hits.slice(0, blocks.length);
  const last = shown.at(-1)?.rank ?? 0;
  const next = last < matched ? cursorAfter(last) : undefined;
  const more = matched - last;
  const rest = [
    ...(withoutLines === 0
      ? []
      : [`${withoutLines} without their lines for want of budget: raise budget, or read the file`]),
    ...(next === undefined ? [] : [`${more} more ${more === 1 ? 'file' : 'files'} ranked; cursor: ${next}`]),
    ...(answer.isPartial ? [PARTIAL] : []),
  ];
  const guess = answer.isGuess ? [noteGuess(answer)] : [];
  return {
    text: [...guess, ...blocks, ...rest].join('\n'),
    hits: shown.map((hit) => toValue(hit, projectOf(hit.root) !== undefined)),
    next,
  };
}

const PARTIAL = 'not every file was looked at: narrow the search with path: or lang:';

function renderNothing(answer: SearchAnswer): string {
  const { matched, passed, isPartial } = answer;
  if (matched > 0)
    return `no more results: all ${matched} files that were ranked are before this; "quoted" text finds the files that hold it`;
  const none = noteNoneLeft(answer);
  if (none !== undefined) return none;
  const looked = `no match in ${passed} ${passed === 1 ? 'file' : 'files'}`;
  return [
    `${looked}; try other words, fewer filters, or a symbol's name`,
    ...(isPartial ? [PARTIAL] : []),
  ].join('\n');
}

interface Room {
  has(block: string): boolean;
  take(block: string): void;
  /** Whole lines of it that there is room for; at least the first. */
  cut(block: string): string;
}

function createRoom(budget: number): Room {
  let tokens = budget - REST_TOKENS;
  let chars = MOST_ANSWER_CHARS;
  let last = { block: '', cost: 0 };
  /** A block is asked about before it is taken: it is counted once. */
  const costOf = (block: string): number => {
    if (block !== last.block) last = { block, cost: estimateCodeTokens(`${block}\n`) };
    return last.cost;
  };
  return {
    has: (block) => block.length < chars && costOf(block) <= tokens,
    take(block) {
      tokens -= costOf(block);
      chars -= block.length + 1;
    },
    cut(block) {
      if (this.has(block)) return block;
      const [place = '', ...lines] = block.split('\n');
      const kept = [place];
      for (const line of lines) {
        if (!this.has([...kept, line, CUT].join('\n'))) break;
        kept.push(line);
      }
      return [...kept, CUT].join('\n');
    },
  };
}

const CUT = '… (cut to the budget)';

/** What models other than the configured one answered for, project by project; one line if it is the same in all. */
export function renderEncoderNotes(notes: readonly EncoderNote[], roots: readonly string[]): string[] {
  const [first] = notes;
  const isSame = notes.length === roots.length && notes.every(({ text }) => text === first?.text);
  if (first !== undefined && isSame) return [first.text];
  const projectOf = nameProjects(roots);
  return notes.map(({ root, text }) => {
    const project = projectOf(root);
    return project === undefined ? text : `${escapeControl(project)}: ${text}`;
  });
}

/** How a project is named before a path: not at all if there is one, by its path where two share a name. */
export function nameProjects(roots: readonly string[]): (root: string) => string | undefined {
  const nameOf = (root: string): string => root.slice(root.lastIndexOf('/') + 1);
  const isShared = (root: string): boolean =>
    roots.some((other) => other !== root && nameOf(other) === nameOf(root));
  return (root) => (roots.length < 2 ? undefined : isShared(root) ? root : nameOf(root));
}

/** One hit: its place, and its lines if they are wanted. */
export function renderHit(hit: Hit, detail: Detail, project?: string): string {
  const place = renderPlace(hit, project);
  const lines = renderLines(hit);
  if (detail === 'locations') {
    const line = lines.join('').trim();
    return line === '' ? place : `${place} | ${line}`;
  }
  return [place, ...lines, ...(hit.isCut ? ['…'] : [])].join('\n');
}

/** `src/a.ts:10-21 Store.get` */
function renderPlace(hit: Hit, project: string | undefined): string {
  const symbol = symbolOf(hit);
  const more = hit.more > 0 ? ` (+${hit.more} more ${hit.more === 1 ? 'place' : 'places'})` : '';
  const before = project === undefined ? '' : `${project}/`;
  const place = `${before}${hit.path}:${hit.startLine}-${hit.endLine}${symbol === undefined ? '' : ` ${symbol}`}${more}`;
  // A path is never cut: it is what the next call needs.
  return escapeControl(place.slice(0, Math.max(MOST_PLACE_CHARS, before.length + hit.path.length + 20)));
}

/** Without the indent that all lines share: it says nothing and costs tokens. */
function renderLines({ lines }: Hit): string[] {
  const indents = lines
    .filter((line) => line.trim() !== '')
    .map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0);
  const shared = indents.length === 0 ? 0 : Math.min(...indents);
  return lines.map((line) => {
    const text = line.trim() === '' ? '' : line.slice(shared).trimEnd();
    return escapeControlKeepingLines(
      text.length > MOST_LINE_CHARS ? `${text.slice(0, MOST_LINE_CHARS)} …` : text,
    );
  });
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
    why: hit.reasons.slice(0, MOST_WHY).map(({ feature }) => meaningOf(feature)),
  };
}
