/** What a client calls itself: a legacy one when it says hello, a modern one with every request. */
import { CLIENT_INFO_META_KEY, type Server, type ServerContext } from '@modelcontextprotocol/server';
import { escapeControl } from '../text/index.ts';

const MAX_CHARS = 80;

export function clientName(server: Server, context: ServerContext): string {
  const envelope: object = context.mcpReq.envelope ?? {};
  const said: unknown = Reflect.get(envelope, CLIENT_INFO_META_KEY) ?? server.getClientVersion();
  if (typeof said !== 'object' || said === null) return 'unknown client';
  const parts = [Reflect.get(said, 'name'), Reflect.get(said, 'version')].filter(
    (part): part is string => typeof part === 'string',
  );
  return escapeControl(parts.join(' ')).slice(0, MAX_CHARS) || 'unknown client';
}
