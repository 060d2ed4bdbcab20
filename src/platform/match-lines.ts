/**
 * Runs someone else's regular expression where it can be stopped. JavaScript's engine may need longer than the universe for
 * `(a+)+$`, and nothing in its own thread can interrupt it.
 */
import { Worker } from 'node:worker_threads';

export interface MatchLinesInput {
  readonly source: string;
  readonly ignoreCase: boolean;
  readonly texts: readonly string[];
  readonly mostPerText: number;
  readonly timeoutMs: number;
}

export interface MatchedLines {
  /** For each text that was looked at, in order: 1-based lines. */
  readonly lines: readonly (readonly number[])[];
  readonly timedOut: boolean;
}

// Plain JavaScript, because a worker is given text; it sees nothing but what it is sent.
const WORKER = `
const { parentPort, workerData } = require('node:worker_threads');
const { source, ignoreCase, texts, mostPerText } = workerData;
let pattern;
try { pattern = new RegExp(source, ignoreCase ? 'ui' : 'u'); } catch { pattern = new RegExp(source, ignoreCase ? 'i' : ''); }
for (const text of texts) {
  const found = [];
  const lines = text.split('\\n');
  for (let at = 0; at < lines.length && found.length < mostPerText; at++) if (pattern.test(lines[at])) found.push(at + 1);
  parentPort.postMessage(found);
}
`;
const HEAP_MB = 256;

export function matchLines(input: MatchLinesInput, signal: AbortSignal): Promise<MatchedLines> {
  const { timeoutMs, ...workerData } = input;
  const lines: number[][] = [];
  return new Promise((resolve, reject) => {
    const worker = new Worker(WORKER, {
      eval: true,
      workerData,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    const stop = (finish: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      void worker.terminate();
      finish();
    };
    const timer = setTimeout(() => stop(() => resolve({ lines, timedOut: true })), timeoutMs);
    const onAbort = (): void => stop(() => reject(signal.reason));
    signal.addEventListener('abort', onAbort);
    worker.on('message', (found: number[]) => {
      lines.push(found);
    });
    worker.on('error', () => stop(() => resolve({ lines, timedOut: true })));
    worker.on('exit', () => stop(() => resolve({ lines, timedOut: lines.length < input.texts.length })));
  });
}
