/** A parsed query in every project: files with their scores, best first, and the lines to show of each. */
import { hashWord } from '../text/index.ts';
import type { SearchParts } from './ports.ts';
import { findExact, type ExactFound, type ExactMatch } from './query/exact.ts';
import { allowedFiles, keepChanged, weightOf } from './query/filters.ts';
import type { Filters, ParsedQuery, Pattern } from './query/parse-query.ts';
import {
  messageOf,
  readQuestion,
  readReportQuestion,
  SEPARATORS,
  type Question,
  withoutCourtesy,
} from './query/question.ts';
import { readSimilar } from './query/similar.ts';
import { withStrongestTerms } from './rank/bm25.ts';
import { filesHoldingRareWord } from './rank/candidates.ts';
import type { Weights } from './rank/features.ts';
import { REPORT_WEIGHTS } from './rank/weights.ts';
import { aboveFloor, filesHolding, isSourceFile, shareTogether, type Ranking } from './rank/rank.ts';
import { hasValues, linesSpelling } from './rank/spelled.ts';
import type { OpenProject } from './searchers.ts';
import type { EncoderNote, SearchRequest } from './show/hit.ts';
import { FoundFile } from './show/page.ts';
import { createLineWords } from './show/snippet.ts';
import type { RemoteAnswer } from './rank/remote-vectors.ts';
import { mendTypos, type KnownWords } from './query/mend-typos.ts';
import { PostingList } from './view/segment.ts';
import type { View } from './view/view.ts';

export interface Found {
  readonly files: readonly FoundFile[];
  readonly aboveFloor: number | undefined;
  readonly isPartial: boolean;
  readonly isGuess: boolean;
  readonly words: readonly string[];
  /** Files that the filters let through. */
  readonly passed: number;
  readonly encoderNotes: readonly EncoderNote[];
  /** Words that were read as others. */
  readonly mended: readonly string[];
  /** The same question may find other files in a moment: a service did not answer. */
  readonly isPassing: boolean;
}

export interface FoundInProject {
  readonly root: string;
  readonly files: readonly FoundFile[];
  readonly isPartial: boolean;
  /** No file holds any of the words. */
  readonly isGuess: boolean;
  /** Negative if nothing that was found is about the question; undefined where that cannot be told. */
  readonly aboveFloor: number | undefined;
  readonly ranking: Ranking;
  readonly question: Question;
  /** Words that were read as others. */
  readonly mended: readonly string[];
  /** 1 for each file that the filters let through. */
  readonly passed: Uint8Array;
  /** 1 for each of them that the exact text lets through, too. */
  readonly allowed: Uint8Array;
  readonly exact: ExactFound | undefined;
  /** Files that hold the one word that is asked for, where few do. */
  readonly rare: ReadonlySet<number>;
  /** How many files the filters let through. */
  readonly passedFiles: number;
  /** What a service said to the question; undefined where none is configured. */
  readonly remote: RemoteAnswer | undefined;
  readonly ms: { readonly filter: number; readonly exact: number; readonly rank: number };
}

export interface FindOptions {
  readonly query: ParsedQuery;
  readonly request: Pick<SearchRequest, 'similarTo'>;
  readonly weights: Weights;
  readonly signal: AbortSignal;
  readonly client?: string | undefined;
  /** `own`: the scores of all files are wanted after the next question. */
  readonly scores?: 'own';
  readonly everyMatch?: SearchRequest['everyMatch'] | undefined;
}

export async function findEverywhere(
  projects: readonly OpenProject[],
  options: FindOptions,
  parts: SearchParts,
): Promise<readonly FoundInProject[]> {
  const { query, request } = options;
  const similar =
    request.similarTo === undefined
      ? undefined
      : readSimilar(
          {
            place: request.similarTo,
            words: query.words,
            projects: projects.map(({ root, searcher }) => ({ root, view: searcher.ranker.view })),
          },
          parts,
        );
  const all = await Promise.all(
    projects.map((project) => findInProject(project, { ...options, similar: similar?.question }, parts)),
  );
  if (similar === undefined) return all;
  // What was asked about is like itself.
  return all.map((found) => ({
    ...found,
    files: found.files.filter(({ root, path }) => root !== similar.root || path !== similar.path),
  }));
}

