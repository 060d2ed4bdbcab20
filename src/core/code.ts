/** Words for what is in a repository: files, lines, definitions, chunks, and why a file was left out. */

/** 1-based, both ends included. */
export interface LineRange {
  readonly startLine: number;
  readonly endLine: number;
}

export const DEFINITION_KINDS = [
  'function',
  'method',
  'class',
  'interface',
  'struct',
  'enum',
  'trait',
  'type',
  'module',
  'impl',
  'constant',
  'variable',
  'macro',
  'section',
] as const;
export type DefinitionKind = (typeof DEFINITION_KINDS)[number];

/** Something with a name in a file. */
export interface Definition extends LineRange {
  readonly name: string;
  readonly kind: DefinitionKind;
  /** The name of what it is defined in. */
  readonly container: string | undefined;
  /** The declaration up to its body, on one line, at most 200 characters. */
  readonly signature: string;
  /** The first sentence of its documentation. */
  readonly doc: string | undefined;
}

/** A piece of a file that is found and shown as one. Whole lines, never half of one. */
export interface Chunk extends LineRange {
  readonly text: string;
}

export const SKIP_REASONS = [
  'ignored',
  'excluded_by_default',
  'excluded_by_config',
  'not_included',
  'other_language',
  'too_large',
  'too_many_files',
  'binary',
  'generated',
  'minified',
  'lock_file',
  'secret_file',
  'symlink',
  'not_regular',
  'unreadable',
  'undecodable_name',
  'changed_while_read',
  'parser_failed',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** A file or folder that is not in the index, and why. `path` is relative to the project's root, with forward slashes. */
export interface Skip {
  readonly path: string;
  readonly reason: SkipReason;
  /** The rule that said so: `.gitignore:3 *.log`, a size, a marker. Never file content. */
  readonly detail: string | undefined;
}
