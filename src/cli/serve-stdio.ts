/** Serves one client over stdio until it goes away or we are told to stop. */
import type { Probe } from '../mcp/index.ts';
import { parentGone, systemIds } from '../platform/index.ts';
import { createCrashReporter } from '../transport/index.ts';
import type { CommandContext } from './command.ts';
import { untilStopped } from './until-stopped.ts';

/** With a probe, that is what the client talks to instead of Waymark itself. */
export async function serveStdio(
  { services, stop }: Pick<CommandContext, 'services' | 'stop'>,
  probe?: Probe,
): Promise<void> {
  const { servers, logger } = await services(probe === undefined ? { serves: true } : {});
  const [factory, { openStdio }] = await Promise.all([
    probe?.factory ?? servers(),
    import('../mcp/index.ts'),
  ]);
  const connection = openStdio({
    factory,
    logger,
    reportCrash: createCrashReporter(logger, () => systemIds.token(6)),
    parentGone,
    observe: probe?.observe,
  });
  await Promise.race([connection.ended, untilStopped(stop)]);
  await connection.close();
}
