/** How far the index is behind the files, by size and time: nothing is read. */
import type { CommandContext } from '../command.ts';

/** Undefined if there is no index. */
export async function pendingFiles(root: string, context: CommandContext): Promise<number | undefined> {
  const { indexing } = await context.services();
  if (indexing.state(root).state === 'missing') return undefined;
  const found = await indexing.following.check(root);
  return found.kind === 'changed' ? found.count : 0;
}
