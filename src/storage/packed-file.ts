/** The rows of a file, ready to be written: packed where they were made, because that may be another thread. */
import type { FileVectors } from './file-vectors.ts';

export interface PackedFile {
  readonly language: string;
  readonly lines: number;
  /** Which rules found its bytes to be its text as it is shown, with nothing to take out; 0 if none did. */
  readonly plainBy: number;
  /** How many it has. */
  readonly chunks: number;
  readonly definitions: number;
  /** Undefined without definitions. */
  readonly outline: string | undefined;
  /** As kernel/file.ts packs them. */
  readonly terms: Uint8Array;
  /** Hashes of its runs of three characters, ascending: what tells which files may hold a piece of text. */
  readonly trigrams: Uint8Array;
  /** Left out without an encoder. */
  readonly vectors: (Pick<FileVectors, 'model' | 'dimensions'> & { readonly packed: Uint8Array }) | undefined;
}
