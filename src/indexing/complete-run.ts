/**
 * A run in the foreground that parses what it reads, and the exact pass behind it for what was read before or is too much to be
 * parsed on the way. For who waits for both.
 */
import { AppError } from '../core/index.ts';
import type { ExactOutcome, ExactPass } from './exact-pass.ts';
import type { IndexOptions, IndexOutcome, ParseTally, RunOptions } from './indexer.ts';
import type { ParserPool } from '../languages/index.ts';

export interface CompleteOutcome {
  readonly outcome: IndexOutcome;
  /** Undefined if another process is at it, or `problem` says what kept the parser from its work. */
  readonly parsed: ExactOutcome | undefined;
  readonly problem: AppError | undefined;
}

export type CompleteRun = (root: string, options: RunOptions) => Promise<CompleteOutcome>;

export interface CompleteParts {
  readonly run: (root: string, options: RunOptions & Pick<IndexOptions, 'parser'>) => Promise<IndexOutcome>;
  readonly parse: ExactPass;
  readonly parsers: ParserPool;
  readonly hasIndex: (root: string) => boolean;
}

/** A child is there in about the time that this much takes to be read. */
const START_WITHIN_BYTES = 2 * 1024 * 1024;

export function createCompleteRun({ run, parse, parsers, hasIndex }: CompleteParts): CompleteRun {
  return async (root, { signal, onProgress, onBusy }) => {
    const { parser, release } = parsers.take('usual');
    let isStarted = false;
    let sizeBytes = 0;
    try {
      // There will be something to parse in nearly every tree, and one child for it can start while that is found.
      if (!hasIndex(root)) parser.start(0);
      const made = await run(root, {
        signal,
        parser,
        ...(onBusy && { onBusy }),
        onProgress: (step) => {
          // An index that is up to date may well be parsed too. Of a large tree not all children are there from the beginning: together
          // with the threads that read they take the most memory.
          const isNearlyDone = step.totalBytes - step.doneBytes <= START_WITHIN_BYTES;
          if (step.total > 0 && isNearlyDone && !isStarted) parser.start(step.totalBytes);
          isStarted ||= isNearlyDone;
          sizeBytes = Math.max(sizeBytes, step.totalBytes);
          onProgress?.(step);
        },
      });
      if (made.kind === 'busy') return { outcome: made, parsed: undefined, problem: undefined };
      const { parsed: before = NOTHING, ...outcome } = made;
      const except = new Set(before.failed);
      const options = { signal, parser, except, retry: 'failed', ...(onProgress && { onProgress }) } as const;
      try {
        const parsed = addUp(before, await parse(root, options), outcome.ms);
        return { outcome, parsed, problem: undefined };
      } catch (thrown) {
        // What came before is done and worth to be told; without a parser it is all there will be.
        if (thrown instanceof AppError && thrown.code === 'parser_unavailable')
          return {
            outcome,
            parsed: before.exact === 0 ? undefined : addUp(before, NONE, outcome.ms),
            problem: thrown,
          };
        throw thrown;
      }
    } finally {
      release(sizeBytes);
    }
  };
}

const NOTHING: ParseTally = { exact: 0, failed: [] };
const NONE: ExactOutcome = { exact: 0, failed: 0, ms: 0 };

/** What was parsed while it was read took as long as the reading. */
function addUp(before: ParseTally, behind: ExactOutcome, readMs: number): ExactOutcome {
  const exact = before.exact + behind.exact;
  const failed = before.failed.length + behind.failed;
  return { exact, failed, ms: behind.ms + (before.exact + before.failed.length > 0 ? readMs : 0) };
}
