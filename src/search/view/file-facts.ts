/** What ranking knows of a file before a question: its path's words and flags, its neighbours, its spans. */
import { createDotTable, type StaticEncoder } from '../../embedding/index.ts';
import { partsIn, type Part } from '../../text/index.ts';
import { GrowingNumbers, spanOf } from './segment.ts';
import type { PlacedSegment, View } from './view.ts';

export interface PathFlags {
  readonly test: boolean;
  readonly example: boolean;
  readonly vendored: boolean;
  readonly compat: boolean;
  readonly header: boolean;
}

const words = (...names: readonly string[]): RegExp => new RegExp(`^(?:${names.join('|')})$`, 'i');

const TEST_FILE =
  /^test_|_tests?\.[^.]+$|[a-z0-9]Tests?\.[^.]+$|_spec\.[^.]+$|[.-](?:test|spec|bench)\.[^.]+$|[a-z0-9](?:Spec|Suite|TestCase)\.[^.]+$|^test[-_]?helpers?\b|^conftest\.py$|^tests?\.[^.]+$/;
const TEST_FOLDER =
  /^(?:tests?|__tests__|__mocks__|specs?|test-.+|.+-tests?|e2e|integration-tests?|fixtures?|testdata|testlib|mocks?|stubs?)$|[a-z]Tests?$/;
const TOP_TEST_FOLDER = words('testing', 'integration', 'qa');
const EXAMPLE_FOLDER = words(
  'examples?',
  'samples?',
  'demos?',
  'docs',
  'docs?_src',
  'documentation',
  'playgrounds?',
  'tutorials?',
  'benchmarks?',
  'bench',
  'benches',
  'fuzz',
  'sandbox',
);
const TOP_EXAMPLE_FOLDER = words(
  'doc',
  'perf',
  'guides?',
  'website',
  'www',
  'site',
  'scripts?',
  'tools?',
  'hack',
  'ci',
  '\\..+',
  'contrib',
  'starters?',
  'snippets?',
);
const VENDORED_FOLDER = words(
  'vendor(?:ed)?',
  'third_party',
  '_vendor',
  'single_include',
  'bundled',
  '__generated__',
);
const TOP_VENDORED_FOLDER = words('external', 'extern', 'deps', 'generated', 'gen');
const VENDORED_FILE =
  /\.min\.[^.]+$|_generated\.[^.]+$|\.pb\.[^.]+$|_pb2\.[^.]+$|\.g\.[^.]+$|\.Designer\.cs$/;
/** Prose about what was, and about who: it holds every word there is. */
const RECORD_FILE =
  /^(?:change(?:s|log)|history|news|release(?:s|[-_]?notes)?|authors|contributors|licen[cs]e)(?:[-_][^.]*)?(?:\.(?:md|markdown|rst|txt|adoc))?$/i;
const COMPAT = /^_?(?:compat|legacy|deprecated|shims?|polyfills?)(?:\..*)?$/i;
const HEADER = /\.(?:h|hpp|hh|pyi)$/;
const GENERATION_FOLDER = /^v\d+$/;

/** `hasPath` tells whether another file of the project has that path. */
export function pathFlags(path: string, hasPath: (path: string) => boolean): PathFlags {
  const end = path.lastIndexOf('/');
  return flagsIn(folderFlags(path.slice(0, Math.max(0, end))), path.slice(end + 1), hasPath);
}

/** What a folder says of the files in it: most have several. */
export interface FolderFlags extends Omit<PathFlags, 'header'> {
  /** From the top, empty for the top itself. */
  readonly parts: readonly string[];
  /** Whether a folder on the way is named after a generation. */
  readonly hasGeneration: boolean;
}

export function folderFlags(folder: string): FolderFlags {
  const parts = folder === '' ? [] : folder.split('/');
  const top = parts[0] ?? '';
  const some = (pattern: RegExp): boolean => parts.some((part) => pattern.test(part));
  return {
    parts,
    test: some(TEST_FOLDER) || TOP_TEST_FOLDER.test(top),
    example: some(EXAMPLE_FOLDER) || TOP_EXAMPLE_FOLDER.test(top),
    vendored: some(VENDORED_FOLDER) || TOP_VENDORED_FOLDER.test(top),
    compat: some(COMPAT),
    hasGeneration: some(GENERATION_FOLDER),
  };
}

/** The same for a file of the folder, by its name. */
export function flagsIn(folder: FolderFlags, file: string, hasPath: (path: string) => boolean): PathFlags {
  return {
    test: folder.test || TEST_FILE.test(file),
    example: folder.example || RECORD_FILE.test(file),
    vendored: folder.vendored || VENDORED_FILE.test(file),
    compat:
      folder.compat ||
      COMPAT.test(file) ||
      (folder.hasGeneration && isOldTwin([...folder.parts, file], hasPath)),
    header: HEADER.test(file),
  };
}

