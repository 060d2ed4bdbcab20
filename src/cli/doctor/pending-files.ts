/** How far the index is behind the files, by size and time: nothing is read. */
import { readProjectConfig } from '../../config/index.ts';
import { planIndex } from '../../indexing/index.ts';
import { listFiles, pathExists, systemClock, type ListedFile } from '../../platform/index.ts';
import { indexFile, openIndexStore } from '../../storage/index.ts';
import { silentLogger } from '../../text/index.ts';
import type { CommandContext } from '../command.ts';

/** Undefined if there is no index. */
export async function pendingFiles(
  root: string,
  { resolved, stop }: CommandContext,
): Promise<number | undefined> {
  const { cacheDir } = resolved.config;
  if (!pathExists(indexFile(cacheDir, root))) return undefined;
  const store = await openIndexStore({ cacheDir, root, clock: systemClock, logger: silentLogger });
  try {
    const { include, exclude } = readProjectConfig(resolved, root).config;
    const listed: ListedFile[] = [];
    for await (const { files } of listFiles(root, { include, exclude }, stop)) listed.push(...files);
    const { read, gone } = planIndex(await store.manifest(), listed);
    // A file that was read and left out is looked at every time.
    const leftOut = new Set((await store.skips()).map(({ path }) => path));
    return read.filter(({ path }) => !leftOut.has(path)).length + gone.length;
  } finally {
    await store.close();
  }
}
