/** `path:line` as a question: what is like the code there? */
import { AppError } from '../../core/index.ts';
import { identifiersIn, quoteForeign, termsOf, type Term, type TextLines } from '../../text/index.ts';
import { readQuestion, type Question } from './question.ts';
import type { SearchParts } from '../ports.ts';
import { spanOf } from '../view/segment.ts';
import type { PlacedSegment, View } from '../view/view.ts';

const PLACE = /^(.+?)(?::(\d+)(?:-\d+)?)?$/;
const MOST_LINES = 40;
const MOST_TOKENS = 24;
/** Chosen so that two or three words weigh about half as much as the code. */
const WORD_COUNTS_AS = 4;

export interface SimilarTo {
  readonly root: string;
  readonly path: string;
  readonly question: Question;
}

export interface SimilarInput {
  /** `path:line`, or a path. */
  readonly place: string;
  /** What is asked for besides; may be empty. */
  readonly words: string;
  readonly projects: readonly { readonly root: string; readonly view: View }[];
}

/** The place is looked for in each project in turn. */
export function readSimilar({ place, words, projects }: SimilarInput, parts: SearchParts): SimilarTo {
  const [, given = '', line = '1'] = PLACE.exec(place) ?? [];
  for (const { root, view } of projects) {
    const found = findFile(view, given) ?? findFile(view, withoutProject(given, root));
    const text = found === undefined ? undefined : parts.readText(root, found.path);
    if (found === undefined || text === undefined) continue;
    if (Number(line) > Math.max(1, text.lines.length))
      throw new AppError(
        'not_found',
        `${quoteForeign(found.path)} has ${text.lines.length} lines, and none is ${line}.`,
        {
          hint: 'Give a line that a search shows.',
        },
      );
    const question = toQuestion(found, text.lines, Number(line));
    return { root, path: found.path, question: words === '' ? question : withWords(question, words) };
  }
  throw new AppError('not_found', `${quoteForeign(given)} is not in the index.`, {
    hint: 'Give the path of a file as a search shows it, with a line: src/app.ts:12.',
  });
}

interface FoundFile {
  readonly segment: PlacedSegment;
  readonly local: number;
  readonly path: string;
}

function findFile(view: View, path: string): FoundFile | undefined {
  for (const segment of view.segments) {
    const local = segment.files.findIndex((file, at) => file.path === path && segment.alive[at] === 1);
    if (local >= 0) return { segment, local, path };
  }
  return undefined;
}

/** As the answers of several projects show it, or as the system names it. */
function withoutProject(path: string, root: string): string {
  const name = root.slice(root.lastIndexOf('/') + 1);
  for (const before of [`${root}/`, `${name}/`, './'])
    if (path.startsWith(before)) return path.slice(before.length);
  return path;
}

function toQuestion({ segment, local }: FoundFile, lines: TextLines, wanted: number): Question {
  let [start, end] = [1, lines.length];
  const own = spanOf(segment.chunkOffsets, local);
  for (let chunk = own.start; chunk < own.end; chunk++)
    if ((segment.startLines[chunk] ?? 0) <= wanted)
      [start, end] = [segment.startLines[chunk] ?? 1, segment.endLines[chunk] ?? 1];
  const code = lines.slice(start - 1, Math.min(end, start + MOST_LINES - 1)).join('\n');
  const telling = mostTelling(code);
  return {
    ...readQuestion(code),
    isSymbol: false,
    tokens: new Map(telling.map(({ hash }) => [hash, 1])),
    terms: telling,
    names: [],
    spelled: [],
  };
}

/**
 * Each word counts as much as several of the code's, which are many: what is like the code and holds the words stands before
 * what is only like it.
 */
function withWords(code: Question, words: string): Question {
  const asked = readQuestion(words);
  const tokens = new Map(code.tokens);
  for (const [token, count] of asked.tokens) tokens.set(token, count * WORD_COUNTS_AS);
  const terms = new Map([...asked.terms, ...code.terms].map((term) => [term.hash, term]));
  const stems = new Map(
    [asked, code].flatMap((question) => question.words.map((word, at) => [word, question.stems[at] ?? 0])),
  );
  return {
    text: `${asked.text}\n${code.text}`,
    isSymbol: false,
    tokens,
    terms: [...terms.values()],
    words: [...stems.keys()],
    stems: [...stems.values()],
    names: asked.names,
    spelled: asked.spelled,
    plainNames: [...new Set([...asked.plainNames, ...code.plainNames])],
    wantsSpecial: asked.wantsSpecial || code.wantsSpecial,
  };
}

/** The words that occur most often say what a piece of code is about; ranking weighs them by rarity. */
function mostTelling(code: string): readonly Term[] {
  const counts = new Map<string, { readonly term: Term; count: number }>();
  for (const term of identifiersIn(code).flatMap(termsOf)) {
    if (term.stem.length <= 2) continue;
    const known = counts.get(term.stem);
    if (known === undefined) counts.set(term.stem, { term, count: 1 });
    else known.count += 1;
  }
  return [...counts.values()]
    .sort((a, b) => b.count - a.count || (a.term.stem < b.term.stem ? -1 : 1))
    .slice(0, MOST_TOKENS)
    .map(({ term }) => term);
}