/** `lib/v3/parse.ts` beside `lib/parse.ts`. */
function isOldTwin(parts: readonly string[], hasPath: (path: string) => boolean): boolean {
  return parts.some(
    (part, at) =>
      at < parts.length - 1 &&
      GENERATION_FOLDER.test(part) &&
      hasPath(parts.filter((_, other) => other !== at).join('/')),
  );
}

export interface FileFacts {
  /** Its number in the view. */
  readonly number: number;
  readonly segment: PlacedSegment;
  /** Its number in the segment. */
  readonly local: number;
  readonly path: string;
  /** Files of one folder share it. From 0, in the order in which they were first seen. */
  readonly folder: number;
  readonly depth: number;
  /** A test, an example or vendored code. */
  readonly isSpecial: boolean;
  readonly isCompat: boolean;
  readonly isHeader: boolean;
  /** Otherwise prose, configuration or markup. */
  readonly isCode: boolean;
  /** Its chunks in the segment. */
  readonly chunkStart: number;
  readonly chunkEnd: number;
  /** Its definitions among the segment's names. */
  readonly nameStart: number;
  readonly nameEnd: number;
  /** The files it refers to among the segment's references. */
  readonly referenceStart: number;
  readonly referenceEnd: number;
  /** Where the terms of the names it defines begin in its segment's, and where they end. */
  readonly firstTerm: number;
  readonly termEnd: number;
  /** Where the words of its path begin in the vocabulary's list: those of the name, or of the folder where the name says nothing. */
  readonly firstWord: number;
  /** Behind those; from here on the words of the nearest folders follow that are not among them. */
  readonly stemEnd: number;
  readonly wordEnd: number;
}

export interface FileFactsReader {
  of(file: number): FileFacts;
}

/** Names that say what a file is for its folder, not what it is about. */
const EMPTY_NAMES = new Set(['index', 'mod', 'init', '__init__', 'main', 'lib', 'package', 'default']);
const NEAREST_FOLDERS = 3;

/** What the files of a folder have in common. */
interface Folder {
  readonly number: number;
  readonly flags: FolderFlags;
  /** Of the folder itself and of those around it, the outermost first. */
  readonly words: readonly number[];
}

/** One per view: file numbers belong to it. */
export function createFileFacts(
  view: View,
  words: PathVocabulary,
  isCode: (language: string) => boolean,
): FileFactsReader {
  const known = new Array<FileFacts | undefined>(view.fileCount);
  const folders = new Map<string, Folder>();
  let paths: Set<string> | undefined;
  const hasPath = (path: string): boolean =>
    (paths ??= new Set(view.segments.flatMap(({ files }) => files.map((file) => file.path)))).has(path);
  const folderOf = (folder: string): Folder => {
    const found = folders.get(folder);
    if (found !== undefined) return found;
    const flags = folderFlags(folder);
    const near = flags.parts.slice(-NEAREST_FOLDERS).flatMap(partsIn).map(words.numberOf);
    const made = { number: folders.size, flags, words: near };
    folders.set(folder, made);
    return made;
  };
  const read = (file: number): FileFacts => {
    const segment = segmentOf(view, file);
    const local = file - segment.firstFile;
    const path = segment.files[local]?.path ?? '';
    const end = path.lastIndexOf('/');
    const folder = folderOf(path.slice(0, Math.max(0, end)));
    const fileName = path.slice(end + 1);
    const name = fileName.replace(/(.)\.[^.]*$/, '$1');
    const { parts } = folder.flags;
    const own = EMPTY_NAMES.has(name.toLowerCase()) ? (parts.at(-1) ?? name) : name;
    const stemWords = new Set(partsIn(own).map(words.numberOf));
    const pathWords = new Set([...stemWords, ...folder.words]);
    const firstWord = words.list([...pathWords]);
    const { test, example, vendored, compat, header } = flagsIn(folder.flags, fileName, hasPath);
    const { offsets, termOffsets } = segment.names;
    const chunks = spanOf(segment.chunkOffsets, local);
    const names = spanOf(offsets, local);
    const references = spanOf(segment.referenceOffsets, local);
    return {
      number: file,
      segment,
      local,
      path,
      folder: folder.number,
      depth: parts.length,
      isSpecial: test || example || vendored,
      isCompat: compat,
      isHeader: header,
      isCode: isCode(segment.files[local]?.language ?? ''),
      chunkStart: chunks.start,
      chunkEnd: chunks.end,
      nameStart: names.start,
      nameEnd: names.end,
      referenceStart: references.start,
      referenceEnd: references.end,
      firstTerm: termOffsets[names.start] ?? 0,
      termEnd: termOffsets[names.end] ?? 0,
      firstWord,
      stemEnd: firstWord + stemWords.size,
      wordEnd: firstWord + pathWords.size,
    };
  };
  return { of: (file) => (known[file] ??= read(file)) };
}

