/**
 * Many files, read and analysed by this thread and, where there is enough to do, by others beside it. Whatever becomes of
 * those, every file is read: what a thread leaves undone is done here.
 */
import type { Clock } from '../core/index.ts';
import { coreCount, packageFile, startThread, type Thread } from '../platform/index.ts';
import type { Analyzer } from './analyze-file.ts';
import { MAX_FILE_BYTES } from './file-limits.ts';
import { readFile, type FileRead, type FileToRead, type ReadOptions } from './read-file.ts';
import type { ReaderData, ReadReply, ReadRequest } from './reader-messages.ts';

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
/** One that it works on, one that waits. Until its first answer it has only one: it may be long in starting. */
const BATCHES_AHEAD = 2;
/** How long this thread works until it listens to others, and lets the rest of the process go first. */
const SLICE_MS = 12;

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
  // A thread may be long over a file, or hang: whoever stops does not wait for it.
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for (let count = 0; count < wanted; count++) start();
    let sliceEnd = clock.elapsed() + SLICE_MS;
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
      if (file !== undefined && clock.elapsed() < sliceEnd) continue;
      await breathe();
      sliceEnd = clock.elapsed() + SLICE_MS;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    for (const { thread } of readers) thread.stop();
  }
}

function threadsFor(files: readonly FileToRead[]): number {
  const bytes = files.reduce((sum, { sizeBytes }) => sum + Math.min(sizeBytes, MAX_FILE_BYTES), 0);
  const [byBytes, byFiles] = [bytes / BYTES_PER_THREAD, files.length / FILES_PER_THREAD];
  return Math.floor(Math.min(MOST_THREADS, coreCount() - 1, byBytes, byFiles));
}

function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
