/** Reads the files of a project: those to index, ahead of the work and in threads where it pays, and the lines that an answer shows. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { createTimeSlice, type Clock, type Definition, type Skip } from '../core/index.ts';
import { coreCount, packageFile, startThread, type Thread } from '../platform/index.ts';
import type { ManifestEntry, PackedFile, ParseNote } from '../storage/index.ts';
import { decodeText, redactSecrets, TextLines } from '../text/index.ts';
import { readSource, type SourceStat, fileStamp } from '../workspace/index.ts';
import { type Analyzer, type ReadText, ROWS_VERSION } from './analyze-file.ts';

/** Larger files are data, which no answer shows. */
export const MAX_FILE_BYTES = 1024 * 1024;

export interface ListedFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** A rule of the user names it: it is wanted even if it is generated or minified. */
  readonly isAskedFor?: boolean;
}

/** What a reading thread starts with. It serves only if it makes the same rows as this thread. */
export interface ReaderData extends ReadOptions {
  readonly analysis: string;
}

export interface ReadRequest {
  readonly files: readonly FileToRead[];
}

/** One per file, in the order of the request. */
export interface ReadReply {
  readonly reads: readonly FileRead[];
}

export interface FileToRead extends ListedFile {
  /** Digest of the bytes whose rows are in the index, made in the way they would be made now. */
  readonly knownHash?: string | undefined;
}

export type FileRead =
  | { readonly kind: 'skip'; readonly skip: Skip }
  | { readonly kind: 'known'; readonly entry: ManifestEntry }
  | {
      readonly kind: 'read';
      readonly entry: ManifestEntry;
      readonly content: PackedFile;
      /** What a parser found, where one ran at once. */
      readonly note?: ParseNote;
      readonly facts?: Uint8Array | undefined;
    };

/** Read, but not yet made into rows. */
export interface OpenFile {
  readonly kind: 'open';
  readonly entry: ManifestEntry;
  readonly text: ReadText;
}

type SkippedFile = Extract<FileRead, { readonly kind: 'skip' }>;

export interface ReadOptions {
  readonly root: string;
  /** Empty means every one. */
  readonly languages: readonly string[];
}

/** The time of an entry that has to be read once more; no file has it. */
export const NEVER = -1;

export interface ReadParts {
  readonly analyzer: Analyzer;
  readonly clock: Clock;
}

export function readFile(file: FileToRead, options: ReadOptions, parts: ReadParts): FileRead {
  const opened = openFile(file, options, parts);
  return opened.kind === 'open' ? finishFile(opened, opened.text.outline, parts) : opened;
}

export function openFile(
  file: FileToRead,
  { root, languages }: ReadOptions,
  { analyzer, clock }: ReadParts,
): Exclude<FileRead, { readonly kind: 'read' }> | OpenFile {
  const { path, isAskedFor = false } = file;
  const read = readSource({ realRoot: root, absPath: join(root, path), maxBytes: MAX_FILE_BYTES, clock });
  if (read.kind === 'skipped')
    return { kind: 'skip', skip: { path, reason: read.reason, detail: read.detail } };
  const entry: ManifestEntry = {
    path,
    sizeBytes: read.stat.sizeBytes,
    mtimeMs: trustedTime(file, read.stat),
    hash: hashOf(read.bytes),
    analysis: analyzer.id,
  };
  if (entry.hash === file.knownHash) return { kind: 'known', entry };
  return unlessItFails(entry, () => {
    const opened = analyzer.open(path, read.bytes, { languages, isAskedFor });
    return opened.kind === 'skip'
      ? leaveOut(entry, opened.reason, opened.detail)
      : { kind: 'open', entry, text: opened.file };
  });
}

/** Its rows, by the definitions of the outline or by those that a parser found. */
export function finishFile(
  { entry, text }: OpenFile,
  definitions: () => readonly Definition[],
  { analyzer }: Pick<ReadParts, 'analyzer'>,
): FileRead {
  return unlessItFails(entry, () => ({ kind: 'read', entry, content: analyzer.rows(text, definitions()) }));
}

function leaveOut(entry: ManifestEntry, reason: Skip['reason'], detail: string | undefined): SkippedFile {
  return { kind: 'skip', skip: { path: entry.path, reason, detail, seen: stateOf(entry) } };
}

