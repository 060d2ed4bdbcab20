/** Tells clients whose tokens are taken (RFC 9728), at the addresses where they look. */
import { SCOPES } from '../core/index.ts';
import {
  jsonReply,
  methodNotAllowed,
  refuseContent,
  type Edge,
  type Exchange,
  type Reply,
} from '../transport/index.ts';

export interface MetadataParts {
  readonly issuer: string;
  /** Where clients find the server. */
  readonly publicUrl: () => string;
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

export function metadataUrlOf(publicUrl: string): string {
  const { origin, pathname } = new URL(publicUrl);
  return `${origin}${WELL_KNOWN}${pathname === '/' ? '' : pathname}`;
}

/** Open to every caller that passes the access checks: what it says is what a caller without a token has to know. */
export function createMetadataEdge({ issuer, publicUrl }: MetadataParts): Edge {
  return {
    asksForItself: true,
    serves: (path) =>
      // A proxy may serve us below a path of its own, which is in the public address alone.
      [WELL_KNOWN, `${WELL_KNOWN}/mcp`, new URL(metadataUrlOf(publicUrl())).pathname].includes(path),
    handle: async (exchange) => answer(exchange),
    close: async () => {},
  };

  function answer(exchange: Exchange): Reply {
    if (exchange.method !== 'GET') return methodNotAllowed('GET');
    const unexpected = refuseContent(exchange);
    if (unexpected !== undefined) return unexpected;
    return jsonReply(200, {
      resource: publicUrl(),
      authorization_servers: [issuer],
      // What everyday work needs; `admin` is asked for when a call needs it.
      scopes_supported: SCOPES.filter((scope) => scope !== 'admin'),
      bearer_methods_supported: ['header'],
      resource_name: 'Waymark',
    });
  }
}