export function mergeFound(all: readonly FoundInProject[], query: ParsedQuery): Found {
  return {
    files: mergeFiles(all),
    aboveFloor: heightOf(all),
    isPartial: all.some(({ isPartial }) => isPartial),
    isGuess: all.every(({ isGuess }) => isGuess),
    passed: all.reduce((sum, { passedFiles }) => sum + passedFiles, 0),
    encoderNotes: notesOf(all),
    mended: [...new Set(all.flatMap(({ mended }) => mended))],
    isPassing: all.some(({ remote }) => remote?.isPassing === true),
    words: [...new Set([...query.phrases, ...all.flatMap((one) => one.question.words)])],
  };
}

/** Of the highest; undefined if one cannot be told, which may be near. */
function heightOf(all: readonly FoundInProject[]): number | undefined {
  let height: number | undefined;
  for (const { files, aboveFloor } of all) {
    if (files.length === 0) continue;
    if (aboveFloor === undefined) return undefined;
    height = Math.max(height ?? aboveFloor, aboveFloor);
  }
  return height;
}

function mergeFiles(all: readonly FoundInProject[]): readonly FoundFile[] {
  const [first, ...others] = all;
  // One project's files are in order.
  if (first === undefined || others.length === 0) return first?.files ?? [];
  const seen = new Set<string>();
  return all
    .flatMap(({ files }) => files)
    .sort((a, b) => b.score - a.score)
    .filter(({ root, path }) => {
      // A project inside of another one has files that are found twice.
      const absPath = `${root}/${path}`;
      if (seen.has(absPath)) return false;
      seen.add(absPath);
      return true;
    });
}

interface ProjectOptions extends FindOptions {
  /** A question made of code, in place of the query's words. */
  readonly similar: Question | undefined;
}