function stateOf({ sizeBytes, mtimeMs, analysis }: ManifestEntry): NonNullable<Skip['seen']> {
  return { sizeBytes, mtimeMs, analysis };
}

/** A bug that one file triggers costs that file, and is reported; the rest of the project is indexed. */
function unlessItFails<T>(entry: ManifestEntry, work: () => T | SkippedFile): T | SkippedFile {
  try {
    return work();
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : 'unknown';
    return leaveOut(entry, 'unreadable', `could not be analysed: ${why}`);
  }
}

/**
 * The time to compare with at the next look. A file so new that a further write could bear the same time gets one that no
 * file has, so that it is read once more; one that was saved between listing and reading gets its later time.
 */
function trustedTime(listed: ListedFile, { mtimeNs, mayStillChange }: SourceStat): number {
  if (mayStillChange) return NEVER;
  const read = Number(mtimeNs) / 1e6;
  return Math.abs(read - listed.mtimeMs) < 0.01 ? listed.mtimeMs : read;
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url');
}

/** Undefined if it is no longer what is indexed: the fast pass comes first. */
export function readUnchanged(
  root: string,
  { path, hash }: Pick<ManifestEntry, 'path' | 'hash'>,
  analyzer: Analyzer,
  clock: Clock,
): ReadText | undefined {
  const read = readSource({ realRoot: root, absPath: join(root, path), maxBytes: MAX_FILE_BYTES, clock });
  if (read.kind === 'skipped' || hashOf(read.bytes) !== hash) return undefined;
  return analyzer.read(path, read.bytes);
}

export interface ReadFilesInput extends ReadOptions {
  readonly files: readonly FileToRead[];
  readonly analyzer: Analyzer;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Other threads than the usual ones; 0 for none. */
  readonly threads?: number | undefined;
  readonly absThreadModule?: string | undefined;
}

export interface ReadItem {
  readonly file: FileToRead;
  readonly read: FileRead;
}

/**
 * A thread takes some 60 MB, and has to be compiled anew. In the first second the compiler keeps a second core busy by itself:
 * on two cores a tree of 4.5 MB took as long with a thread as without, one of 15 MB an eighth less.
 */
const BYTES_PER_THREAD = 6_000_000;
const FILES_PER_THREAD = 16;
const MOST_THREADS = 2;
const BATCH_FILES = 24;
const BATCH_BYTES = 64 * 1024;
/** One that it works on, one that waits. Until its first answer it has only one: it may start slowly. */
const BATCHES_AHEAD = 2;

interface Reader {
  readonly thread: Thread;
  /** What it was given and has not answered, oldest first. */
  readonly given: (readonly FileToRead[])[];
}

/** In no particular order. */
export async function* readFiles(input: ReadFilesInput): AsyncGenerator<ReadItem> {
  const { files, analyzer, clock, signal } = input;
  const wanted = input.threads ?? threadsFor(files);
  // From the end: taking the last is cheap.
  const waiting = files.toReversed();
  const arrived: ReadItem[] = [];
  const readers = new Set<Reader>();
  let wake: (() => void) | undefined;

  const nextBatch = (): FileToRead[] => {
    const batch: FileToRead[] = [];
    for (let bytes = 0; batch.length < BATCH_FILES && bytes < BATCH_BYTES;) {
      const file = waiting.pop();
      if (file === undefined) break;
      batch.push(file);
      bytes += file.sizeBytes;
    }
    return batch;
  };
  const feed = (reader: Reader, ahead: number): void => {
    while (reader.given.length < ahead && waiting.length > 0) {
      const request: ReadRequest = { files: nextBatch() };
      reader.given.push(request.files);
      reader.thread.send(request);
    }
  };
  const start = (): void => {
    const data: ReaderData = { root: input.root, languages: input.languages, analysis: analyzer.id };
    const reader: Reader = {
      given: [],
      thread: startThread({
        absModulePath: input.absThreadModule ?? packageFile('dist/file-reader.js'),
        data,
        onMessage(message) {
          // Both sides are of one build.
          const { reads } = message as ReadReply;
          const batch = reader.given.shift() ?? [];
          batch.forEach((file, at) => {
            const read = reads[at];
            if (read === undefined) waiting.push(file);
            else arrived.push({ file, read });
          });
          feed(reader, BATCHES_AHEAD);
          wake?.();
        },
        onEnd() {
          readers.delete(reader);
          for (const batch of reader.given) waiting.push(...batch);
          wake?.();
        },
      }),
    };
    readers.add(reader);
    feed(reader, 1);
  };

  const onAbort = (): void => wake?.();
  // Does not wait for a thread that is slow or hangs.
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for (let count = 0; count < wanted; count++) start();
    const slice = createTimeSlice(clock);
    for (;;) {
      signal.throwIfAborted();
      const found = arrived.pop();
      if (found !== undefined) {
        yield found;
        continue;
      }
      const file = waiting.pop();
      if (file !== undefined) yield { file, read: readFile(file, input, { analyzer, clock }) };
      else if ([...readers].every(({ given }) => given.length === 0)) return;
      else await new Promise<void>((resolve) => (wake = resolve));
      if (file === undefined || slice.isOver()) await slice.yield();
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    for (const { thread } of readers) thread.stop();
  }
}

