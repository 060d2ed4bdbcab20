/** What ranking asks of a file again and again, worked out when it is first a candidate. */
import { splitIdentifier } from '../../text/index.ts';
import { flagsIn, folderFlags, type FolderFlags } from './path-flags.ts';
import type { PathVocabulary } from './path-vocabulary.ts';
import type { PlacedSegment, View } from './view.ts';

export interface FileFacts {
  readonly segment: PlacedSegment;
  /** Its number in the segment. */
  readonly local: number;
  readonly path: string;
  /** Files of one folder share it. From 0, in the order in which they were first seen. */
  readonly folder: number;
  readonly depth: number;
  /** A test, an example or somebody else's code. */
  readonly isSpecial: boolean;
  readonly isCompat: boolean;
  readonly isHeader: boolean;
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
export function createFileFacts(view: View, words: PathVocabulary): FileFactsReader {
  const known = new Array<FileFacts | undefined>(view.fileCount);
  const folders = new Map<string, Folder>();
  let paths: Set<string> | undefined;
  const hasPath = (path: string): boolean =>
    (paths ??= new Set(view.segments.flatMap(({ files }) => files.map((file) => file.path)))).has(path);
  const folderOf = (folder: string): Folder => {
    const found = folders.get(folder);
    if (found !== undefined) return found;
    const flags = folderFlags(folder);
    const near = flags.parts.slice(-NEAREST_FOLDERS).flatMap(wordsIn).map(words.numberOf);
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
    const stemWords = new Set(wordsIn(own).map(words.numberOf));
    const pathWords = new Set([...stemWords, ...folder.words]);
    const firstWord = words.list([...pathWords]);
    const { test, example, vendored, compat, header } = flagsIn(folder.flags, fileName, hasPath);
    const { offsets, termOffsets } = segment.names;
    return {
      segment,
      local,
      path,
      folder: folder.number,
      depth: parts.length,
      isSpecial: test || example || vendored,
      isCompat: compat,
      isHeader: header,
      firstTerm: termOffsets[offsets[local] ?? 0] ?? 0,
      termEnd: termOffsets[offsets[local + 1] ?? 0] ?? 0,
      firstWord,
      stemEnd: firstWord + stemWords.size,
      wordEnd: firstWord + pathWords.size,
    };
  };
  return { of: (file) => (known[file] ??= read(file)) };
}

function wordsIn(name: string): string[] {
  return name.split(/[^A-Za-z0-9]+/).flatMap((part) => splitIdentifier(part));
}

export function segmentOf(view: View, file: number): PlacedSegment {
  let found = view.segments[0];
  for (const segment of view.segments) if (segment.firstFile <= file) found = segment;
  if (found === undefined) throw new RangeError('A view without segments has no files.');
  return found;
}
