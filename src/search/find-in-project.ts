/** A parsed query in one project: files with their scores, best first, and the lines to show of each. */
import { nameWeight, type Definition } from '../core/index.ts';
import type { FileEntry, Outline } from '../storage/index.ts';
import { hashWord } from '../text/index.ts';
import type { ChosenChunk, WantedDefinitions } from './rank/choose-chunk.ts';
import { findExact, type ExactFound, type ExactMatch } from './query/exact.ts';
import { FEATURES, type Weights } from './rank/features.ts';
import { aboveFloor } from './rank/floor.ts';
import { allowedFiles, fromRoot, weightOf } from './query/filters.ts';
import { FOREMOST, type EncoderNote, type Foremost, type Reason, type SearchRequest } from './show/hit.ts';
import { keepChanged } from './query/keep-changed.ts';
import { createLineWords, type LineWords } from './show/line-words.ts';
import type { Filters, ParsedQuery, Pattern } from './query/parse-query.ts';
import type { SearchParts } from './ports.ts';
import { readQuestion, SEPARATORS, type Question } from './query/question.ts';
import { filesHoldingRareWord } from './rank/rare-word.ts';
import type { RankedFile, Ranking } from './rank/rank.ts';
import type { RemoteAnswer, RemoteView } from './view/remote-source.ts';
import type { Searcher } from './searcher.ts';

export interface FoundFile {
  readonly root: string;
  readonly path: string;
  readonly language: string;
  readonly hash: string;
  readonly plainBy: number;
  readonly score: number;
  reasons(): readonly Reason[];
  /** Where its best chunk is. Only what is shown is asked for it. */
  chunk(): ChosenChunk;
  /** Lines that match exactly. */
  readonly exact: ExactMatch | undefined;
  readonly question: Question;
  /** Whether a filter asks for this definition. */
  wants(definition: Definition): boolean;
  /** Which words of the question are on a line. */
  readonly words: LineWords;
  /** What the file defines, as it was indexed. */
  outline(): Promise<Outline>;
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

const MOST_REASONS = 5;

export interface FindInput {
  readonly root: string;
  readonly searcher: Searcher;
  readonly query: ParsedQuery;
  readonly weights: Weights;
  readonly signal: AbortSignal;
  /** `own`: the scores of all files are wanted after the answer. */
  readonly scores?: 'own';
  /** A question that was made in another way than from the query's words. */
  readonly question?: Question;
  readonly remote?: RemoteView | undefined;
  readonly everyMatch?: SearchRequest['everyMatch'];
}

export async function findInProject(input: FindInput, parts: SearchParts): Promise<FoundInProject> {
  const { root, searcher, query, weights, signal } = input;
  const { ranker } = searcher;
  const startedAt = parts.clock.elapsed();
  const mustHold = query.phrases.length > 0 || query.pattern !== undefined;
  const filters = fromRoot(query.filters, root);
  const shared = searcher.allowed(filters, () => allowedFiles(ranker.view, filters, parts));
  const isNarrowed = mustHold || filters.changed || filters.branch !== undefined;
  const allowed = isNarrowed ? shared.slice() : shared;
  await keepChanged(allowed, { root, view: ranker.view, filters }, parts);
  const filteredAt = parts.clock.elapsed();
  const look = (phrases: readonly string[], pattern: Pattern | undefined): Promise<ExactFound> =>
    findExact(
      {
        root,
        view: ranker.view,
        allowed,
        phrases,
        pattern,
        trigrams: () => searcher.trigrams(),
        ...(input.everyMatch === undefined ? {} : { everyMatch: input.everyMatch }),
        signal,
      },
      parts,
    );
  // The index knows words of ASCII letters; others are looked for as they are, and do not shut out files without them.
  const foreign = mustHold ? [] : foreignWords(query.words);
  const exact = mustHold
    ? await look(query.phrases, query.pattern)
    : foreign.length > 0
      ? mergeFound(await Promise.all(foreign.map((word) => look([word], undefined))))
      : undefined;
  const passed = mustHold ? allowed.slice() : allowed;
  if (mustHold)
    for (let file = 0; file < allowed.length; file++) if (exact?.files.has(file) !== true) allowed[file] = 0;
  const lookedAt = parts.clock.elapsed();
  const asked = [query.words, ...query.filters.symbols].join(' ').trim();
  const question = input.question ?? readQuestion(query.pattern?.source ?? asked);
  // An expression means nothing but itself.
  const remote = query.pattern === undefined ? await input.remote?.ask(question.text) : undefined;
  const rare = new Set<number>();
  if (input.question === undefined && exact === undefined)
    for (const file of filesHoldingRareWord(ranker.view, question)) if (allowed[file] === 1) rare.add(file);
  const ranking = ranker.rank(question, allowed, weights, {
    near: remote?.near,
    certain: exact === undefined ? [...rare] : [...exact.files.keys()],
    ...(input.scores === undefined ? {} : { scores: input.scores }),
  });
  // What holds the exact text or the name of a filter is what was asked for; of a service's vectors it is not known what is near.
  const isJudged =
    input.question === undefined &&
    (exact?.files.size ?? 0) === 0 &&
    query.filters.symbols.length === 0 &&
    remote?.near === undefined;
  const wanted = {
    names: query.filters.symbols
      .flatMap((name) => [name, name.split(SEPARATORS).at(-1) ?? name])
      .map(hashWord),
    weights: query.filters.kinds.map(weightOf).filter((weight) => weight > 0),
  };
  const words = createLineWords(question, ranking.lexical.fileRarity);
  const common = { root, searcher, ranking, question, weights, wanted, words };
  const files = ranking.files.map(
    (file): FoundFile =>
      new Found(file, { exact: exact?.files.get(file.file), isRare: rare.has(file.file) }, common),
  );
  return {
    root,
    // What holds the exact text stands first; the order among the others is the ranking's.
    files: exact === undefined && rare.size === 0 ? files : files.sort((a, b) => b.score - a.score),
    isPartial: exact?.isComplete === false,
    isGuess: input.question === undefined && (exact?.files.size ?? 0) === 0 && !holdsWords(ranking),
    aboveFloor: isJudged ? aboveFloor({ view: ranker.view, question, ranking, weights }) : undefined,
    ranking,
    question,
    passed,
    allowed,
    exact,
    rare,
    passedFiles: isUnfiltered(filters) ? ranker.view.liveFiles : countOnes(passed),
    remote,
    ms: {
      filter: filteredAt - startedAt,
      exact: lookedAt - filteredAt,
      rank: parts.clock.elapsed() - lookedAt,
    },
  };
}

/** Nearly all questions are: they need not count. */
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

interface SharedByFound extends Pick<FindInput, 'root' | 'searcher' | 'weights'> {
  readonly ranking: Ranking;
  readonly question: Question;
  readonly wanted: WantedDefinitions;
  readonly words: LineWords;
}

/** One file of a ranking. There are many, and few are shown: what only those need is worked out when it is asked for. */
class Found implements FoundFile {
  readonly root: string;
  readonly path: string;
  readonly score: number;
  readonly exact: ExactMatch | undefined;
  readonly question: Question;
  private readonly file: RankedFile;
  private readonly foremost: Foremost | undefined;
  private readonly shared: SharedByFound;

