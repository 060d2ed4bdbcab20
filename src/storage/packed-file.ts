/** The rows of a file, ready to be written: packed where they were made, because that may be another thread. */
import type { Definition } from '../core/index.ts';
import { ByteWriter } from './byte-stream.ts';
import { packTerms, packVectors, type FileTerms, type FileVectors } from './file-content.ts';
import { renderOutline } from './outline-text.ts';

/** What an analysis makes of a file. */
export interface FileContent {
  readonly language: string;
  readonly lines: number;
  /** Which rules found its bytes to be its text as it is shown, with nothing to take out; 0 if none did. */
  readonly plainBy: number;
  readonly definitions: readonly Definition[];
  readonly terms: FileTerms;
  /** Hashes of its runs of three characters, ascending: what tells which files may hold a piece of text. */
  readonly trigrams: Uint16Array;
  /** Left out without an encoder. */
  readonly vectors: FileVectors | undefined;
}

export interface PackedFile extends Pick<FileContent, 'language' | 'lines' | 'plainBy'> {
  /** How many it has. */
  readonly chunks: number;
  readonly definitions: number;
  /** Undefined without definitions. */
  readonly outline: string | undefined;
  readonly terms: Uint8Array;
  readonly trigrams: Uint8Array;
  readonly vectors: (Pick<FileVectors, 'model' | 'dimensions'> & { readonly packed: Uint8Array }) | undefined;
}

export function packFile(content: FileContent): PackedFile {
  const { language, lines, plainBy, definitions, terms, trigrams, vectors } = content;
  const runs = new ByteWriter();
  runs.ascending(trigrams);
  return {
    language,
    lines,
    plainBy,
    chunks: terms.chunks.length,
    definitions: definitions.length,
    outline: renderOutline(definitions),
    terms: packTerms(terms),
    trigrams: runs.done(),
    vectors:
      vectors === undefined
        ? undefined
        : { model: vectors.model, dimensions: vectors.dimensions, packed: packVectors(vectors) },
  };
}
