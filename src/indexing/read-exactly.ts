/**
 * Files read by this process and parsed by the children beside it, so that each is made into rows once, with what the parser found.
 * For callers that wait until everything is parsed: the first rows come later than those of the outline alone.
 */
import { createTimeSlice } from '../core/index.ts';
import {
  type ExactParser,
  isParsable,
  languageOf,
  mergeDefinitions,
  type ParseOutcome,
  PARSER_ID,
  type ParseRequest,
} from '../languages/index.ts';
import type { ParseNote } from '../storage/index.ts';
import {
  type FileRead,
  type FileToRead,
  finishFile,
  openFile,
  type OpenFile,
  readFile,
  type ReadFilesInput,
  type ReadItem,
} from './read-files.ts';

export interface ReadExactlyInput extends Omit<ReadFilesInput, 'threads' | 'absThreadModule'> {
  readonly parser: ExactParser;
}

interface Waiting {
  readonly file: FileToRead;
  readonly opened: OpenFile;
}

/** How long files are read until the rest of the process has its turn: the children wait for it. */
const SLICE_MS = 4;
/** What is read while the children start, and load a grammar each; it takes some four bytes for each. */
const MOST_CHARS_AHEAD = 2_000_000;

/** In no particular order, but those that no grammar reads come first, while the children start. */
export async function* readExactly(input: ReadExactlyInput): AsyncGenerator<ReadItem> {
  const { files, parser, signal, clock } = input;
  const waiting = new Map<string, Waiting>();
  const slice = createTimeSlice(clock, SLICE_MS);
  const mayBeParsed = ({ path }: FileToRead): boolean => {
    const language = languageOf(path);
    // The first line of a file may still name it.
    return language === undefined ? !path.includes('.', path.lastIndexOf('/') + 2) : isParsable(language);
  };

  for (const file of files)
    if (!mayBeParsed(file)) {
      yield { file, read: readFile(file, input, input) };
      signal.throwIfAborted();
      if (slice.isOver()) await slice.yield();
    }

  const parsable = files.filter(mayBeParsed).toSorted(byEndingAndSize);
  /** Those among them that turned out not to be parsable; they are yielded with the next outcome. */
  let done: ReadItem[] = [];
  async function* requests(): AsyncGenerator<ParseRequest> {
    for (const file of parsable) {
      signal.throwIfAborted();
      if (slice.isOver()) await slice.yield();
      const opened = openFile(file, input, input);
      if (opened.kind !== 'open') done.push({ file, read: opened });
      else {
        const { path, text, language } = opened.text;
        if (language === undefined || !isParsable(language))
          done.push({ file, read: finishFile(opened, opened.text.outline, input) });
        else {
          waiting.set(path, { file, opened });
          yield { path, language, text };
        }
      }
    }
  }

  const sizeBytes = parsable.reduce((sum, file) => sum + file.sizeBytes, 0);
  const ahead = readAhead(requests(), { weigh: ({ text }) => text.length, most: MOST_CHARS_AHEAD });
  try {
    for await (const outcome of parser.parse(ahead, signal, sizeBytes)) {
      const found = waiting.get(outcome.path);
      waiting.delete(outcome.path);
      if (found !== undefined) yield { file: found.file, read: finish(found.opened, outcome, input) };
      const taken = done;
      done = [];
      yield* taken;
    }
  } finally {
    // The caller has left, or the parser took all it needs: nothing more is read.
    await ahead.return(undefined);
  }
  yield* done;
}

function finish(opened: OpenFile, outcome: ParseOutcome, parts: ReadExactlyInput): FileRead {
  const { outline } = opened.text;
  const note = (failure: string | undefined, errorShare: number): ParseNote => ({
    parser: PARSER_ID,
    failure,
    errorShare,
  });
  if (outcome.kind === 'parsed') {
    const read = finishFile(opened, () => mergeDefinitions(outline, outcome), parts);
    if (read.kind === 'read')
      return { ...read, note: note(undefined, outcome.errorShare), facts: outcome.facts };
  }
  // Also where a fault of ours met what the parser found: the outline is as good as without a parser.
  const read = finishFile(opened, outline, parts);
  const failure = outcome.kind === 'failed' ? outcome.detail : 'crashed';
  // Without a note the exact pass tries the file again, and reports that there is no parser.
  if (read.kind !== 'read' || failure === 'parser does not start') return read;
  return { ...read, note: note(failure, 0) };
}

/** As the pass behind does it: grammar by grammar, and the largest files first, so that none is left for one child at the end. */
function byEndingAndSize(a: FileToRead, b: FileToRead): number {
  const [one, other] = [endingOf(a.path), endingOf(b.path)];
  return Number(one > other) - Number(one < other) || b.sizeBytes - a.sizeBytes;
}

function endingOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

export interface AheadOptions<T> {
  readonly weigh: (item: T) => number;
  /** No further item is begun while those that wait weigh as much. */
  readonly most: number;
}

/**
 * Read-ahead with back-pressure: takes items from the source before they are asked for, in order. The source is ended when the
 * caller leaves. It has to yield to the event loop by itself.
 */
export async function* readAhead<T>(
  source: AsyncIterable<T>,
  { weigh, most }: AheadOptions<T>,
): AsyncGenerator<T> {
  const made: T[] = [];
  const state: { weight: number; end?: { readonly failure?: unknown }; isLeft: boolean } = {
    weight: 0,
    isLeft: false,
  };
  let wakeMaker = (): void => {};
  let wakeReader = (): void => {};
  const make = async (): Promise<void> => {
    for await (const item of source) {
      made.push(item);
      state.weight += weigh(item);
      wakeReader();
      while (state.weight >= most && !state.isLeft) await new Promise<void>((wake) => (wakeMaker = wake));
      if (state.isLeft) return;
    }
  };
  const making = make()
    .then(
      () => (state.end = {}),
      (failure: unknown) => (state.end = { failure }),
    )
    .then(() => wakeReader());
  try {
    for (;;) {
      const item = made.shift();
      if (item !== undefined) {
        state.weight -= weigh(item);
        wakeMaker();
        yield item;
      } else if (state.end === undefined) await new Promise<void>((wake) => (wakeReader = wake));
      else if ('failure' in state.end) throw state.end.failure;
      else return;
    }
  } finally {
    state.isLeft = true;
    wakeMaker();
    await making;
  }
}
