/** The product as a user has it, with a cache of its own: indexes a folder, answers questions about it. */
import { join } from 'node:path';
import { resolveConfig } from '../../src/config/index.ts';
import { createApp, type App, type AppOptions } from '../../src/app.ts';

export function openProduct(folder: string, more: Partial<Pick<AppOptions, 'parser'>> = {}): App {
  const { config } = resolveConfig({
    env: {
      HOME: folder,
      XDG_CACHE_HOME: join(folder, 'cache'),
      XDG_DATA_HOME: join(folder, 'data'),
      XDG_CONFIG_HOME: join(folder, 'config'),
      WAYMARK_LOG_LEVEL: 'error',
    },
  });
  return createApp({ config, environment: () => ({}), ...more });
}

/** And what commits say, where the folder is in a repository: only commits up to the one that is checked out count. */
export async function indexWhole(app: App, root: string): Promise<{ readonly ms: number }> {
  const started = performance.now();
  const outcome = await app.indexing.run(root, { signal: new AbortController().signal });
  if (outcome.kind !== 'done') throw new Error(`${root} could not be indexed: ${outcome.kind}`);
  const ms = performance.now() - started;
  await app.indexing.readHistory(root, { signal: new AbortController().signal });
  return { ms };
}
