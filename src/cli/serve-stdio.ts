/** Serves one client over stdio until it goes away or we are told to stop. */
import type { Probe } from '../mcp/index.ts';
import { parentGone } from '../platform/index.ts';
import type { CommandContext } from './command.ts';
import { untilStopped } from './until-stopped.ts';

/** With a probe, that is what the client talks to instead of Waymark itself. */
export async function serveStdio(
  { front, stop }: Pick<CommandContext, 'front' | 'stop'>,
  probe?: Probe,
): Promise<void> {
  const { openStdio } = await front();
  const connection = await openStdio({ factory: probe?.factory, parentGone, observe: probe?.observe });
  await Promise.race([connection.ended, untilStopped(stop)]);
  await connection.close();
}
