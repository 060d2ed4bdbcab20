/** One parser child, replaced when it fails, hangs or has done enough: the caller sees files and outcomes only. */
import { startChild, type ChildEnd, type ChildProcess } from '../platform/index.ts';
import { parseAnswer, type ParseCommand } from './messages.ts';
import type { FoundInFile, ParseFailure, ParseOutcome, ParseRequest } from './parsed.ts';
import type { ParserLimits } from './parser-limits.ts';

export interface ParserChildParts {
  /** The module a child runs. */
  readonly absModulePath: string;
  readonly args: readonly string[];
  readonly limits: ParserLimits;
}

export interface ParserChild {
  parse(request: ParseRequest, signal: AbortSignal): Promise<ParseOutcome>;
  close(): void;
}

type Answer = { readonly found: FoundInFile } | { readonly failure: ParseFailure };

interface Running {
  readonly process: ChildProcess;
  files: number;
  chars: number;
  isReady: boolean;
  waiting: { readonly id: number; settle(answer: Answer): void } | undefined;
}

// When children do not even start, asking again for every file would cost a process each.
const MOST_FAILED_STARTS = 3;

export function createParserChild({ absModulePath, args, limits }: ParserChildParts): ParserChild {
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
        nodeFlags: [
          // V8's optimising compiler stalls for seconds over grammars on Node 20; see the decision record.
          '--liftoff-only',
          // What one file leaves behind is garbage before the next: a small nursery costs no time and saves 25 MB.
          '--max-semi-space-size=2',
          '--heap-growing-percent=50',
          `--max-old-space-size=${limits.heapMb}`,
          `--wasm-max-mem-pages=${limits.grammarMemoryMb * 16}`,
        ],
        onMessage: (message) => hear(running, message),
        onEnd: (end) => bury(running, end),
      }),
      files: 0,
      chars: 0,
      isReady: false,
      waiting: undefined,
    };
    return running;
  }

  function hear(running: Running, message: unknown): void {
    const answer = parseAnswer(message);
    const { waiting } = running;
    if (answer?.kind === 'ready') {
      running.isReady = true;
      state.failedStarts = 0;
      return;
    }
    if (waiting === undefined) return;
    if (answer === undefined || answer.id !== waiting.id) {
      stop(running);
      waiting.settle({ failure: 'answer refused' });
    } else {
      waiting.settle(answer.kind === 'found' ? { found: answer.found } : { failure: answer.failure });
    }
  }

  function bury(running: Running, end: ChildEnd): void {
    if (!running.isReady) state.failedStarts++;
    if (state.running === running) state.running = undefined;
    running.waiting?.settle({ failure: end.outOfMemory ? 'out of memory' : 'crashed' });
  }

  function stop(running: Running | undefined): void {
    if (running === undefined) return;
    if (state.running === running) state.running = undefined;
    running.process.kill();
  }

  async function ask(running: Running, request: ParseRequest, signal: AbortSignal): Promise<Answer> {
    const { language, text, only } = request;
    const command: ParseCommand = { id: state.nextId++, language, text, only };
    running.files++;
    running.chars += request.text.length;
    const timeOut = new AbortController();
    try {
      return await new Promise<Answer>((settle, reject) => {
        running.waiting = { id: command.id, settle };
        const timer = setTimeout(() => settle({ failure: 'timed out' }), limits.timeoutMs);
        const onAbort = (): void => reject(signal.reason);
        signal.addEventListener('abort', onAbort, { once: true });
        timeOut.signal.addEventListener('abort', () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
        });
        running.process.send(command);
      });
    } finally {
      timeOut.abort();
      running.waiting = undefined;
    }
  }

  async function parse(request: ParseRequest, signal: AbortSignal): Promise<ParseOutcome> {
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      if (state.failedStarts >= MOST_FAILED_STARTS) return failed(request, 'parser does not start');
      if (state.running !== undefined && isSpent(state.running, limits)) stop(state.running);
      const running = (state.running ??= start());
      const isFresh = running.files === 0;
      const answer = await ask(running, request, signal).catch((aborted: unknown) => {
        stop(running);
        throw aborted;
      });
      if ('found' in answer) return { path: request.path, kind: 'parsed', ...answer.found };
      if (answer.failure === 'no grammar' || answer.failure.startsWith('grammar'))
        return failed(request, answer.failure);
      stop(running);
      // What broke a child that had read others before may be their doing: a fresh one decides.
      const isDecided = isFresh || attempt > 1 || answer.failure === 'timed out';
      if (isDecided) return failed(request, answer.failure);
    }
  }

  return { parse, close: () => stop(state.running) };
}

function isSpent(running: Running, limits: ParserLimits): boolean {
  return running.files >= limits.filesPerChild || running.chars >= limits.charsPerChild;
}

function failed({ path }: ParseRequest, detail: ParseFailure): ParseOutcome {
  return { path, kind: 'failed', reason: 'parser_failed', detail };
}
