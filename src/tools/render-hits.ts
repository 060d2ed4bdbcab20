/** Hits as text for a model, as many as the budget carries; the structured form is made of what is shown, and of nothing else. */
import {
  MEANINGS,
  noteGuess,
  noteNoMatch,
  noteNoneLeft,
  noteNothingNear,
  PLAIN_LOOK,
  renderCut,
  renderHit,
  renderMatch,
  renderPlace,
  symbolOf,
  type EncoderNote,
  type Hit,
  type SearchAnswer,
} from '../search/index.ts';
import { countOf, escapeControl, estimateCodeTokens, renderCodeLine } from '../text/index.ts';

export const DEFAULT_BUDGET = 2_000;
export const MOST_BUDGET = 8_000;

/** For what the answer says besides: project, freshness, what is left. */
const REST_TOKENS = 110;
const MOST_ANSWER_CHARS = 40_000;
const MOST_WHY = 2;
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

export interface RenderOptions {
  /** Undefined for what suits the answer. */
  readonly budget: number | undefined;
  readonly query: string;
  /** The projects that were searched. */
  readonly roots: readonly string[];
}

export interface RenderedHits {
  /** Blocks and notes, a blank line between them. */
  readonly text: string;
  readonly hits: HitValue[];
  readonly nearest: PlaceValue[];
  /** Everything that the text says besides hits and places. */
  readonly notes: readonly string[];
  readonly next: string | undefined;
}

export function renderHits(answer: SearchAnswer, { budget, query, roots }: RenderOptions): RenderedHits {
  const projectOf = nameProjects(roots);
  const isSeveral = roots.length > 1;
  if (answer.hits.length === 0) {
    const notes = [...answer.notes, ...notesOfNothing(answer, query)];
    const places = answer.nearest.map((hit) => renderPlace(hit, projectOf(hit.root)));
    const nearest = answer.nearest.map((hit) => toPlaceValue(hit, isSeveral));
    return { text: [...notes, ...places].join('\n'), hits: [], nearest, notes, next: undefined };
  }
  const isList = answer.matchedLines !== undefined;
  const form: HitForm = {
    text: (hit) => (isList ? renderMatch : renderHit)(hit, projectOf(hit.root)),
    value: (hit) => (isList ? toMatchValue : toValue)(hit, isSeveral),
  };
  const room = createRoom(budget ?? (isList ? MOST_BUDGET : DEFAULT_BUDGET));
  const shown = fitHits(answer.hits, { form, room, mayBeBare: !isList });
  const next = shown.length < answer.hits.length ? shown.at(-1)?.after : answer.next;
  const before = [...answer.notes, ...(answer.isGuess ? [noteGuess(answer)] : [])];
  const behind = notesBehind(answer, shown, next);
  const blocks = shown.map(form.text);
  return {
    text: [...before, ...(isList ? [blocks.join('\n')] : blocks), behind.join('\n')]
      .filter((part) => part !== '')
      .join('\n\n'),
    hits: shown.map(form.value),
    nearest: [],
    notes: [...before, ...behind],
    next,
  };
}

const PARTIAL = 'not every file was looked at: narrow the search with path: or lang:';

/** What was left out, each with the call that gets it. */
function notesBehind(answer: SearchAnswer, shown: readonly Hit[], next: string | undefined): string[] {
  const { matchedLines, matched } = answer;
  const bare = shown.filter(({ lines, isHidden }) => lines.length === 0 && isHidden !== true).length;
  const isCut = shown.some(({ continuesTo, lines }) => continuesTo !== undefined && lines.length > 0);
  const rest = matched - (shown.at(-1)?.rank ?? 0);
  const goOn = `next: the same call with cursor="${next}"`;
  return [
    ...(matchedLines === undefined
      ? []
      : [
          `${countOf(matchedLines, 'line')} in ${countOf(matched, 'file')}${answer.isPartial ? ', as far as they were looked at' : ''}.`,
        ]),
    ...(isCut ? ['"… to line N": the definition goes on; the same call with detail="full" shows more.'] : []),
    ...(bare === 0 ? [] : [`${countOf(bare, 'hit')} without lines for want of budget: raise budget.`]),
    ...(next === undefined
      ? []
      : [
          matchedLines === undefined
            ? `${countOf(rest, answer.isOfPlaces ? 'more place' : 'more file')} ranked; ${goOn}`
            : goOn,
        ]),
    ...(answer.isPartial ? [PARTIAL] : []),
  ];
}

