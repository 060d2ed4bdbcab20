/** What the makers of MCP servers are given, and ours: loaded on first use. */
import { join } from 'node:path';
import type { Config } from './config/index.ts';
import { LOCAL_PRINCIPAL, parseToolsets } from './core/index.ts';
import type { ServerFactory, ServerParts, StateKeys } from './mcp/index.ts';
import { readRotatingSecret, systemClock, systemIds } from './platform/index.ts';

const STATE_KEY_MAX_AGE_MS = 30 * 24 * 3600 * 1000;

/** All that a maker of servers needs besides what it serves. */
export type BaseServerParts = Omit<ServerParts, 'tools' | 'resources' | 'prompts'>;

export function toServerParts(
  made: Pick<BaseServerParts, 'partsOf' | 'logger'> & { readonly config: Config },
): BaseServerParts {
  const { config, partsOf, logger } = made;
  return {
    partsOf,
    logger,
    toolsets: parseToolsets(config.toolsets),
    structured: config.structured,
    clock: systemClock,
    tip: config.tip,
    version: WAYMARK_VERSION,
    newReference: () => systemIds.token(6),
    // Any instance goes on with what another one began.
    stateKeys: async () =>
      (config.storage === undefined
        ? undefined
        : await partsOf(LOCAL_PRINCIPAL).services.engine.sharedKeys({ name: 'carried state' })) ??
      ownStateKeys(config),
  };
}

function ownStateKeys({ dataDir }: Config): StateKeys {
  return readRotatingSecret({
    absPath: join(dataDir, 'state-key'),
    ids: systemIds,
    clock: systemClock,
    maxAgeMs: STATE_KEY_MAX_AGE_MS,
  });
}

export async function makeServers(parts: BaseServerParts): Promise<ServerFactory> {
  const [{ createServerFactory }, { PROMPTS, RESOURCES, TOOLS }] = await Promise.all([
    import('./mcp/index.ts'),
    import('./tools/index.ts'),
  ]);
  return createServerFactory({ ...parts, tools: TOOLS, resources: RESOURCES, prompts: PROMPTS });
}
