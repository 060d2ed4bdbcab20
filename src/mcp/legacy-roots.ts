/** Asking a legacy client for its roots: lazily, at most as often as needed, and never for long. */
import type { Server, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Clock, Logger } from '../core/index.ts';
import type { RootsAnswer } from '../project/index.ts';

export interface LegacyRoots {
  ask(context: ServerContext): Promise<RootsAnswer>;
}

export interface LegacyRootsOptions {
  readonly server: Server;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Looser than the SDK's own schema, which throws every root away because of one that is no file URI. */
const ROOTS = z.object({ roots: z.array(z.object({ uri: z.string() })) });
const TIMEOUT_MS = 2_000;
/** After a client did not answer it is left alone for a while, and for longer each time. */
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 600_000;

export function createLegacyRoots({ server, clock, logger }: LegacyRootsOptions): LegacyRoots {
  /** What the client said last; an answer to the question only as long as the client promises to tell of changes. */
  let lastSeen: readonly string[] | undefined;
  let isCurrent = false;
  let pauseMs = 0;
  let quietUntil = 0;
  let asking: Promise<RootsAnswer> | undefined;

  server.setNotificationHandler('notifications/roots/list_changed', () => {
    logger.info('the client says its roots have changed');
    isCurrent = false;
    quietUntil = 0;
  });

  const fallBack = (reason: string): RootsAnswer =>
    lastSeen === undefined ? { kind: 'none', reason } : { kind: 'roots', uris: lastSeen };

  const request = async (context: ServerContext, tellsChanges: boolean): Promise<RootsAnswer> => {
    // Set before asking: a change that arrives while we wait must count.
    isCurrent = tellsChanges;
    try {
      const { roots } = await context.mcpReq.send({ method: 'roots/list' }, ROOTS, { timeout: TIMEOUT_MS });
      lastSeen = roots.map(({ uri }) => uri);
      pauseMs = 0;
      return { kind: 'roots', uris: lastSeen };
    } catch (thrown) {
      isCurrent = false;
      pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, pauseMs * 2));
      quietUntil = clock.elapsed() + pauseMs;
      logger.debug('the client did not tell its roots', {
        reason: thrown instanceof Error ? thrown.message : 'unknown',
        pauseMs,
      });
      return fallBack('the client declares roots but did not tell them');
    }
  };

  return {
    async ask(context) {
      const declared = server.getClientCapabilities()?.roots;
      if (declared === undefined) return { kind: 'none', reason: 'the client declares no roots' };
      const tellsChanges = declared.listChanged === true;
      if (isCurrent && tellsChanges && lastSeen !== undefined && asking === undefined)
        return { kind: 'roots', uris: lastSeen };
      if (clock.elapsed() < quietUntil)
        return fallBack('the client did not tell its roots and is not asked again for a while');
      // Calls that arrive together share one question.
      asking ??= request(context, tellsChanges).finally(() => (asking = undefined));
      return asking;
    },
  };
}
