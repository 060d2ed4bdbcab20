/** Why a request is refused before any server sees it. Pure. */
import { PROTOCOL_VERSION_META_KEY, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { AppError, parseToolsets, toAppError, type Scope, type SourceReport } from '../../core/index.ts';
import { quoteForeign } from '../../text/index.ts';
import {
  errorReply,
  invalidRequest,
  RPC,
  type Exchange,
  type QueryValue,
  type Reply,
  type RequestId,
  type UrlChoices,
} from '../../transport/index.ts';
import type { ServerFactory } from '../connection.ts';
import {
  hasLostId,
  isLegacyVersion,
  isModernVersion,
  isRecord,
  legacyVersions,
  metaOf,
  MODERN_VERSIONS,
  readableId,
} from './messages.ts';

const MISSING_SESSION =
  'Bad Request: Missing session ID. No session ID provided; send the Mcp-Session-Id header returned by initialize.';

export function missingSession(id?: RequestId): Reply {
  return invalidRequest(400, MISSING_SESSION, id);
}

export function sessionNotFound(id?: RequestId): Reply {
  return invalidRequest(404, 'Session not found', id);
}

export function batchRefused(id?: RequestId): Reply {
  return invalidRequest(400, 'Invalid Request: batches are not part of this protocol version', id);
}

export interface VersionFacts {
  /** Whether the request names a session, be it over or not. */
  readonly inSession: boolean;
  readonly id?: RequestId | undefined;
}

/**
 * Undefined if the version header is absent or one we know; the SDK's list decides. Inside a session that includes the
 * modern ones: Claude Code 2.1.245 sends such a header, and the session says what its client is.
 */
export function refuseVersion(
  version: string | undefined,
  { inSession, id }: VersionFacts,
): Reply | undefined {
  if (version === undefined || isLegacyVersion(version)) return undefined;
  if (inSession && MODERN_VERSIONS.includes(version)) return undefined;
  const supported = legacyVersions().join(', ');
  return invalidRequest(
    400,
    `Bad Request: Unsupported protocol version (supported versions: ${supported})`,
    id,
  );
}

/** F18: one handshake per session. */
export function initializedAlready(id?: RequestId): Reply {
  return invalidRequest(400, 'Invalid Request: the session is initialized already', id);
}

/** Two requests of one id cannot both be answered: the answers could not be told apart. */
export function refuseSharedId(messages: readonly JSONRPCMessage[]): Reply | undefined {
  const seen = new Set<RequestId>();
  for (const message of messages) {
    const id = 'method' in message ? readableId(message) : undefined;
    if (id === undefined) continue;
    if (seen.has(id))
      return invalidRequest(400, 'Invalid Request: two requests of the batch have the same id', id);
    seen.add(id);
  }
  return undefined;
}

/** Batches were taken out of the protocol with 2025-06-18. */
export function allowsBatch(version: string | undefined): boolean {
  return version === '2024-11-05' || version === '2025-03-26';
}

const NO_MESSAGE = 'The body is not a JSON-RPC message';
const LOST_ID = 'The id is a number beyond 2^53, which is not kept exactly; send it as text';

/** JSON, but no message of JSON-RPC. The code differs by era. */
export function notJsonRpc(code: number, body: unknown): Reply {
  const lost = Array.isArray(body) ? body.some(hasLostId) : hasLostId(body);
  return errorReply({ status: 400, code, message: lost ? LOST_ID : NO_MESSAGE, id: readableId(body) });
}

/** Each session keeps what initialize says of its client; times the number of sessions that is memory any client can take. */
export const MAX_INITIALIZE_CHARACTERS = 32 * 1024;

export function refuseInitialize(body: unknown): Reply | undefined {
  // In a batch it would pass every check of a first message.
  if (Array.isArray(body)) {
    const initialize = body.find(isInitializeMethod);
    if (initialize === undefined) return undefined;
    return invalidRequest(
      400,
      'Invalid Request: initialize cannot be part of a batch',
      readableId(initialize),
    );
  }
  if (!isInitializeMethod(body) || JSON.stringify(body).length <= MAX_INITIALIZE_CHARACTERS) return undefined;
  return invalidRequest(
    413,
    `initialize takes at most ${MAX_INITIALIZE_CHARACTERS} characters`,
    readableId(body),
  );
}

function isInitializeMethod(message: unknown): boolean {
  return isRecord(message) && message['method'] === 'initialize';
}

/** Only what works on a project is refused: a deleted directory must not keep a client from pinging or closing. */
const PROJECT_METHODS: readonly unknown[] = ['initialize', 'tools/call', 'resources/read', 'prompts/get'];

/** A URL that names a project which cannot be used. */
export function refuseProject(
  path: QueryValue | undefined,
  body: unknown,
  checkQuery: (path: QueryValue) => SourceReport,
): Reply | undefined {
  if (path === undefined) return undefined;
  const first = findMethod(body, PROJECT_METHODS);
  if (first === undefined) return undefined;
  const report = checkQuery(path);
  if (report.kind !== 'refused') return undefined;
  const status = report.why === 'forbidden' ? 403 : 400;
  return errorReply({ status, code: RPC.invalidParams, message: report.message, id: readableId(first) });
}

const TOOLSETS_PARAMETER = 'toolsets';
const STRUCTURED_PARAMETER = 'structured';

/** Only what depends on a choice is refused: a mistake in a URL must not keep a client from closing. */
const CHOICE_METHODS: readonly unknown[] = ['initialize', 'server/discover', 'tools/list', 'tools/call'];

/** `?toolsets=` and `?structured=`. */
export function readUrlChoices({ query }: { readonly query: URLSearchParams }): UrlChoices {
  const toolsets = query.getAll(TOOLSETS_PARAMETER).filter((text) => text.trim() !== '');
  const structured = query.get(STRUCTURED_PARAMETER)?.trim() ?? '';
  return {
    ...(toolsets.length === 0 ? {} : { toolsets }),
    ...(structured === '' ? {} : { structured }),
  };
}

/** `true` or `false`; undefined where nothing was chosen. */
export function parseStructured(written: string | undefined): boolean | undefined {
  if (written === undefined) return undefined;
  if (written === 'true' || written === 'false') return written === 'true';
  throw new AppError(
    'bad_argument',
    `\`${STRUCTURED_PARAMETER}\` is true or false, not ${quoteForeign(written)}.`,
    {
      hint: `Write ?${STRUCTURED_PARAMETER}=true, or leave it out.`,
    },
  );
}

export function refuseUrlChoices(choices: UrlChoices, body: unknown): Reply | undefined {
  const first = findMethod(body, CHOICE_METHODS);
  if (first === undefined) return undefined;
  try {
    if (choices.toolsets !== undefined) parseToolsets(choices.toolsets);
    parseStructured(choices.structured);
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

/** The only methods that reach code or memory; listings are the same for every caller. */
const GUARDED_METHODS: readonly unknown[] = ['tools/call', 'resources/read', 'prompts/get'];

/** What the caller of all messages of a body must be allowed. */
export function scopesNeeded({ neededScope }: ServerFactory, body: unknown): readonly Scope[] {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  return messages.flatMap((message) => {
    if (!isRecord(message) || !GUARDED_METHODS.includes(message['method'])) return [];
    // A server of another making says nothing of its tools.
    if (neededScope === undefined) return ['admin'];
    const params = isRecord(message['params']) ? message['params'] : {};
    return neededScope(String(message['method']), params) ?? [];
  });
}

/** The first message of the body with one of these methods. */
function findMethod(body: unknown, methods: readonly unknown[]): unknown {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  return messages.find((message) => isRecord(message) && methods.includes(message['method']));
}

/** Without a version anywhere the SDK takes the request for a legacy one; its other keys say that it is not. */
export function refuseEnvelope(exchange: Exchange, body: unknown): Reply | undefined {
  if (isModernVersion(exchange.header('mcp-protocol-version'))) return undefined;
  if (!isRecord(body) || metaOf(body)[PROTOCOL_VERSION_META_KEY] !== undefined) return undefined;
  const message = `Invalid params: _meta lacks ${PROTOCOL_VERSION_META_KEY}`;
  return errorReply({ status: 400, code: RPC.invalidParams, message, id: readableId(body) });
}

/** The SDK finds these out only inside the handler, when the status is decided; the contract wants 400. */
export function refuseParams(body: unknown): Reply | undefined {
  if (!isRecord(body) || body['method'] !== 'tools/call' || !isRecord(body['params'])) return undefined;
  const { name, arguments: args } = body['params'];
  if (typeof name === 'string' && (args === undefined || isRecord(args))) return undefined;
  const message = 'Invalid params for tools/call. It takes {name: string, arguments?: object}.';
  return errorReply({ status: 400, code: RPC.invalidParams, message, id: readableId(body) });
}
