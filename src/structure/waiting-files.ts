/**
 * Files that no parser has read yet. What an answer would look at in them is noted, so that those few are parsed and the question is
 * asked again: what a name means is then the same as if all were parsed.
 */
import type { FileEntry } from '../storage/index.ts';
import { trigramsOf } from '../text/index.ts';
import { familyOf } from './families.ts';

export interface WaitingFiles {
  readonly count: number;
  paths(): readonly string[];
  /** An answer looks at this file. */
  want(path: string): void;
  /** It looks at all files in which a name occurs. */
  wantNaming(name: string): void;
  /** It looks at all files that may import this one. */
  wantImporting(path: string): void;
  wantAll(): void;
  /** What was noted so far. */
  wanted(): readonly string[];
  /** The same files with nothing noted. */
  renewed(): WaitingFiles;
}

/** So few are parsed without asking which of them an answer needs. */
export const FEW_WAITING = 20;

export const NONE_WAITING: WaitingFiles = {
  count: 0,
  paths: () => [],
  want: () => {},
  wantNaming: () => {},
  wantImporting: () => {},
  wantAll: () => {},
  wanted: () => [],
  renewed: () => NONE_WAITING,
};

export type WaitingFile = Pick<FileEntry, 'id' | 'path' | 'language' | 'hash' | 'plainBy'>;

export interface WaitingParts {
  readonly files: readonly WaitingFile[];
  /** By id: the runs of three characters of each, in lower case, ascending. */
  readonly trigrams: ReadonlyMap<number, Uint16Array>;
  /** Undefined for a file that is gone. */
  readonly readText: (file: WaitingFile) => string | undefined;
}

interface Finder {
  /** Files that hold all of the words, in the order of their paths. */
  holding(words: readonly string[], isFitting: (file: WaitingFile, text: string) => boolean): WaitingFile[];
}

/** Share of the files. */
const MOST = 0.6;
/** Files that stand for their folder. */
const FOR_FOLDER = /^(?:index|mod|lib|__init__|__main__)$/;
/** Folders that say nothing of what is in them. */
const PLAIN_FOLDER = /^(?:src|lib|source|sources|dist)$/;

export function createWaitingFiles(parts: WaitingParts): WaitingFiles {
  const finder = createFinder(parts);
  const byPath = new Map(parts.files.map((file) => [file.path, file]));
  const naming = new Map<string, readonly WaitingFile[]>();
  const importing = new Map<string, readonly WaitingFile[]>();

  function filesNaming(name: string): readonly WaitingFile[] {
    // What facts call a name may be several words, or one with signs around it: `A.B`, `./a`, `name=`.
    const words = wordsOf(name);
    return finder.holding(words, (_file, text) => words.every((word) => holdsWord(text, word)));
  }

  function filesImporting(path: string): readonly WaitingFile[] {
    const [stem = '', ...folders] = placeOf(path);
    const isForFolder = FOR_FOLDER.test(stem);
    const names = isForFolder ? [stem, ...folders.slice(0, 2)] : [stem];
    const found = names.flatMap((name) =>
      finder.holding(wordsOf(name), ({ language }, text) =>
        familyOf(language) === 'script' ? holdsSpecifier(text, name) : holdsWords(text, name),
      ),
    );
    if (!isForFolder) return found;
    // `from . import name`, `import '.'`
    const folder = folderPath(path);
    return [...found, ...parts.files.filter((each) => folderPath(each.path) === folder)];
  }

  function open(): WaitingFiles {
    const wanted = new Set<string>();
    const add = (files: readonly WaitingFile[]): void => {
      for (const { path } of files) wanted.add(path);
    };
    /** Then it is all of them: to look for the few that are not costs more than it saves. */
    const isMost = (): boolean => {
      if (wanted.size > parts.files.length * MOST) add(parts.files);
      return wanted.size === parts.files.length;
    };
    return {
      count: parts.files.length,
      paths: () => [...byPath.keys()],
      want(path) {
        if (byPath.has(path)) wanted.add(path);
      },
      wantNaming(name) {
        if (!isMost()) add(remembered(naming, name, filesNaming));
      },
      wantImporting(path) {
        if (!isMost()) add(remembered(importing, path, filesImporting));
      },
      wantAll: () => add(parts.files),
      wanted: () => [...wanted],
      renewed: open,
    };
  }
  return open();
}

function remembered<T>(known: Map<string, T>, key: string, find: (key: string) => T): T {
  const found = known.get(key) ?? find(key);
  known.set(key, found);
  return found;
}

/** Its name without endings, then its folders from the inside, those left out that say nothing. */
function placeOf(path: string): readonly string[] {
  const parts = path.split('/');
  const stem = (parts.pop() ?? '').replace(/^(.[^.]*)\..*$/, '$1');
  return [stem, ...parts.toReversed().filter((folder) => !PLAIN_FOLDER.test(folder))];
}

function folderPath(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

function wordsOf(name: string): readonly string[] {
  return name.match(/[\p{L}\p{N}_$]+/gu) ?? [];
}

function holdsWords(text: string, name: string): boolean {
  return wordsOf(name).every((word) => holdsWord(text, word));
}

/** Not as a part of a longer name. */
function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (!isLetter(text.charCodeAt(at - 1)) && !isLetter(text.charCodeAt(at + word.length))) return true;
  return false;
}

/** The end of a path between quotes: `'../a/name'`, `"./name.js"`. */
function holdsSpecifier(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1))
    if (/^[\w.]*\/?['"`]/.test(text.slice(at + name.length, at + name.length + MOST_ENDING))) return true;
  return false;
}

const MOST_ENDING = 24;

/** Letters of ASCII, digits and what else stands in names; all others may be signs. */
function isLetter(code: number): boolean {
  const isDigit = code >= 48 && code <= 57;
  return isDigit || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
}

const TRIGRAMS = 65_536;
/** Of files that were read for one name and may be asked for the next. */
const MOST_KEPT_CHARS = 8_000_000;

function createFinder({ files, trigrams, readText }: WaitingParts): Finder {
  const texts = new Map<number, string>();
  let chars = 0;
  const lists = files.map(({ id }) => trigrams.get(id));
  const counts = new Uint32Array(TRIGRAMS);
  for (const list of lists) for (const trigram of list ?? []) counts[trigram] = (counts[trigram] ?? 0) + 1;

  function textOf(file: WaitingFile): string {
    const known = texts.get(file.id);
    if (known !== undefined) return known;
    const text = readText(file) ?? '';
    if (chars > MOST_KEPT_CHARS) {
      texts.clear();
      chars = 0;
    }
    chars += text.length;
    texts.set(file.id, text);
    return text;
  }

  return {
    holding(words, isFitting) {
      const wanted = [...new Set(words.flatMap((word) => [...trigramsOf(word)]))];
      // The rarest first: most files are left out by it.
      wanted.sort((a, b) => (counts[a] ?? 0) - (counts[b] ?? 0));
      return files.filter((file, at) => {
        const list = lists[at];
        const mayHold = list === undefined || wanted.every((trigram) => holds(list, trigram));
        return mayHold && isFitting(file, textOf(file));
      });
    },
  };
}

function holds(sorted: Uint16Array, wanted: number): boolean {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === wanted;
}
