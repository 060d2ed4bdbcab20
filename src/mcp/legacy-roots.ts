/** Asking a legacy client for its roots: lazily, at most as often as needed, and never for long. */
import { SdkError, SdkErrorCode, type Server, type ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Clock, Logger } from '../core/index.ts';
import type { RootsAnswer } from '../project/index.ts';
import { NO_ROOTS, readRootUris } from './read-root-uris.ts';

export interface LegacyRoots {
  ask(context: ServerContext): Promise<RootsAnswer>;
  /** What asking would come to where the client need not be asked; undefined where it has to be. */
  settled(): RootsAnswer | undefined;
  /** What the client told last, without asking. */
  known(): RootsAnswer | undefined;
}

export interface LegacyRootsOptions {
  readonly server: Server;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Question {
  /** How often the client had told of changes when it was asked. */
  readonly generation: number;
  /** Questions are counted, because answers may come in another order. */
  readonly number: number;
}

/** What came of a question; `gone` if the call it was asked for was cancelled before the client answered. */
type Outcome = { readonly kind: 'answered'; readonly answer: RootsAnswer } | { readonly kind: 'gone' };

const ROOTS = z.object({ roots: z.array(z.unknown()) });
const TIMEOUT_MS = 2_000;
/** After a client did not answer it is left alone for a while, and for longer each time. */
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 600_000;

export function createLegacyRoots({ server, clock, logger }: LegacyRootsOptions): LegacyRoots {
  let generation = 0;
  let questions = 0;
  /** What the client said last; an answer to a new question only as long as it promises to tell of changes. */
  let told: (Question & { readonly uris: readonly string[] }) | undefined;
  let open: (Question & { readonly outcome: Promise<Outcome> }) | undefined;
  let pauseMs = 0;
  let quietUntil = 0;

  server.setNotificationHandler('notifications/roots/list_changed', () => {
    logger.info('the client says its roots have changed');
    generation += 1;
    quietUntil = 0;
  });

  const fallBack = (reason: string): RootsAnswer =>
    told === undefined ? { kind: 'none', reason } : { kind: 'roots', uris: told.uris, earlier: true };

  /** Only silence costs a pause: an error comes at once, and the next call may get an answer. */
  const heedSilence = ({ generation: asked, number }: Question): void => {
    const outdated = asked !== generation || (told !== undefined && told.number > number);
    if (outdated || clock.elapsed() < quietUntil) return;
    pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, pauseMs * 2));
    quietUntil = clock.elapsed() + pauseMs;
  };

  const put = async (context: ServerContext, question: Question): Promise<Outcome> => {
    const { signal } = context.mcpReq;
    try {
      const { roots } = await context.mcpReq.send({ method: 'roots/list' }, ROOTS, {
        timeout: TIMEOUT_MS,
        signal,
      });
      const uris = readRootUris(roots);
      if (told === undefined || told.number < question.number) told = { ...question, uris };
      pauseMs = 0;
      return { kind: 'answered', answer: { kind: 'roots', uris } };
    } catch (thrown) {
      // The caller went away; that says nothing about the client's roots.
      if (signal.aborted) return { kind: 'gone' };
      if (thrown instanceof SdkError && thrown.code === SdkErrorCode.RequestTimeout) heedSilence(question);
      logger.debug('the client did not tell its roots', {
        reason: thrown instanceof Error ? thrown.message : 'unknown',
        pauseMs,
      });
      return { kind: 'answered', answer: fallBack('the client declares roots but did not tell them') };
    }
  };

  const start = (context: ServerContext): Promise<Outcome> => {
    const question = { generation, number: ++questions };
    const outcome = put(context, question).finally(() => {
      if (open?.number === question.number) open = undefined;
    });
    open = { ...question, outcome };
    return outcome;
  };

  const settled = (): RootsAnswer | undefined => {
    const declared = server.getClientCapabilities()?.roots;
    if (declared === undefined) return NO_ROOTS;
    if (declared.listChanged === true && told?.generation === generation)
      return { kind: 'roots', uris: told.uris };
    return clock.elapsed() < quietUntil
      ? fallBack('the client did not tell its roots and is not asked again for a while')
      : undefined;
  };

  return {
    settled,
    known: () => (told === undefined ? undefined : { kind: 'roots', uris: told.uris, earlier: true }),
    async ask(context) {
      const tellsChanges = server.getClientCapabilities()?.roots?.listChanged === true;
      for (;;) {
        const answer = settled();
        if (answer !== undefined) return answer;
        // Calls that arrive together share a question, if nothing can have changed since it was asked.
        const shared = tellsChanges && open?.generation === generation ? open.outcome : undefined;
        const outcome = await (shared ?? start(context));
        if (outcome.kind === 'answered') return outcome.answer;
        // Shared with a call that was cancelled: this one asks for itself.
        if (shared === undefined || context.mcpReq.signal.aborted)
          return fallBack('the call was cancelled before the client told its roots');
      }
    },
  };
}
