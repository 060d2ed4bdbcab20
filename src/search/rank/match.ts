/** The words of the question against a file's path and against the names that it defines. */
import type { Question } from '../query/question.ts';
import { headOf, type FileFacts, type PathVocabulary } from '../view/file-facts.ts';
import { postingCount, PostingList, type Segment } from '../view/segment.ts';
import type { PlacedSegment, View } from '../view/view.ts';

/** Files that define a name, with the largest weight of their definitions, in tenths. */
export type DefiningFiles = (name: number) => ReadonlyMap<number, number>;

/** How many definitions bear a name, in files that are gone, too. */
export function definitionCount(view: View, name: number): number {
  let count = 0;
  for (const { nameIndex, nameTable } of view.segments) count += postingCount(nameIndex, nameTable.get(name));
  return count;
}

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

/** For one question: each name is looked up once. */
export function createDefiningFiles(view: View): DefiningFiles {
  const known = new Map<number, ReadonlyMap<number, number>>();
  const list = new PostingList();
  return (name) => {
    const found = known.get(name) ?? filesDefining(view, name, list);
    known.set(name, found);
    return found;
  };
}

/** The file whose definitions include this one, by binary search. */
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

/** What it says that a file defines a name, from the weight of the definition in tenths; 0 to 1. */
export function nameWorth(weight: number): number {
  return Math.min(1, 0.4 + 0.03 * weight);
}

/** A plain word of a sentence counts as a name only where so few files define it. */
const MOST_DEFINING_PLAIN = 3;

export interface DefinedNames {
  /** Files that define a name that was asked for, and how much that says. */
  readonly asked: ReadonlyMap<number, number>;
  /** The same for words of the sentence that happen to be names. */
  readonly plain: ReadonlyMap<number, number>;
}

export function findDefinedNames(
  defining: DefiningFiles,
  { names, plainNames, isSymbol }: Question,
): DefinedNames {
  const [asked, plain] = [new Map<number, number>(), new Map<number, number>()];
  for (const name of names) {
    const files = defining(name);
    const shared = isSymbol ? 1 : Math.sqrt(files.size);
    for (const [file, weight] of files) keepLargest(asked, file, nameWorth(weight) / shared);
  }
  for (const name of plainNames) {
    const files = defining(name);
    if (files.size > MOST_DEFINING_PLAIN) continue;
    for (const [file, weight] of files) keepLargest(plain, file, nameWorth(weight));
  }
  return { asked, plain };
}

function keepLargest(map: Map<number, number>, file: number, value: number): void {
  map.set(file, Math.max(map.get(file) ?? 0, value));
}

/** How well the words of a question name the definitions of a file. */
export interface NameMatcher {
  /** The best of a file's definitions, 0 to 1. */
  best(facts: FileFacts): number;
  /** Those of a file's definitions that hold any of the words, by their places in the segment's names. */
  forEachLike(facts: FileFacts, see: (definition: number, like: number) => void): void;
}

interface WantedTerms {
  /** The segment's numbers of the question's words, and how rare they are. */
  readonly terms: readonly number[];
  readonly rarities: readonly number[];
  /** A small hash filter: by a term's low bits, the place of the first wanted one that has them, plus one. 0 for nearly every other term. */
  readonly marks: Uint16Array;
}

/** A power of two. */
const MARKS = 1024;

export function createNameMatcher(question: Question, rarities: readonly number[]): NameMatcher {
  const total = rarities.reduce((sum, rarity) => sum + rarity, 0);
  const termsOf = new Map<Segment, WantedTerms>();
  const termsIn = (segment: Segment): WantedTerms => {
    const known = termsOf.get(segment);
    if (known !== undefined) return known;
    const terms: number[] = [];
    const rare: number[] = [];
    const made = { terms, rarities: rare, marks: new Uint16Array(MARKS) };
    question.stems.forEach((hash, at) => {
      const term = segment.terms.get(hash);
      if (term < 0) return;
      const place = terms.push(term);
      rare.push(rarities[at] ?? 0);
      made.marks[term & (MARKS - 1)] ||= place;
    });
    termsOf.set(segment, made);
    return made;
  };
  const score = (segment: Segment, definition: number, wanted: WantedTerms): number => {
    const { terms, termOffsets } = segment.names;
    const end = termOffsets[definition + 1] ?? 0;
    let at = termOffsets[definition] ?? 0;
    // The whole name stands before its parts, where it has any.
    if (end - at > 1) at += 1;
    let sum = 0;
    let hits = 0;
    const parts = end - at;
    for (; at < end; at++) {
      const rarity = rarityIn(wanted, terms[at] ?? 0);
      if (rarity < 0) continue;
      sum += rarity;
      hits += 1;
    }
    return hits === 0 ? 0 : (Math.min(sum, total) / total) * Math.sqrt(Math.min(1, hits / parts));
  };
  const forEachLike: NameMatcher['forEachLike'] = ({ segment, nameStart, firstTerm, termEnd }, see) => {
    const wanted = termsIn(segment);
    if (total === 0 || wanted.terms.length === 0) return;
    const { terms, termOffsets } = segment.names;
    const { marks } = wanted;
    let definition = nameStart;
    // A file's terms lie together and few are wanted: look up the definition of those only.
    for (let at = firstTerm; at < termEnd; at++) {
      if (marks[(terms[at] ?? 0) & (MARKS - 1)] === 0) continue;
      while ((termOffsets[definition + 1] ?? termEnd) <= at) definition += 1;
      const like = score(segment, definition, wanted);
      if (like > 0) see(definition, like);
      at = (termOffsets[definition + 1] ?? termEnd) - 1;
    }
  };
  return {
    best(facts) {
      let best = 0;
      forEachLike(facts, (_, like) => {
        if (like > best) best = like;
      });
      return best;
    },
    forEachLike,
  };
}

