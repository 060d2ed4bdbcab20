/** One parser child, replaced when it fails, hangs or has done enough: the caller sees files and outcomes only. */
import { startChild, type ChildEnd, type ChildProcess } from '../../platform/index.ts';
import {
  type FoundInFile,
  parseAnswer,
  type ParseCommand,
  type ParseFailure,
  type ParseOutcome,
  type ParseRequest,
} from './messages.ts';
import { parserFlags, type ParserLimits } from './parser-limits.ts';

export interface ParserChildParts {
  /** The module a child runs. */
  readonly absModulePath: string;
  readonly args: readonly string[];
  readonly limits: ParserLimits;
  readonly priority: 'low' | 'usual';
}

export interface ParserChild {
  /** Before there is a file for it, so that it need not be waited for. */
  start(): void;
  isRunning(): boolean;
  /**
   * It reads one file after the other. A file that is queued before the last answer keeps it busy. If it dies, the file it was
   * reading is to blame; the queued ones are read by its successor.
   */
  parse(request: ParseRequest, options: ParseOptions): Promise<ParseOutcome>;
  close(): void;
}

export interface ParseOptions {
  readonly signal: AbortSignal;
  /** How large it may be when it begins with this file. */
  readonly mostMb: number;
}

type Answer =
  | { readonly kind: 'found'; readonly found: FoundInFile }
  | { readonly kind: 'failed'; readonly failure: ParseFailure }
  /** The child ended over another file, or before it could read any. */
  | { readonly kind: 'not reached' };

interface Asked {
  readonly id: number;
  readonly answered: Promise<Answer>;
  answer(answer: Answer): void;
}

interface Running {
  readonly process: ChildProcess;
  files: number;
  chars: number;
  rssMb: number;
  isReady: boolean;
  /** We ended it ourselves, for no fault of its own or of a file. */
  isDismissed: boolean;
  /** In the order in which it reads them. */
  readonly asked: Asked[];
  timer: NodeJS.Timeout | undefined;
}

// When children do not even start, asking again for every file would cost a process each.
const MOST_FAILED_STARTS = 3;
// A child that had less of a processor than this share of its time gets that time again, so many times in all.
const HELD_UP_SHARE = 0.5;
const MOST_TURNS = 6;

