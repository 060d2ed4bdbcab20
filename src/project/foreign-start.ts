/** Working directories that say nothing about the user: those of a client's daemon, and a plugin's own folder. */
import { isAbsolute } from 'node:path';
import { realPath } from '../platform/index.ts';
import { isInside, type Environment } from './places.ts';

/**
 * Clients whose servers are children of a daemon that outlives the session, by the name they give at the handshake: the
 * daemon stands in the project that it was first started for, and passes its environment on.
 */
const DAEMON_CLIENTS: Readonly<Record<string, string>> = { '@cline/core': 'Cline' };

/** Where a client unpacked the plugin that it starts a server for. */
const PLUGIN_VARIABLES = ['CLAUDE_PLUGIN_ROOT'] as const;

export interface StartFacts {
  /** What the client calls itself, if it has said so. */
  readonly client: string | undefined;
  readonly env: Environment;
}

/** Why a directory that this process was started with is not the user's choice, or undefined if it may be. */
export function whyForeign(directory: string, { client, env }: StartFacts): string | undefined {
  const daemon =
    client !== undefined && Object.hasOwn(DAEMON_CLIENTS, client) ? DAEMON_CLIENTS[client] : undefined;
  if (daemon !== undefined)
    return `not used: ${daemon} starts servers from a daemon, which may stand in another project`;
  const real = realPath(directory) ?? directory;
  const isPlugin = PLUGIN_VARIABLES.some((name) => {
    const root = env[name];
    return root !== undefined && isAbsolute(root) && isInside(real, realPath(root) ?? root);
  });
  return isPlugin ? "not used: it is the plugin's own folder" : undefined;
}
