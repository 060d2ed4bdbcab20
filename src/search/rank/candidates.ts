/** Which files are worth a closer look: the best of several cheap lists. */
import type { LexicalScores } from './bm25.ts';
import type { DenseScores } from './dense.ts';
import { PostingList } from '../view/postings.ts';
import type { Question } from '../query/question.ts';
import { topOf } from './top.ts';
import type { PlacedSegment, View } from '../view/view.ts';

const BEST_CHUNKS = 60;
const NEAREST_FILES = 40;
const BEST_FILES = 20;
const BEST_BY_NAMES = 15;
const BEST_BY_PATH = 15;
const MOST_DEFINING = 60;

export interface CandidateInput {
  readonly view: View;
  readonly question: Question;
  readonly lexical: LexicalScores;
  readonly dense: DenseScores | undefined;
  /** 1 for each file that may be found at all. */
  readonly allowed: Uint8Array;
  readonly defining: DefiningFiles;
  /** Files whose own name is this, whatever its case and joints. */
  readonly named: (name: string) => readonly number[];
}

/** Files that define a name, with the largest weight of their definitions, in tenths. */
export type DefiningFiles = (name: number) => ReadonlyMap<number, number>;

/** Numbers of files, each once, in no order that means anything but always the same. */
export function chooseCandidates(input: CandidateInput): number[] {
  const { view, question, lexical, dense, allowed } = input;
  const chosen = new Set<number>();
  const add = (file: number): void => {
    if (allowed[file] === 1) chosen.add(file);
  };
  // What is not allowed must not fill a list.
  const passes = (file: number): boolean => allowed[file] === 1;
  const chunkPasses = (chunk: number): boolean => passes(fileOfAnyChunk(view, chunk));
  for (const chunk of topOf(lexical.chunks, BEST_CHUNKS, { passes: chunkPasses }))
    add(fileOfAnyChunk(view, chunk));
  if (dense !== undefined)
    for (const file of topOf(dense.files, NEAREST_FILES, { above: -1, passes })) add(file);
  for (const file of topOf(lexical.files, BEST_FILES, { passes })) add(file);
  for (const file of topOf(lexical.names, BEST_BY_NAMES, { passes })) add(file);
  for (const file of topOf(lexical.paths, BEST_BY_PATH, { passes })) add(file);
  for (const name of [...question.names, ...question.plainNames]) {
    const files = input.defining(name);
    if (files.size <= MOST_DEFINING) for (const file of files.keys()) add(file);
  }
  if (question.isSymbol) for (const name of question.spelled) for (const file of input.named(name)) add(file);
  return [...chosen];
}

/** Each name is looked up once. */
export function rememberDefining(view: View): DefiningFiles {
  const known = new Map<number, ReadonlyMap<number, number>>();
  const list = new PostingList();
  return (name) => {
    const found = known.get(name) ?? filesDefining(view, name, list);
    known.set(name, found);
    return found;
  };
}

/** Files that define a name, with the largest weight of their definitions, in tenths. */
export function filesDefining(
  view: View,
  name: number,
  list = new PostingList(),
): ReadonlyMap<number, number> {
  const defining = new Map<number, number>();
  for (const segment of view.segments) {
    const place = segment.nameTable.get(name);
    if (place < 0) continue;
    const { documents, size } = list.read(segment.nameIndex, place);
    for (let at = 0; at < size; at++) {
      const definition = documents[at] ?? 0;
      const file = fileOfName(segment, definition);
      if (segment.alive[file] === 0) continue;
      const number = segment.firstFile + file;
      defining.set(number, Math.max(defining.get(number) ?? 0, segment.names.weights[definition] ?? 0));
    }
  }
  return defining;
}

function fileOfName({ names: { offsets }, files }: PlacedSegment, definition: number): number {
  let low = 0;
  let high = files.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((offsets[middle] ?? 0) <= definition) low = middle;
    else high = middle - 1;
  }
  return low;
}

function fileOfAnyChunk(view: View, chunk: number): number {
  let found = view.segments[0];
  for (const segment of view.segments) if (segment.firstChunk <= chunk) found = segment;
  return found === undefined ? -1 : found.firstFile + (found.fileOfChunk[chunk - found.firstChunk] ?? 0);
}
