/** Every file of a project that may be indexed, and every other with the reason why not, in the order of their paths. */
import { setImmediate } from 'node:timers/promises';
import type { Skip } from '../../core/index.ts';
import { elapsedMs } from '../../platform/index.ts';
import { createListContext, type ListOptions } from './list-options.ts';
import { walk, type ListedFile } from './walk.ts';

/** What was found in one slice of time. A folder that is left out is one skip, its path ends with a slash. */
export interface ListBatch {
  readonly files: readonly ListedFile[];
  readonly skips: readonly Skip[];
  /** What the user should know about the rule files: one that was cut, for instance. */
  readonly notices: readonly string[];
}

/** Synchronous calls are several times faster than asynchronous ones; slices keep the process answering meanwhile. */
const SLICE_MS = 10;
const CLOCK_EVERY = 64;

/** `root` is absolute and canonical. Throws what `signal` was aborted with. */
export async function* listFiles(
  root: string,
  options: ListOptions,
  signal: AbortSignal,
): AsyncGenerator<ListBatch, void, undefined> {
  signal.throwIfAborted();
  const found = walk(createListContext(root, options));
  for (let isDone = false; !isDone;) {
    const files: ListedFile[] = [];
    const skips: Skip[] = [];
    const notices: string[] = [];
    const endsAt = elapsedMs() + (options.sliceMs ?? SLICE_MS);
    for (let count = 1; ; count++) {
      const next = found.next();
      if (next.done === true) {
        isDone = true;
        break;
      }
      if (next.value.kind === 'file') files.push(next.value.file);
      else if (next.value.kind === 'skip') skips.push(next.value.skip);
      else notices.push(next.value.message);
      if (count % CLOCK_EVERY === 0 && elapsedMs() > endsAt) break;
    }
    if (files.length + skips.length + notices.length > 0) yield { files, skips, notices };
    if (!isDone) await setImmediate();
    signal.throwIfAborted();
  }
}