  constructor(
    file: RankedFile,
    { exact, isRare }: { readonly exact: ExactMatch | undefined; readonly isRare: boolean },
    shared: SharedByFound,
  ) {
    this.root = shared.root;
    this.path = file.facts.path;
    this.foremost = exact !== undefined ? 'exact' : isRare ? 'rare' : undefined;
    this.score = file.score + (this.foremost === undefined ? 0 : FOREMOST[this.foremost].points);
    this.exact = exact;
    this.question = shared.question;
    this.file = file;
    this.shared = shared;
  }

  get language(): string {
    return this.entry?.language ?? '';
  }

  get hash(): string {
    return this.entry?.hash ?? '';
  }

  get plainBy(): number {
    return this.entry?.plainBy ?? 0;
  }

  get words(): LineWords {
    return this.shared.words;
  }

  reasons(): readonly Reason[] {
    return reasonsOf(this.file, this.shared.weights, this.foremost);
  }

  wants({ name, kind }: Definition): boolean {
    const { names, weights } = this.shared.wanted;
    if (names.length + weights.length === 0) return false;
    return names.includes(hashWord(name)) || weights.includes(nameWeight(kind, this.language));
  }

  chunk(): ChosenChunk {
    return this.shared.ranking.chunkOf(this.file, this.shared.wanted);
  }

  outline(): Promise<Outline> {
    return this.shared.searcher.outlineOf(this.path);
  }

  private get entry(): FileEntry | undefined {
    const { segment, local } = this.file.facts;
    return segment.files[local];
  }
}

const MOST_FOREIGN_WORDS = 4;
const FOREIGN_WORD = /[\p{L}\p{N}_]{3,}/gu;
/** They have no trigram, so that files have to be read: only where there is nothing else to go by. */
const SHORT_WORD = /[\p{L}\p{N}_]{2,}/gu;

function foreignWords(text: string): string[] {
  const wordsIn = (pattern: RegExp): string[] =>
    (text.match(pattern) ?? []).filter((word) => /[^\p{ASCII}]/u.test(word));
  const long = wordsIn(FOREIGN_WORD);
  const words = long.length > 0 || /[a-z]/i.test(text) ? long : wordsIn(SHORT_WORD);
  return [...new Set(words)].slice(0, MOST_FOREIGN_WORDS);
}

function mergeFound(all: readonly ExactFound[]): ExactFound {
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

function reasonsOf(file: RankedFile, weights: Weights, foremost: Foremost | undefined): Reason[] {
  const reasons: Reason[] = [];
  FEATURES.forEach((feature, at) => {
    const points = Math.round(file.feature(at) * weights[feature] * 100) / 100;
    if (points !== 0) addReason(reasons, { feature, points });
  });
  if (foremost !== undefined) addReason(reasons, { feature: foremost, points: FOREMOST[foremost].points });
  return reasons;
}

/** The heaviest first; of equal ones the earlier. */
function addReason(reasons: Reason[], reason: Reason): void {
  const weight = Math.abs(reason.points);
  let at = reasons.length;
  while (at > 0 && Math.abs(reasons[at - 1]?.points ?? 0) < weight) at -= 1;
  if (at >= MOST_REASONS) return;
  if (reasons.length === MOST_REASONS) reasons.pop();
  reasons.splice(at, 0, reason);
}