async function findInProject(
  project: OpenProject,
  options: ProjectOptions,
  parts: SearchParts,
): Promise<FoundInProject> {
  const { root, searcher } = project;
  const { query, similar, scores } = options;
  const weights = query.isPasted ? REPORT_WEIGHTS : options.weights;
  const { view } = searcher.ranker;
  const startedAt = parts.clock.elapsed();
  const mustHold = query.phrases.length > 0 || query.pattern !== undefined;
  const { filters } = query;
  const isChangedOnly = filters.changed || filters.branch !== undefined;
  const cached = searcher.allowed(filters, () => allowedFiles({ root, view, filters }, parts));
  const allowed = mustHold || isChangedOnly ? cached.slice() : cached;
  if (isChangedOnly) await keepChanged(allowed, { root, view, filters }, parts);
  const filteredAt = parts.clock.elapsed();
  const exact = await findExactFiles(project, allowed, options, parts);
  const passed = mustHold ? allowed.slice() : allowed;
  if (mustHold)
    for (let file = 0; file < allowed.length; file++) if (exact?.files.has(file) !== true) allowed[file] = 0;
  const lookedAt = parts.clock.elapsed();
  const asked = [query.words, ...query.filters.symbols].join(' ').trim();
  const { question, mended } =
    similar === undefined
      ? readAsked(query, asked, { view, known: knownWords(view, parts) })
      : { question: similar, mended: [] };
  // An expression means nothing but itself.
  const remote = query.pattern === undefined ? await project.remote?.ask(question.text) : undefined;
  const rare = new Set<number>();
  if (similar === undefined && exact === undefined)
    for (const file of filesHoldingRareWord(view, question)) if (allowed[file] === 1) rare.add(file);
  const ranking = searcher.ranker.rank(question, allowed, weights, {
    near: remote?.near,
    certain: exact === undefined ? [...rare] : [...exact.files.keys()],
    scores,
  });
  const matches =
    exact?.files ??
    (similar === undefined ? findSpelled({ root, ranking, question }, parts) : new Map<number, ExactMatch>());
  const holdsExact = matches.size > 0;
  // The floor does not apply to what holds the exact text or a filter's name, nor to a service's vectors, whose range is not known.
  const isJudged =
    similar === undefined &&
    !query.isPasted &&
    !holdsExact &&
    query.filters.symbols.length === 0 &&
    remote?.near === undefined;
  const names = query.filters.symbols.flatMap((name) => [name, name.split(SEPARATORS).at(-1) ?? name]);
  const shared = {
    root,
    ranking,
    question,
    weights,
    wanted: {
      names,
      hashes: names.map(hashWord),
      weights: query.filters.kinds.map(weightOf).filter((weight) => weight > 0),
    },
    words: createLineWords(question, ranking.lexical.fileRarity),
    outlineOf: searcher.outlineOf,
  };
  const files = ranking.files.map(
    (file) => new FoundFile(file, { exact: matches.get(file.file), isRare: rare.has(file.file) }, shared),
  );
  return {
    root,
    // What holds the exact text stands first; the order among the others is the ranking's.
    files: matches.size === 0 && rare.size === 0 ? files : files.sort((a, b) => b.score - a.score),
    isPartial: exact?.isComplete === false,
    isGuess: similar === undefined && !holdsExact && !holdsWords(ranking),
    aboveFloor: isJudged ? aboveFloor({ view, question, ranking, weights }) : undefined,
    ranking,
    question,
    mended,
    passed,
    allowed,
    exact,
    rare,
    passedFiles: isUnfiltered(filters) ? view.liveFiles : countOnes(passed),
    remote,
    ms: {
      filter: filteredAt - startedAt,
      exact: lookedAt - filteredAt,
      rank: parts.clock.elapsed() - lookedAt,
    },
  };
}

/** What is in quotes, an expression or the name of something is looked for as it is. */
function readAsked(
  { isPasted, phrases, pattern }: ParsedQuery,
  asked: string,
  { view, known }: { readonly view: View; readonly known: KnownWords },
): Pick<FoundInProject, 'question' | 'mended'> {
  if (isPasted) return { question: withStrongestTerms(view, readReportQuestion(asked)), mended: [] };
  const question = readQuestion(pattern?.source ?? asked);
  if (question.isSymbol || phrases.length > 0 || pattern !== undefined) return { question, mended: [] };
  const plain = withoutCourtesy(asked);
  const isKnown = question.stems.every((stem) => known.isHeld(stem));
  const { text, notes } = isKnown ? { text: plain, notes: [] } : mendTypos(plain, known);
  return { question: text === asked ? question : readQuestion(text), mended: notes };
}

function knownWords({ segments }: View, { encoder }: SearchParts): KnownWords {
  const list = new PostingList();
  return {
    isWord: (word) => encoder()?.knows(word) ?? false,
    isHeld: (stem) => segments.some(({ terms }) => terms.get(stem) >= 0),
    passages: (stem) =>
      segments.reduce((sum, { terms, chunkPostings }) => {
        const term = terms.get(stem);
        return term < 0 ? sum : sum + list.read(chunkPostings, term).size;
      }, 0),
  };
}

const MOST_READ_FOR_MESSAGE = 10;
/** Of the words of a message with values in it, so many have to be together. */
const WITH_VALUES = 0.7;
/** What many files say is no message of one. */
const MOST_SPELLING = 3;