export function createParserChild({ absModulePath, args, limits, priority }: ParserChildParts): ParserChild {
  const state: { running: Running | undefined; failedStarts: number; nextId: number } = {
    running: undefined,
    failedStarts: 0,
    nextId: 1,
  };

  function start(): Running {
    const running: Running = {
      process: startChild({
        absModulePath,
        args,
        nodeFlags: parserFlags(limits),
        priority,
        onMessage: (message) => hear(running, message),
        onEnd: (end) => onEnd(running, end),
      }),
      files: 0,
      chars: 0,
      rssMb: 0,
      isReady: false,
      isDismissed: false,
      asked: [],
      timer: undefined,
    };
    // An idle child does not keep the process alive.
    running.process.unref();
    return running;
  }

  function hear(running: Running, message: unknown): void {
    const answer = parseAnswer(message);
    if (answer?.kind === 'ready') {
      running.isReady = true;
      state.failedStarts = 0;
      return;
    }
    const [first] = running.asked;
    if (first === undefined) return;
    if (answer === undefined || answer.id !== first.id) return end(running, 'answer refused');
    running.asked.shift();
    if (answer.kind === 'found') running.rssMb = answer.rssMb;
    first.answer(answer);
    // Replace the child after any failure that is not the grammar's.
    if (answer.kind === 'failed' && !isOfGrammar(answer.failure)) abandon(running);
    else watch(running);
    if (running.asked.length === 0) running.process.unref();
  }

  function onEnd(running: Running, { outOfMemory }: ChildEnd): void {
    if (running.isDismissed) return abandon(running);
    if (running.isReady) return end(running, outOfMemory ? 'out of memory' : 'crashed');
    // It has read no file yet, so that none is to blame.
    state.failedStarts++;
    abandon(running);
  }

  /** The time of a file begins when that of the one before ends. */
  function watch(running: Running): void {
    clearTimeout(running.timer);
    const [first] = running.asked;
    if (first === undefined) return;
    const workedBefore = running.process.workedMs();
    const wait = (turn: number): void => {
      running.timer = setTimeout(() => {
        // This process may have been late: messages that arrived meanwhile are handled first.
        setImmediate(() => {
          if (running.asked[0] !== first) return;
          if (turn < MOST_TURNS && wasHeldUp(running, workedBefore)) wait(turn + 1);
          else end(running, 'timed out');
        });
      }, limits.timeoutMs);
    };
    wait(1);
  }

  /** A busy or halted machine is no fault of the file. */
  function wasHeldUp(running: Running, workedBefore: number | undefined): boolean {
    const worked = running.process.workedMs();
    return worked !== undefined && worked - (workedBefore ?? 0) < limits.timeoutMs * HELD_UP_SHARE;
  }

  /** It is gone, or no longer trusted: that is an answer for the file it was reading. */
  function end(running: Running, failure: ParseFailure): void {
    running.asked.shift()?.answer({ kind: 'failed', failure });
    abandon(running);
  }

  function abandon(running: Running): void {
    stop(running);
    for (const asked of running.asked.splice(0)) asked.answer({ kind: 'not reached' });
  }

  /** Ends the child for no fault of its own; its queued files go to the next one. */
  function dismiss(running: Running | undefined): void {
    if (running === undefined) return;
    running.isDismissed = true;
    abandon(running);
  }

  function stop(running: Running): void {
    if (state.running === running) state.running = undefined;
    clearTimeout(running.timer);
    running.process.kill();
  }

  function ask(running: Running, { language, text }: ParseRequest): Promise<Answer> {
    const command: ParseCommand = { id: state.nextId++, language, text };
    running.files++;
    running.chars += text.length;
    let answer: Asked['answer'] = () => {};
    const answered = new Promise<Answer>((resolve) => (answer = resolve));
    running.asked.push({ id: command.id, answered, answer });
    if (running.asked.length === 1) {
      running.process.ref();
      watch(running);
    }
    running.process.send(command);
    return answered;
  }

  async function parse(request: ParseRequest, { signal, mostMb }: ParseOptions): Promise<ParseOutcome> {
    for (let attempt = 1; ;) {
      signal.throwIfAborted();
      if (state.failedStarts >= MOST_FAILED_STARTS) return failed(request, 'parser does not start');
      const running = (state.running ??= start());
      if (isSpent(running, mostMb, limits)) {
        // It ends before the next begins: two of them take the memory of two.
        const last = running.asked.at(-1);
        if (last === undefined) dismiss(running);
        else await unlessAborted(last.answered, signal);
        continue;
      }
      const isFresh = running.files === 0;
      const answer = await unlessAborted(ask(running, request), signal).catch((aborted: unknown) => {
        dismiss(running);
        throw aborted;
      });
      if (answer.kind === 'not reached') continue;
      if (answer.kind === 'found') return { path: request.path, kind: 'parsed', ...answer.found };
      // An earlier file may have broken a used child: a fresh one decides.
      const { failure } = answer;
      const isDecided = isFresh || attempt > 1 || failure === 'timed out' || isOfGrammar(failure);
      if (isDecided) return failed(request, failure);
      attempt++;
    }
  }

  return {
    start: () => void (state.running ??= start()),
    isRunning: () => state.running !== undefined,
    parse,
    close: () => {
      dismiss(state.running);
      // The next pass may try to start children again.
      state.failedStarts = 0;
    },
  };
}

function isSpent({ files, chars, rssMb }: Running, mostMb: number, limits: ParserLimits): boolean {
  const hasGrown = rssMb >= mostMb && chars >= limits.replacedAfterChars;
  return hasGrown || files >= limits.filesPerChild || chars >= limits.charsPerChild;
}

/** Not of the file, nor of the child that said so. */
function isOfGrammar(failure: ParseFailure): boolean {
  return failure === 'no grammar' || failure === 'grammar missing' || failure === 'grammar damaged';
}

function failed({ path }: ParseRequest, detail: ParseFailure): ParseOutcome {
  return { path, kind: 'failed', reason: 'parser_failed', detail };
}

async function unlessAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([result, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