function threadsFor(files: readonly FileToRead[]): number {
  const bytes = files.reduce((sum, { sizeBytes }) => sum + Math.min(sizeBytes, MAX_FILE_BYTES), 0);
  const worth = Math.floor(Math.min(MOST_THREADS, bytes / BYTES_PER_THREAD, files.length / FILES_PER_THREAD));
  return worth === 0 ? 0 : Math.min(worth, coreCount() - 1);
}

export interface ShownText {
  readonly lines: TextLines;
  /** Digest of the bytes, as the index has it. */
  readonly hash: string;
}

/** What the index knows of a file. */
export interface IndexedBytes {
  readonly hash: string;
  readonly plainBy: number;
}

export interface SourceReader {
  /** Nothing for a file that is gone, too large, or not inside the root. */
  read(root: string, path: string, indexed?: IndexedBytes): ShownText | undefined;
}

interface Kept extends ShownText {
  readonly stamp: string;
  readonly chars: number;
  /** Since it was looked at for being too much. */
  wasShown: boolean;
}

const MOST_KEPT_CHARS = 20 * 1024 * 1024;
/** Most files fit. A buffer for each would be as much garbage, a quarter of a megabyte with every answer. */
const SCRATCH_BYTES = 256 * 1024;

export function createSourceReader(clock: Clock): SourceReader {
  const kept = new Map<string, Kept>();
  let chars = 0;
  let scratch: Buffer | undefined;
  /** What was shown again gets another turn: putting it last each time it is shown would cost more than the look at it. */
  const makeRoom = (): void => {
    for (const [key, oldest] of kept) {
      if (chars <= MOST_KEPT_CHARS) break;
      kept.delete(key);
      if (oldest.wasShown) {
        oldest.wasShown = false;
        kept.set(key, oldest);
      } else chars -= oldest.chars;
    }
  };
  return {
    read(root, path, indexed) {
      const absPath = join(root, path);
      const known = kept.get(absPath);
      if (known !== undefined) {
        if (known.stamp === fileStamp(absPath)) {
          known.wasShown = true;
          return known;
        }
        kept.delete(absPath);
        chars -= known.chars;
      }
      scratch ??= Buffer.allocUnsafeSlow(SCRATCH_BYTES);
      const read = readSource({ realRoot: root, absPath, maxBytes: MAX_FILE_BYTES, clock, into: scratch });
      if (read.kind === 'skipped') return undefined;
      const hash = hashOf(read.bytes);
      // The same bytes by the same rules: what was found out when they were indexed is true of them now.
      const isPlain = indexed?.plainBy === ROWS_VERSION && indexed.hash === hash;
      const text = isPlain ? read.bytes.toString('utf8') : redactSecrets(decodeText(read.bytes).text).text;
      const shown = { lines: new TextLines(text), hash };
      const { stamp, mayStillChange } = read.stat;
      // Not one that a further write could change without a trace.
      if (!mayStillChange) {
        kept.set(absPath, { ...shown, stamp, chars: text.length, wasShown: true });
        chars += text.length;
        makeRoom();
      }
      return shown;
    },
  };
}
