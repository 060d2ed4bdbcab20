/**
 * State that a client carries for us from one round of a call to the next. The client could change it, so it is signed,
 * expires, and is bound to who asked and to what was asked.
 */
import { createHash } from 'node:crypto';
import { createRequestStateCodec, type ServerContext } from '@modelcontextprotocol/server';
import { exchangeOf } from '../transport/index.ts';

/** The key states are signed with, and the one before it, whose states are still honoured until they expire. */
export interface StateKeys {
  readonly current: string;
  readonly previous: string | undefined;
}

export interface RoundState {
  /** Digest of the method and the parameters that the question belongs to. */
  readonly asked: string;
}

export interface RequestState {
  mint(state: RoundState, context: ServerContext): Promise<string>;
  /** Throws if the state is changed, expired or another client's. */
  verify(text: string, context: ServerContext): Promise<RoundState>;
}

const TTL_SECONDS = 120;

export function createRequestState(keys: () => StateKeys | Promise<StateKeys>): RequestState {
  const bind = (context: ServerContext): string =>
    [context.mcpReq.method, exchangeOf(context.http?.req)?.principal.id ?? 'local'].join('\0');
  const codecFor = (key: string) => createRequestStateCodec({ key, ttlSeconds: TTL_SECONDS, bind });
  return {
    mint: async (state, context) => codecFor((await keys()).current).mint(state, context),
    async verify(text, context) {
      const { current, previous } = await keys();
      try {
        return toRoundState(await codecFor(current).verify(text, context));
      } catch (thrown) {
        if (previous === undefined) throw thrown;
        return toRoundState(await codecFor(previous).verify(text, context));
      }
    },
  };
}

function toRoundState(value: unknown): RoundState {
  if (typeof value === 'object' && value !== null && 'asked' in value && typeof value.asked === 'string') {
    return { asked: value.asked };
  }
  throw new Error('malformed');
}

/** The same for the same question, however its keys are ordered. */
export function digestQuestion(method: string, params: unknown): string {
  return createHash('sha256')
    .update(`${method}\0${canonical(params)}`)
    .digest('base64url');
}

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const entries = Object.entries(value)
    .filter(([key, item]) => key !== '_meta' && item !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`;
}
