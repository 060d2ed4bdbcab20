/** What the indexer and a thread that reads for it say to each other. */
import type { FileRead, FileToRead, ReadOptions } from './read-file.ts';

/** With which it starts. It serves only if it makes the same rows as the one who asks. */
export interface ReaderData extends ReadOptions {
  readonly analysis: string;
}

export interface ReadRequest {
  readonly files: readonly FileToRead[];
}

/** One per file, in the order they were asked for. */
export interface ReadReply {
  readonly reads: readonly FileRead[];
}
