/** What goes into the exact pass and what comes out of it. */
import type { Definition, Import, LineRange, Reference } from '../../core/index.ts';

export interface ParseRequest {
  /** Relative to the project's root; only to name the file in the answer. */
  readonly path: string;
  readonly language: string;
  /** Decoded, and without secrets: whatever is found in it may be stored. */
  readonly text: string;
  /** References and imports are left out: what nobody keeps need not be sent. */
  readonly only?: 'definitions' | undefined;
}

export interface FoundInFile {
  /** Ordered by first line; what holds others comes before them. */
  readonly definitions: readonly Definition[];
  /** Names that are used, defined here or elsewhere. */
  readonly references: readonly Reference[];
  readonly imports: readonly Import[];
  /** Share of the text that the grammar could not read, 0 to 1. */
  readonly errorShare: number;
  /** The lines around what could not be read; definitions there may be missing. */
  readonly errors: readonly LineRange[];
}

export interface ParsedFile extends FoundInFile {
  readonly path: string;
  readonly kind: 'parsed';
}

export const PARSE_FAILURES = [
  'crashed',
  'timed out',
  'out of memory',
  'answer refused',
  'grammar missing',
  'grammar damaged',
  'no grammar',
  'parser does not start',
] as const;
/** Never file content: it is shown beside the path as the detail of `parser_failed`. */
export type ParseFailure = (typeof PARSE_FAILURES)[number];

export interface FailedFile {
  readonly path: string;
  readonly kind: 'failed';
  readonly reason: 'parser_failed';
  readonly detail: ParseFailure;
}

export type ParseOutcome = ParsedFile | FailedFile;