/** Files of code that spell the question as it stands, if it reads like a message: among the best, those with nearly all its words together. */
function findSpelled(
  { root, ranking, question }: Pick<FoundInProject, 'root' | 'ranking' | 'question'>,
  { readText }: SearchParts,
): ReadonlyMap<number, ExactMatch> {
  const found = new Map<number, ExactMatch>();
  const message = messageOf(question);
  if (message === undefined) return found;
  const words = readQuestion(message);
  const best = ranking.files.slice(0, MOST_READ_FOR_MESSAGE).filter(({ facts }) => isSourceFile(facts));
  const share = hasValues(message) ? WITH_VALUES : 1;
  for (const file of filesHolding(best, words, { share, rarity: ranking.lexical.fileRarity })) {
    if (shareTogether(file, words) < share) continue;
    const text = readText(root, file.facts.path, file.facts.segment.files[file.facts.local]);
    const lines = text === undefined ? [] : linesSpelling(text.lines, message);
    if (text !== undefined && lines.length > 0) found.set(file.file, { hash: text.hash, lines });
  }
  return found.size > MOST_SPELLING ? new Map() : found;
}

/** Files that hold what has to be there as it is; undefined where the query asks for no such text. */
async function findExactFiles(
  { root, searcher }: OpenProject,
  allowed: Uint8Array,
  { query, everyMatch, signal, client }: ProjectOptions,
  parts: SearchParts,
): Promise<ExactFound | undefined> {
  const look = (phrases: readonly string[], pattern: Pattern | undefined): Promise<ExactFound> =>
    findExact(
      {
        root,
        view: searcher.ranker.view,
        allowed,
        phrases,
        pattern,
        trigrams: searcher.trigrams,
        everyMatch,
        signal,
        client,
      },
      parts,
    );
  if (query.phrases.length > 0 || query.pattern !== undefined) return look(query.phrases, query.pattern);
  // The index knows words of ASCII letters; others are looked for as they are, and do not shut out files without them.
  const foreign = query.isPasted && /[a-z]{3}/i.test(query.words) ? [] : foreignWords(query.words);
  if (foreign.length === 0) return undefined;
  return mergeExact(await Promise.all(foreign.map((word) => look([word], undefined))));
}

/** Nearly all questions are, and need no count. */
function isUnfiltered({ changed, branch, ...lists }: Filters): boolean {
  return !changed && branch === undefined && Object.values(lists).every(({ length }) => length === 0);
}

function countOnes(mask: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < mask.length; at++) count += mask[at] ?? 0;
  return count;
}

export function notesOf(all: readonly FoundInProject[]): readonly EncoderNote[] {
  return all.flatMap(({ root, remote }) => (remote?.note === undefined ? [] : [{ root, text: remote.note }]));
}

const MOST_FOREIGN_WORDS = 4;
const FOREIGN_WORD = /[\p{L}\p{N}_]{3,}/gu;
/** Two letters have no trigram, so every file is read: only where there is nothing else to go by. */
const SHORT_WORD = /[\p{L}\p{N}_]{2,}/gu;

function foreignWords(text: string): string[] {
  const wordsIn = (pattern: RegExp): string[] =>
    (text.match(pattern) ?? []).filter((word) => /[^\p{ASCII}]/u.test(word));
  const long = wordsIn(FOREIGN_WORD);
  const words = long.length > 0 || /[a-z]/i.test(text) ? long : wordsIn(SHORT_WORD);
  return [...new Set(words)].slice(0, MOST_FOREIGN_WORDS);
}

function mergeExact(all: readonly ExactFound[]): ExactFound {
  const files = new Map<number, ExactMatch>();
  for (const found of all)
    for (const [file, match] of found.files) if (!files.has(file)) files.set(file, match);
  return { files, isComplete: all.every(({ isComplete }) => isComplete) };
}

function holdsWords({ files, lexical }: Ranking): boolean {
  return files.some(
    ({ file }) =>
      (lexical.files[file] ?? 0) > 0 || (lexical.paths[file] ?? 0) > 0 || (lexical.names[file] ?? 0) > 0,
  );
}