/** -1 for a term that is not wanted. */
function rarityIn({ terms, rarities, marks }: WantedTerms, term: number): number {
  const mark = marks[term & (MARKS - 1)] ?? 0;
  if (mark === 0) return -1;
  for (let at = mark - 1; at < terms.length; at++) if (terms[at] === term) return rarities[at] ?? 0;
  return -1;
}

export interface PathMatcher {
  /** How well each word of the question finds a like one in the path, weighted by rarity; 0 to 1. */
  coverage(facts: FileFacts): number;
  /** Whether every word of the file's name is asked for. */
  isNamed(facts: FileFacts): boolean;
}

/** One per view, for these files. Each makes what was made before unusable: they share their table. */
export type PathMatchers = (
  question: Question,
  rarities: readonly number[],
  files: readonly FileFacts[],
) => PathMatcher;

const PREFIX_LIKENESS = 0.8;
const SHORTEST_LIKE_PREFIX = 4;
const SHORTEST_NAME_PREFIX = 3;

interface AskedWord {
  readonly word: string;
  /** The number of its stem; -1 where no path has it. */
  readonly stem: number;
  readonly head: number;
}

export function createPathMatchers(words: PathVocabulary): PathMatchers {
  /** By the number of a word: its place among those of these files, from 1; 0 where it is none of them. */
  let places = new Uint32Array(0);
  /** By place: the number of the word, how alike it is to each word of the question, and whether that asks for it. */
  let numbers = new Uint32Array(0);
  let likenesses = new Float64Array(0);
  let isAsked = new Uint8Array(0);
  let dots = new Float32Array(0);

  /** Each word of their paths once, with its place noted; how many there are. */
  function placeWords(files: readonly FileFacts[], listed: Uint32Array): number {
    if (words.count > places.length) {
      const room = 2 * words.count;
      places = new Uint32Array(room);
      numbers = new Uint32Array(room);
      isAsked = new Uint8Array(room);
      dots = new Float32Array(room);
    } else places.fill(0);
    let count = 0;
    for (const { firstWord, wordEnd } of files) {
      for (let at = firstWord; at < wordEnd; at++) {
        const number = listed[at] ?? 0;
        if (places[number] !== 0) continue;
        numbers[count] = number;
        places[number] = ++count;
      }
    }
    return count;
  }

  /** How alike one word of the question is to each word that has a place. */
  function compare({ word, stem, head }: AskedWord, column: number, width: number, count: number): void {
    words.nearness(word, numbers, count, dots);
    for (let at = 0; at < count; at++) {
      const number = numbers[at] ?? 0;
      const place = at * width + column;
      if (words.stemAt(number) === stem) {
        likenesses[place] = 1;
        isAsked[at] = 1;
        continue;
      }
      let like = Math.max(0, dots[at] ?? 0);
      // Hardly any begins alike, and one number tells.
      if (words.headAt(number) === head && head >= 0) {
        const path = words.wordAt(number);
        if (sharePrefix(word, path, SHORTEST_NAME_PREFIX)) isAsked[at] = 1;
        if (sharePrefix(word, path, SHORTEST_LIKE_PREFIX)) like = Math.max(like, PREFIX_LIKENESS);
      }
      likenesses[place] = like;
    }
  }

  return (question, rarities, files) => {
    let total = 0;
    for (let at = 0; at < rarities.length; at++) total += rarities[at] ?? 0;
    const width = question.words.length;
    const listed = words.listed();
    const count = placeWords(files, listed);
    if (count * width > likenesses.length) likenesses = new Float64Array(2 * count * width);
    isAsked.fill(0, 0, count);
    question.words.forEach((word, at) =>
      compare(
        { word, stem: words.stemNumberOf(question.stems[at] ?? 0), head: headOf(word) },
        at,
        width,
        count,
      ),
    );

    return {
      coverage({ firstWord, wordEnd }) {
        if (total === 0) return 0;
        let sum = 0;
        for (let at = 0; at < width; at++) {
          let best = 0;
          for (let word = firstWord; word < wordEnd; word++) {
            const place = (places[listed[word] ?? 0] ?? 0) - 1;
            const like = likenesses[place * width + at] ?? 0;
            if (like > best) best = like;
          }
          sum += best * (rarities[at] ?? 0);
        }
        return sum / total;
      },
      isNamed({ firstWord, stemEnd }) {
        for (let word = firstWord; word < stemEnd; word++)
          if (isAsked[(places[listed[word] ?? 0] ?? 0) - 1] === 0) return false;
        return stemEnd > firstWord;
      },
    };
  };
}

function sharePrefix(a: string, b: string, shortest: number): boolean {
  return a.length >= shortest && b.length >= shortest && (a.startsWith(b) || b.startsWith(a));
}
