/** What a handshake asks and tells. Pure. */
import { estimateListingTokens } from '../text/index.ts';

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'waymark-setup', version: '1' },
  },
} as const;

export const LIST_TOOLS = { jsonrpc: '2.0', id: 2, method: 'tools/list' } as const;

/**
 * `no token`: none was sent. `no variable`: the one that should hold it is not set here. `not filled in`: the client sends the
 * variable's name. `wrong token`: it was refused.
 */
export type TokenTrouble = 'no token' | 'no variable' | 'not filled in' | 'wrong token';

export type Handshake =
  | {
      readonly kind: 'answered';
      readonly server: string;
      readonly version: string;
      readonly protocol: string;
      readonly tools: number;
      /** What name, description and input schema of all tools cost in an agent's context, about. */
      readonly tokens: number;
      /** From the start of the program, or the first request, to the list of tools. */
      readonly ms: number;
    }
  | {
      readonly kind: 'failed';
      readonly why: 'no program' | 'ended' | 'silent' | 'no MCP' | 'unreachable' | 'refused' | TokenTrouble;
      /** May hold words of the program that was started: escape before printing. */
      readonly detail: string;
    }
  /** What the client would do cannot be done from outside it. */
  | { readonly kind: 'not tried'; readonly why: string };

/** A line of the protocol as an object. */
export function toMessage(line: string): Record<string, unknown> | 'no message' {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : 'no message';
  } catch {
    return 'no message';
  }
}

export function readTools(
  hello: Record<string, unknown>,
  list: Record<string, unknown>,
  ms: number,
): Handshake {
  const { result } = hello;
  const told = isObject(result) ? result : {};
  const server = isObject(told['serverInfo']) ? told['serverInfo'] : undefined;
  const tools = isObject(list['result']) ? list['result']['tools'] : undefined;
  if (server === undefined || !Array.isArray(tools)) {
    return { kind: 'failed', why: 'no MCP', detail: 'its answers are not those of an MCP server' };
  }
  return {
    kind: 'answered',
    server: String(server['name']),
    version: String(server['version']),
    protocol: String(told['protocolVersion']),
    tools: tools.length,
    tokens: estimateListingTokens(tools.filter(isObject)),
    ms,
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const TOKEN_TROUBLES: readonly string[] = [
  'no token',
  'no variable',
  'not filled in',
  'wrong token',
] satisfies TokenTrouble[];

/** Whether a token would have helped, or a better one. */
export function isTokenTrouble(why: string): why is TokenTrouble {
  return TOKEN_TROUBLES.includes(why);
}
