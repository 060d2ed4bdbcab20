/** Why a legacy client is refused, whichever transport it came by. Pure. */
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { isLegacyVersion, legacyVersions, MODERN_VERSIONS, readableId } from './classify.ts';
import { invalidRequest, type Reply, type RequestId } from './reply.ts';

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

/** Two requests of one id cannot both be answered: nobody could tell the answers apart. */
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
