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

/** What a search can be narrowed to. */
export const SEARCH_KINDS = ['function', 'class', 'test', 'doc', 'config', 'code'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

/** How many hits an answer has by default, and at most: of an analysed one there is much to say, of a matching line little. */
export const HIT_LIMITS = {
  search: { usual: 10, most: 50 },
  analyze: { usual: 5, most: 20 },
  matches: { usual: 1_000, most: 1_000 },
} as const;

export const VISIBILITIES = ['public', 'protected', 'internal', 'private'] as const;
/** What may use it: all code, subclasses, the same package or module, or only what is around it. */
export type Visibility = (typeof VISIBILITIES)[number];

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
  /** Absent where the language has none or only a parser can tell. */
  readonly visibility?: Visibility | undefined;
}

/** How a resolved use stands there. */
export const USE_KINDS = ['call', 'type', 'import', 'inherit', 'read', 'write'] as const;
export type UseKind = (typeof USE_KINDS)[number];

/** Another file, module or package that a file names. */
export interface Import {
  /** As it is written, without quotes: `./store.js`, `pkg.store`, `crate::store::Entry`. */
  readonly specifier: string;
  /** The names taken from it, where the language lists them. */
  readonly names: readonly string[];
  readonly line: number;
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
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** A file or folder that is not in the index, and why. `path` is relative to the project's root, with forward slashes. */
export interface Skip {
  readonly path: string;
  readonly reason: SkipReason;
  /** The rule that said so: `.gitignore:3 *.log`, a size, a marker. Never file content. */
  readonly detail: string | undefined;
  /** How the file was when it was read, and by which analysis; missing for what was left out unread. */
  readonly seen?: { readonly sizeBytes: number; readonly mtimeMs: number; readonly analysis: string };
}

/** Languages whose modules are what classes are elsewhere. */
const MODULES_LIKE_CLASSES = new Set(['ruby', 'elixir']);

/** How much it says that a file defines a name, in tenths: a class says more than a constant. */
export function nameWeight(kind: DefinitionKind, language: string | undefined): number {
  switch (kind) {
    case 'class':
    case 'interface':
    case 'struct':
    case 'enum':
    case 'trait':
    case 'type':
      return 20;
    case 'module':
      return MODULES_LIKE_CLASSES.has(language ?? '') ? 20 : 4;
    case 'function':
    case 'method':
      return 10;
    case 'impl':
    case 'constant':
      return 5;
    case 'variable':
    case 'macro':
    case 'section':
      return 4;
  }
}
