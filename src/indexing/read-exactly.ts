/**
 * Many files, read by this process and parsed by the children beside it, so that each is made into rows once, with what the parser
 * found in it. For whoever waits until everything is parsed: the first rows come later than those of the outline alone.
 */
import type { ExactParser, ParseOutcome, ParseRequest } from '../parsing/index.ts';
import { finishFile, openFile, type FileRead, type FileToRead, type OpenFile } from './read-file.ts';
import type { ReadFilesInput, ReadItem } from './read-files.ts';

export interface ReadExactlyInput extends Omit<ReadFilesInput, 'threads' | 'absThreadModule'> {
  readonly parser: ExactParser;
}

interface Waiting {
  readonly file: FileToRead;
  readonly opened: OpenFile;
}

/** How long files are read until the rest of the process has its turn. */
const SLICE_MS = 12;

/** In no particular order. */
export async function* readExactly(input: ReadExactlyInput): AsyncGenerator<ReadItem> {
  const { files, parser, signal, clock } = input;
  const { isParsable, mergeDefinitions, PARSER_ID } = await import('../parsing/index.ts');
  /** Those that no parser is asked about, until somebody takes them. */
  let done: ReadItem[] = [];
  const waiting = new Map<string, Waiting>();
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);

  async function* requests(): AsyncGenerator<ParseRequest> {
    let sliceEnd = clock.elapsed() + SLICE_MS;
    for (const file of files.toSorted(byEndingAndSize)) {
      if (clock.elapsed() >= sliceEnd) {
        await new Promise<void>((resolve) => setImmediate(resolve));
        sliceEnd = clock.elapsed() + SLICE_MS;
      }
      signal.throwIfAborted();
      const opened = openFile(file, input, input);
      if (opened.kind !== 'open') done.push({ file, read: opened });
      else {
        const { path, text, language } = opened.text;
        if (language === undefined || !isParsable(language))
          done.push({ file, read: finishFile(opened, opened.text.outline, input) });
        else {
          waiting.set(path, { file, opened });
          yield { path, language, text, only: 'definitions' };
        }
      }
    }
  }

  function finish(opened: OpenFile, outcome: ParseOutcome): FileRead {
    const { outline } = opened.text;
    if (outcome.kind === 'failed') {
      const read = finishFile(opened, outline, input);
      // Whoever looks for what is not parsed yet finds out that there is no parser.
      if (read.kind !== 'read' || outcome.detail === 'parser does not start') return read;
      return { ...read, note: { parser: PARSER_ID, failure: outcome.detail, errorShare: 0 } };
    }
    const read = finishFile(opened, mergeDefinitions(outline, outcome), input);
    if (read.kind !== 'read') return read;
    return { ...read, note: { parser: PARSER_ID, failure: undefined, errorShare: outcome.errorShare } };
  }

  for await (const outcome of parser.parse(requests(), signal, sizeBytes)) {
    const found = waiting.get(outcome.path);
    waiting.delete(outcome.path);
    if (found !== undefined) yield { file: found.file, read: finish(found.opened, outcome) };
    const taken = done;
    done = [];
    yield* taken;
  }
  yield* done;
}

/** As the pass behind does it: grammar by grammar, and the largest files first, so that none is left for one child at the end. */
function byEndingAndSize(a: FileToRead, b: FileToRead): number {
  const [one, other] = [endingOf(a.path), endingOf(b.path)];
  return Number(one > other) - Number(one < other) || b.sizeBytes - a.sizeBytes;
}

function endingOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}
