/** What every format of configuration file can do: be read, take one entry, lose one entry. Text in, text out. */

export type EntryValue = string | number | boolean | readonly EntryValue[] | Entry;
export interface Entry {
  readonly [key: string]: EntryValue;
}

/** One entry of a file: `['mcpServers', 'waymark']`. */
export type EntryPath = readonly [string, ...string[]];

export interface EntryPlace {
  readonly path: EntryPath;
  /** The file's name in errors. */
  readonly file: string;
}

/** Texts come without a byte order mark and are never blank. What cannot be parsed is a `bad_config` with line and column. */
export interface DocumentFormat {
  parse(text: string, file: string): unknown;
  /** The text with the entry in it, new or in place of the one that was there; nothing else changes. */
  put(text: string, place: EntryPlace, entry: Entry): string;
  /** The text without the entry. */
  drop(text: string, place: EntryPlace): string;
  /** A whole file with nothing but the entry in it. */
  fresh(path: EntryPath, entry: Entry): string;
}
