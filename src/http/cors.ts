/** Cross-origin answers, for the origins the user named and nobody else. */
import { emptyReply, type Reply } from '../mcp/index.ts';
import { isNamedOrigin, type GuardRules } from './guard.ts';

const ALLOWED_HEADERS =
  'Content-Type, Accept, Authorization, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID';

export function corsHeaders(origin: string | undefined, rules: GuardRules): Readonly<Record<string, string>> {
  if (!isNamedOrigin(origin, rules)) return {};
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': 'Mcp-Session-Id, Mcp-Protocol-Version',
    Vary: 'Origin',
  };
}

/** Undefined for everybody who was not named: they get the 405 of any other verb, without a word about origins. */
export function answerPreflight(origin: string | undefined, rules: GuardRules): Reply | undefined {
  if (!isNamedOrigin(origin, rules)) return undefined;
  return emptyReply(204, {
    'Access-Control-Allow-Methods': 'GET, POST, DELETE',
    'Access-Control-Allow-Headers': ALLOWED_HEADERS,
    'Access-Control-Max-Age': '600',
  });
}
