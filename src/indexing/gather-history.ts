/**
 * What commits say of the files of a project: the words of the subjects of those that touched a file, and their number. Secrets
 * are taken out of a subject before it is looked at; what is kept of it are hashes of its words.
 */
import { packHistory, pushSmall, unpackHistory, eachFileOf } from '../storage/index.ts';
import { identifiersIn, redactSecrets, termsOf } from '../text/index.ts';
import type { CommitChanges } from '../workspace/index.ts';

/** Counted up when the same commits would make something else. */
export const HISTORY_MAKER = 'subjects-1';

export interface GatherInput {
  /** Newest first. */
  readonly commits: Iterable<CommitChanges>;
  /** Files that count: those of the index. */
  readonly paths: readonly string[];
  /** What was gathered from commits that are older than these. */
  readonly before?: Uint8Array | undefined;
  /** Of what is made. Where it would be more, the words that most files have go. */
  readonly mostBytes: number;
}

export interface Gathered {
  /** That were looked at. */
  readonly commits: number;
  readonly packed: Uint8Array;
}

/** A commit that changes more files says nothing of each. */
const MOST_FILES = 100;

export function gatherHistory({ commits, paths, before, mostBytes }: GatherInput): Gathered {
  const files = createFileNumbers(paths);
  const words = createWordLists();
  const touches = new Uint32Array(paths.length);
  let count = 0;
  for (const { subject, changes, complete } of commits) {
    count += 1;
    const touched = new Set<number>();
    for (const { path, kind } of changes) {
      const file = kind === 'deleted' ? undefined : files.of(path);
      if (file !== undefined) touched.add(file);
    }
    for (const file of touched) touches[file] = (touches[file] ?? 0) + 1;
    files.follow(changes);
    if (complete && changes.length <= MOST_FILES) words.add(termsIn(subject), touched);
  }
  const old = before === undefined ? undefined : unpackHistory(before);
  if (old !== undefined) {
    const numbers = old.paths.map((path) => files.of(path));
    old.commits.forEach((more, at) => {
      const file = numbers[at];
      if (file !== undefined) touches[file] = (touches[file] ?? 0) + more;
    });
    for (const word of old.words)
      eachFileOf(old, word, (at, times) => {
        const file = numbers[at];
        if (file !== undefined) words.put(word, file, times);
      });
  }
  return { commits: count, packed: pack(paths, touches, words.lists, mostBytes) };
}

function termsIn(subject: string): ReadonlySet<number> {
  return new Set(
    identifiersIn(redactSecrets(subject).text)
      .flatMap(termsOf)
      .map(({ hash }) => hash),
  );
}

interface FileNumbers {
  /** The file that a path of the past belongs to; undefined if it is none that counts. */
  of(path: string): number | undefined;
  /** What was moved as it was: from here on, in commits that are older, it has its old path. */
  follow(changes: CommitChanges['changes']): void;
}

/** By commits from the newest to the oldest. */
function createFileNumbers(paths: readonly string[]): FileNumbers {
  const numbers = new Map(paths.map((path, at) => [path, at]));
  const own = new Set(paths);
  return {
    of: (path) => numbers.get(path),
    follow(changes) {
      const gone = changes.filter(({ kind, path }) => kind === 'deleted' && !own.has(path));
      if (gone.length === 0) return;
      const from = uniqueByContent(gone);
      for (const [blob, added] of uniqueByContent(changes.filter(({ kind }) => kind === 'added'))) {
        const file = added === undefined ? undefined : numbers.get(added);
        const source = from.get(blob);
        if (source !== undefined && file !== undefined) numbers.set(source, file);
      }
    },
  };
}

/** Paths; undefined where several files have the same content. */
function uniqueByContent(changes: CommitChanges['changes']): Map<string, string | undefined> {
  const found = new Map<string, string | undefined>();
  for (const { blob, path } of changes) found.set(blob, found.has(blob) ? undefined : path);
  return found;
}

type Times = ReadonlyMap<number, number>;

interface WordLists {
  add(words: ReadonlySet<number>, files: ReadonlySet<number>): void;
  put(word: number, file: number, times: number): void;
  /** How often each file has each word. */
  readonly lists: ReadonlyMap<number, Times>;
}

/** Of a word and a file. Some sixty bytes of memory each; four times what the largest history that was tried has. */
const MOST_PAIRS = 4_000_000;
/** Counts beyond say no more. */
const MOST_TIMES = 2 ** 20;

function createWordLists(): WordLists {
  const lists = new Map<number, Map<number, number>>();
  let left = MOST_PAIRS;
  const put = (word: number, file: number, times: number): void => {
    let list = lists.get(word);
    if (list === undefined) lists.set(word, (list = new Map()));
    const before = list.get(file) ?? 0;
    if (before === 0 && --left < 0) return;
    list.set(file, Math.min(MOST_TIMES, before + times));
  };
  return {
    put,
    add(words, files) {
      for (const word of words) for (const file of files) put(word, file, 1);
    },
    lists,
  };
}

function pack(
  paths: readonly string[],
  touches: Uint32Array,
  lists: ReadonlyMap<number, Times>,
  mostBytes: number,
): Uint8Array {
  const made = [...lists]
    .map(([word, times]) => ({ word, times, files: packTimes(times) }))
    .filter(({ times }) => times.size > 0)
    .toSorted((a, b) => a.times.size - b.times.size);
  // Rare words first: what is in most files says least.
  let left = mostBytes - BYTES_OF_HEAD - paths.reduce((sum, path) => sum + path.length + BYTES_PER_FILE, 0);
  const kept = made
    .filter(({ files }) => (left -= files.length + BYTES_PER_WORD) >= 0)
    .toSorted((a, b) => a.word - b.word);
  const lengths = new Uint32Array(paths.length);
  for (const { times } of kept)
    for (const [file, count] of times) lengths[file] = (lengths[file] ?? 0) + count;
  const offsets = new Uint32Array(kept.length + 1);
  kept.forEach(({ files }, at) => (offsets[at + 1] = (offsets[at] ?? 0) + files.length));
  return packHistory({
    paths,
    commits: touches,
    lengths,
    words: Uint32Array.from(kept, ({ word }) => word),
    offsets,
    files: Buffer.concat(kept.map(({ files }) => files)),
  });
}

/** Of the head and its gaps; beside a path; beside the files of a word. */
const BYTES_OF_HEAD = 40;
const BYTES_PER_FILE = 9;
const BYTES_PER_WORD = 8;

/** By file: the step from the one before, and how often. */
function packTimes(times: Times): Uint8Array {
  const bytes: number[] = [];
  let last = 0;
  for (const [file, count] of [...times].sort(([a], [b]) => a - b)) {
    pushSmall(bytes, file - last);
    pushSmall(bytes, count);
    last = file;
  }
  return Uint8Array.from(bytes);
}
