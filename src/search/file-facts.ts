/** What ranking asks of a file again and again, worked out when it is first a candidate. */
import type { StaticEncoder } from '../embedding/index.ts';
import { splitIdentifier, stem } from '../text/index.ts';
import { pathFlags, type PathFlags } from './path-flags.ts';
import type { PlacedSegment, View } from './view.ts';

export interface FileFacts {
  readonly segment: PlacedSegment;
  /** Its number in the segment. */
  readonly local: number;
  readonly path: string;
  readonly folder: string;
  readonly depth: number;
  readonly flags: PathFlags;
  /** Words of the name; of the folder, where the name says nothing. */
  readonly stemWords: readonly PathWord[];
  /** Those and the words of the nearest folders. */
  readonly pathWords: readonly PathWord[];
}

export interface PathWord {
  /** From 0, in the order in which they were first seen. */
  readonly number: number;
  readonly word: string;
  readonly stem: string;
  readonly vector: Float32Array | undefined;
}

export interface FileFactsReader {
  of(file: number): FileFacts;
}

/** Names that say what a file is for its folder, not what it is about. */
const EMPTY_NAMES = new Set(['index', 'mod', 'init', '__init__', 'main', 'lib', 'package', 'default']);
const NEAREST_FOLDERS = 3;

/** One per view: file numbers belong to it. */
export function createFileFacts(view: View, encoder: StaticEncoder | undefined): FileFactsReader {
  const known = new Map<number, FileFacts>();
  const words = new Map<string, PathWord>();
  let paths: Set<string> | undefined;
  const hasPath = (path: string): boolean =>
    (paths ??= new Set(view.segments.flatMap(({ files }) => files.map((file) => file.path)))).has(path);
  const wordOf = (word: string): PathWord => {
    const found = words.get(word);
    if (found !== undefined) return found;
    const made = { number: words.size, word, stem: stem(word), vector: encoder?.encode(word) };
    words.set(word, made);
    return made;
  };
  return {
    of(file) {
      const found = known.get(file);
      if (found !== undefined) return found;
      const segment = segmentOf(view, file);
      const path = segment.files[file - segment.firstFile]?.path ?? '';
      const parts = path.split('/');
      const name = (parts.at(-1) ?? '').replace(/(.)\.[^.]*$/, '$1');
      const folders = parts.slice(0, -1);
      const own = EMPTY_NAMES.has(name.toLowerCase()) ? (folders.at(-1) ?? name) : name;
      const stemWords = wordsIn(own).map(wordOf);
      const near = folders.slice(-NEAREST_FOLDERS).flatMap(wordsIn).map(wordOf);
      const facts: FileFacts = {
        segment,
        local: file - segment.firstFile,
        path,
        folder: folders.join('/'),
        depth: folders.length,
        flags: pathFlags(path, hasPath),
        stemWords,
        pathWords: [...new Set([...stemWords, ...near])],
      };
      known.set(file, facts);
      return facts;
    },
  };
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
