/** A URL that names a set of tools which does not exist is refused before anything runs. */
import { parseToolsets, toAppError } from '../../core/index.ts';
import { isRecord, readableId } from './classify.ts';
import type { Exchange } from './exchange.ts';
import { errorReply, RPC, type Reply } from './reply.ts';

export const TOOLSETS_PARAMETER = 'toolsets';

/** Only what depends on it is refused: a mistake in a URL must not keep a client from closing. */
const METHODS: readonly unknown[] = ['initialize', 'server/discover', 'tools/list', 'tools/call'];

/** The names in a URL; undefined if it says nothing, which leaves it at the server's choice. */
export function readToolsets({ query }: Pick<Exchange, 'query'>): readonly string[] | undefined {
  const names = query.getAll(TOOLSETS_PARAMETER).filter((text) => text.trim() !== '');
  return names.length === 0 ? undefined : names;
}

export function refuseToolsets(names: readonly string[] | undefined, body: unknown): Reply | undefined {
  if (names === undefined) return undefined;
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  const first = messages.find((message) => isRecord(message) && METHODS.includes(message['method']));
  if (first === undefined) return undefined;
  try {
    parseToolsets(names);
    return undefined;
  } catch (thrown) {
    const { message, hint = '' } = toAppError(thrown);
    return errorReply({
      status: 400,
      code: RPC.invalidParams,
      message: `${message} ${hint}`.trim(),
      id: readableId(first),
    });
  }
}