function notesOfNothing(answer: SearchAnswer, query: string): string[] {
  const { matched, isPartial } = answer;
  if (answer.nearest.length > 0) return [noteNothingNear(answer)];
  if (matched > 0)
    return [
      `no more results: all ${countOf(matched, answer.isOfPlaces ? 'place' : 'file')} that were ranked are before this; "quoted" text finds the files that hold it`,
    ];
  const none = noteNoneLeft(answer);
  if (none !== undefined) return [none];
  return [
    noteNoMatch(answer, query) ?? 'no match: the project has no files',
    ...(isPartial ? [PARTIAL] : []),
  ];
}

/** A hit in both forms of an answer: it is shown if there is room in both, so that each holds what the other does. */
interface HitForm {
  readonly text: (hit: Hit) => string;
  readonly value: (hit: Hit) => HitValue;
}

interface Fitting {
  readonly form: HitForm;
  readonly room: Room;
  /** A place says something without its lines; a line that is listed does not. */
  readonly mayBeBare: boolean;
}

/** The first is always shown, as much of it as there is room for; then whole hits, then places, then no more. */
function fitHits(hits: readonly Hit[], { form, room, mayBeBare }: Fitting): readonly Hit[] {
  const shown: Hit[] = [];
  for (const hit of hits) {
    const fitting =
      shown.length === 0
        ? cutToRoom(hit, form, room)
        : (mayBeBare ? [hit, withoutLines(hit)] : [hit]).find((one) => room.has(form, one));
    if (fitting === undefined) break;
    room.take(form, fitting);
    shown.push(fitting);
  }
  return shown;
}

/** With as many of its lines as there is room for; at least its place. */
function cutToRoom(hit: Hit, form: HitForm, room: Room): Hit {
  for (let count = hit.lines.length; count > 0; count--) {
    const isWhole = count === hit.lines.length;
    const cut: Hit = isWhole
      ? hit
      : {
          ...hit,
          lines: hit.lines.slice(0, count),
          endLine: hit.startLine + count - 1,
          continuesTo: hit.continuesTo ?? hit.endLine,
        };
    if (room.has(form, cut)) return cut;
  }
  return withoutLines(hit);
}

function withoutLines(hit: Hit): Hit {
  return { ...hit, lines: [], continuesTo: undefined };
}

interface Room {
  has(form: HitForm, hit: Hit): boolean;
  take(form: HitForm, hit: Hit): void;
}

function createRoom(budget: number): Room {
  let tokens = budget - REST_TOKENS;
  let chars = MOST_ANSWER_CHARS;
  let valueChars = MOST_ANSWER_CHARS;
  let last = { block: '', cost: 0 };
  /** A block is asked about before it is taken: it is counted once. */
  const costOf = (block: string): number => {
    if (block !== last.block) last = { block, cost: estimateCodeTokens(`${block}\n\n`) };
    return last.cost;
  };
  const sizeOf = (value: HitValue): number => JSON.stringify(value).length + 1;
  return {
    has(form, hit) {
      const block = form.text(hit);
      return block.length < chars && costOf(block) <= tokens && sizeOf(form.value(hit)) < valueChars;
    },
    take(form, hit) {
      const block = form.text(hit);
      tokens -= costOf(block);
      chars -= block.length + 2;
      valueChars -= sizeOf(form.value(hit));
    },
  };
}

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

function toValue(hit: Hit, manyProjects: boolean): HitValue {
  const cut = renderCut(hit);
  return {
    ...toPlaceValue(hit, manyProjects),
    lines: hit.lines.map((line) => renderCodeLine(line, PLAIN_LOOK.mostLineChars)),
    more_lines: hit.moreLines.slice(0, MOST_MORE_LINES_VALUE),
    ...(cut === undefined ? {} : { cut }),
    score: Math.round(hit.score * 100) / 100,
    why: hit.reasons.slice(0, MOST_WHY).map(({ feature }) => MEANINGS[feature]),
  };
}

/** Why a listed line is there is what was asked for. */
function toMatchValue(hit: Hit, manyProjects: boolean): HitValue {
  return { ...toValue(hit, manyProjects), why: [] };
}

function toPlaceValue(hit: Hit, manyProjects: boolean): PlaceValue {
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
