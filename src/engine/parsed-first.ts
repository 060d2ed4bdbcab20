/** Answers from the facts of all files: those that wait are parsed first, and the answer says that it waited for it. */
import { AppError } from '../core/index.ts';
import { renderWaited, type Unseen } from '../structure/index.ts';
import type { EngineCall } from './port.ts';

interface Asked {
  readonly root: string;
  readonly mayWrite: boolean;
}

type ParseWaiting = (root: string, options: { readonly signal: AbortSignal }) => Promise<number>;
type Answering<Request, Answer> = (request: Request, call?: EngineCall) => Promise<Answer>;

const NEVER = new AbortController().signal;

export function createParsedFirst(
  parseWaiting: ParseWaiting,
): <Request extends Asked, Answer extends { readonly unseen: Unseen }>(
  answer: (request: Request) => Promise<Answer>,
) => Answering<Request, Answer> {
  return (answer) =>
    async (request, { signal = NEVER } = {}) => {
      const waitedFor = request.mayWrite ? await parseWaiting(request.root, { signal }) : 0;
      try {
        const given = await answer(request);
        return { ...given, unseen: { ...given.unseen, waitedFor } };
      } catch (thrown) {
        throw withWait(thrown, waitedFor);
      }
    };
}

/** That there is no such symbol took as long as any other answer. */
function withWait(thrown: unknown, waitedFor: number): unknown {
  const [waited] = renderWaited(waitedFor);
  if (!(thrown instanceof AppError) || waited === undefined) return thrown;
  return new AppError(thrown.code, thrown.message, {
    hint: [thrown.hint, `This call ${waited}.`].filter((part) => part !== undefined).join(' '),
    cause: thrown,
  });
}
