/** An index for a command. It ends with its answer, so it waits for what a server would do in the background, and says how far it is. */
import type { Clock } from '../core/index.ts';
import type { Freshness, Indexing } from '../indexing/index.ts';
import type { CommandContext } from './command.ts';
import { createProgressLine } from './progress-line.ts';

export async function ensureIndex(
  root: string,
  { indexing, clock }: { readonly indexing: Indexing; readonly clock: Clock },
  { output, stop }: Pick<CommandContext, 'output' | 'stop'>,
): Promise<Freshness> {
  const line = createProgressLine(output, clock);
  try {
    return await indexing.ensure(root, {
      signal: stop,
      mayWrite: true,
      wait: 'endless',
      onProgress: (step) => line.show(step),
    });
  } finally {
    line.end();
  }
}
