/** A run in the foreground and the exact pass behind it, for who waits for both. */
import { AppError } from '../core/index.ts';
import { openParser, type ExactOutcome, type ExactParts, type ExactPass } from './exact-pass.ts';
import type { IndexOutcome, RunOptions } from './indexer.ts';

export interface CompleteOutcome {
  readonly outcome: IndexOutcome;
  /** Undefined if another process is at it, or `problem` says what kept the parser from its work. */
  readonly parsed: ExactOutcome | undefined;
  readonly problem: AppError | undefined;
}

export type CompleteRun = (root: string, options: RunOptions) => Promise<CompleteOutcome>;

export interface CompleteParts {
  readonly run: (root: string, options: RunOptions) => Promise<IndexOutcome>;
  readonly parse: ExactPass;
  readonly parser?: ExactParts['parser'];
}

/** A child is there in about the time that this much takes to be read. */
const START_WITHIN_BYTES = 2 * 1024 * 1024;

export function createCompleteRun({ run, parse, parser: parts }: CompleteParts): CompleteRun {
  return async (root, { signal, onProgress }) => {
    const parser = await openParser({ ...parts, priority: 'usual' });
    let isStarted = false;
    try {
      const outcome = await run(root, {
        signal,
        onProgress: (step) => {
          // An index that is up to date may well be parsed too. Of a large tree the children are not there from the beginning:
          // all of them at once take the most memory.
          const isNearlyDone = step.totalBytes - step.doneBytes <= START_WITHIN_BYTES;
          if (step.total > 0 && isNearlyDone && !isStarted) parser.start(step.totalBytes);
          isStarted ||= isNearlyDone;
          onProgress?.(step);
        },
      });
      const none = { outcome, parsed: undefined, problem: undefined };
      if (outcome.kind === 'busy') return none;
      const options = { signal, parser, retry: 'failed', ...(onProgress && { onProgress }) } as const;
      try {
        return { ...none, parsed: await parse(root, options) };
      } catch (thrown) {
        // What came before is done and worth to be told; without a parser it is all there will be.
        if (thrown instanceof AppError && thrown.code === 'parser_unavailable')
          return { ...none, problem: thrown };
        throw thrown;
      }
    } finally {
      parser.close();
    }
  };
}
