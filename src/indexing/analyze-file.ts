/** From the bytes of a file to what the index keeps of it. The same bytes under the same path give the same rows. */
import { type Definition, nameWeight, once, type SkipReason } from '../core/index.ts';
import type { StaticEncoder } from '../embedding/index.ts';
import { openWordKernel } from '../kernel/index.ts';
import { type LanguageId, languageOf, outline } from '../languages/index.ts';
import { type PackedFile, renderOutline } from '../storage/index.ts';
import { decodeText, redactSecrets, splitLines } from '../text/index.ts';
import { classifyContent } from '../workspace/index.ts';
import { CHUNK_LIMITS, isBlankLine, placeChunks } from './chunk.ts';

export type Opened =
  | { readonly kind: 'text'; readonly file: ReadText }
  | { readonly kind: 'skip'; readonly reason: SkipReason; readonly detail: string | undefined };

export interface OpenOptions {
  /** Empty means every one. */
  readonly languages: readonly string[];
  /** Named by the user's own include rules: only what cannot be read as text is left out then. */
  readonly isAskedFor?: boolean;
}

/** A file as everything is made of it: decoded, without secrets. */
export interface ReadText {
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
  /** Whether the bytes are the text as it is: nothing was taken out, and no line break or mark was changed. */
  readonly isPlain: boolean;
  readonly language: LanguageId | undefined;
  /** The fast outline, made on first use: with a parser few files need it. */
  readonly outline: () => readonly Definition[];
}

export interface Analyzer {
  /** Names all that its rows depend on besides path and bytes. */
  readonly id: string;
  open(path: string, bytes: Uint8Array, options: OpenOptions): Opened;
  /** The same of a file that is known to be indexed. */
  read(path: string, bytes: Uint8Array): ReadText;
  /** By the definitions of its outline, or by those that a parser found. */
  rows(file: ReadText, definitions: readonly Definition[]): PackedFile;
}

/** Counts lines that are not blank, up to this many. */
const MOST_SOLID_LINES = 255;
/** Files of no known language are indexed as plain text. */
const PLAIN = 'text';
/** Increased whenever the same bytes would give other rows: redaction, outline, chunks, words, or how they are packed. */
export const ROWS_VERSION = 6;

export function createAnalyzer(encoder: StaticEncoder | undefined): Analyzer {
  // One for many files: words that were seen are not taken apart again.
  const kernelOf = once(() => encoder?.kernel ?? openWordKernel());

  function rows(
    { path, text, lines, isPlain, language }: ReadText,
    definitions: readonly Definition[],
  ): PackedFile {
    const { stem, folder, folders } = pathWords(path);
    const chunks = placeChunks(lines, definitions, CHUNK_LIMITS);
    const kernel = kernelOf();
    const { terms, vectors } = kernel.packFile({
      text,
      chunks,
      names: definitions.map(({ name, kind, startLine, endLine }) => ({
        name,
        weight: nameWeight(kind, language),
        startLine,
        endLine,
      })),
      solidLines: solidLinesOf(lines),
      stem,
      folders: folders.join(' '),
      // Where a file is counts twice in each of its parts.
      own: `${folder} ${stem}`,
      place: [...folders.slice(-2), stem].join(' '),
    });
    return {
      language: language ?? PLAIN,
      lines: lines.length,
      plainBy: isPlain ? ROWS_VERSION : 0,
      chunks: chunks.length,
      definitions: definitions.length,
      outline: renderOutline(definitions),
      terms,
      trigrams: kernel.packTrigrams(text),
      vectors:
        encoder === undefined || vectors === undefined
          ? undefined
          : { model: encoder.id, dimensions: encoder.dimensions, packed: vectors },
    };
  }

  return {
    id: `${ROWS_VERSION} ${encoder?.id ?? 'none'}`,
    open: openText,
    read: readText,
    rows,
  };
}

function solidLinesOf(lines: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < lines.length && count < MOST_SOLID_LINES; at++)
    if (!isBlankLine(lines[at] ?? '')) count += 1;
  return count;
}

function openText(path: string, bytes: Uint8Array, { languages, isAskedFor = false }: OpenOptions): Opened {
  const judged = classifyContent(bytes, path);
  const isKept = isAskedFor && judged?.reason !== 'binary';
  if (judged !== undefined && !isKept) return { kind: 'skip', reason: judged.reason, detail: judged.detail };
  const file = readText(path, bytes);
  const language = file.language ?? PLAIN;
  if (languages.length > 0 && !languages.includes(language))
    return { kind: 'skip', reason: 'other_language', detail: language };
  return { kind: 'text', file };
}

function readText(path: string, bytes: Uint8Array): ReadText {
  // Secrets go before anything is made of the text: what was never there cannot leak.
  const { text } = redactSecrets(decodeText(bytes).text);
  const lines = splitLines(text);
  const language = languageOf(path, lines[0]);
  const isPlain = Buffer.from(text).equals(bytes);
  return { path, text, lines, isPlain, language, outline: once(() => outline(language, lines)) };
}

export interface PathWords {
  /** The name without its ending. */
  readonly stem: string;
  /** The folder it is in; empty at the root. */
  readonly folder: string;
  /** The nearest folders, at most three. */
  readonly folders: readonly string[];
}

export function pathWords(path: string): PathWords {
  const parts = path.split('/');
  const stem = parts.at(-1)?.replace(/(.)\.[^.]*$/, '$1') ?? '';
  return { stem, folder: parts.at(-2) ?? '', folders: parts.slice(-4, -1) };
}