export function segmentOf(view: View, file: number): PlacedSegment {
  let found = view.segments[0];
  for (const segment of view.segments) if (segment.firstFile <= file) found = segment;
  if (found === undefined) throw new RangeError('A view without segments has no files.');
  return found;
}

export interface PathVocabulary {
  /** From 0, in the order in which they were first seen. */
  numberOf(part: Part): number;
  /** Puts the words of one path behind those of the others, so that what is compared lies together; where they begin. */
  list(numbers: readonly number[]): number;
  /** The words of all paths, until more are put there. */
  listed(): Uint32Array;
  readonly count: number;
  wordAt(number: number): string;
  /** Words of one stem share its number; -1 where no word has it. By the stem's hash. */
  stemNumberOf(stem: number): number;
  stemAt(number: number): number;
  /** As `headOf` has it. */
  headAt(number: number): number;
  /** How near in meaning a word is to each of the first `count` numbered ones, into `out`; zeros without a model. */
  nearness(word: string, numbers: Uint32Array, count: number, out: Float32Array): void;
}

const HEAD = 3;
/** The same words are asked for again and again, and most are in one question only. */
const MOST_ASKED = 256;

export function createPathVocabulary(encoder: StaticEncoder | undefined): PathVocabulary {
  const rows = encoder === undefined ? undefined : createDotTable(encoder.dimensions);
  const numbers = new Map<string, number>();
  const stemNumbers = new Map<number, number>();
  const words: string[] = [];
  const stems: number[] = [];
  const heads: number[] = [];
  const asked = new Map<string, Float32Array>();
  const listed = new GrowingNumbers();

  function add({ word, hash }: Part): number {
    // First: a word must not have a number without a row.
    if (encoder !== undefined) rows?.add(encoder.encode(word));
    const stemNumber = stemNumbers.get(hash) ?? stemNumbers.size;
    stemNumbers.set(hash, stemNumber);
    const number = words.push(word) - 1;
    stems.push(stemNumber);
    heads.push(headOf(word));
    numbers.set(word, number);
    return number;
  }

  function vectorOf(word: string, { encode }: StaticEncoder): Float32Array {
    const known = asked.get(word);
    if (known !== undefined) return known;
    if (asked.size >= MOST_ASKED) asked.clear();
    const made = encode(word);
    asked.set(word, made);
    return made;
  }

  return {
    numberOf: (part) => numbers.get(part.word) ?? add(part),
    list(some) {
      const first = listed.length;
      for (const number of some) listed.push(number);
      return first;
    },
    listed: () => listed.view(),
    get count() {
      return words.length;
    },
    wordAt: (number) => words[number] ?? '',
    stemNumberOf: (stem) => stemNumbers.get(stem) ?? -1,
    stemAt: (number) => stems[number] ?? -1,
    headAt: (number) => heads[number] ?? -1,
    nearness(word, some, count, out) {
      if (encoder === undefined || rows === undefined) out.fill(0, 0, count);
      else rows.dots(vectorOf(word, encoder), some, count, out);
    },
  };
}

/** Two words that begin alike have the same; -1 for one too short to begin like another. */
export function headOf(word: string): number {
  if (word.length < HEAD) return -1;
  return (word.charCodeAt(0) * 31 + word.charCodeAt(1)) * 31 + word.charCodeAt(2);
}

export function createFileNames(view: View): (name: string) => readonly number[] {
  let byName: Map<string, number[]> | undefined;
  const load = (): Map<string, number[]> => {
    const names = new Map<string, number[]>();
    for (const { files, firstFile } of view.segments) {
      files.forEach(({ path }, at) => {
        const name = bare(path.slice(path.lastIndexOf('/') + 1).replace(/(.)\.[^.]*$/, '$1'));
        const list = names.get(name);
        if (list === undefined) names.set(name, [firstFile + at]);
        else list.push(firstFile + at);
      });
    }
    return names;
  };
  return (name) => (byName ??= load()).get(bare(name)) ?? [];
}

function bare(name: string): string {
  return name.replaceAll(/[_.-]/g, '').toLowerCase();
}
