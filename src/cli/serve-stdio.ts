/** Serves one client over stdio until it goes away or we are told to stop. */
import { parentGone } from '../platform/index.ts';
import type { CommandContext } from './command.ts';
import { untilStopped } from './until-stopped.ts';

export async function serveStdio({
  services,
  stop,
}: Pick<CommandContext, 'services' | 'stop'>): Promise<void> {
  const { servers, logger } = await services();
  const [factory, { openStdio }] = await Promise.all([servers(), import('../mcp/index.ts')]);
  const connection = openStdio({ factory, logger, parentGone });
  await Promise.race([connection.ended, untilStopped(stop)]);
  await connection.close();
}
