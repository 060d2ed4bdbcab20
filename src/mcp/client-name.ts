/** What a client calls itself: a legacy one when it says hello, a modern one with every request. */
import { CLIENT_INFO_META_KEY, type Server, type ServerContext } from '@modelcontextprotocol/server';
import { escapeControl } from '../text/index.ts';

const MAX_CHARS = 80;

/** Name and version, as they may be shown. */
export function clientName(server: Server, context: ServerContext): string {
  const parts = ['name', 'version'].map((field) => said(server, context, field));
  const text = parts.filter((part) => part !== undefined).join(' ');
  return escapeControl(text).slice(0, MAX_CHARS) || 'unknown client';
}

/** The name alone, to be compared and not to be shown. */
export function bareClientName(server: Server, context: ServerContext): string | undefined {
  return said(server, context, 'name');
}

function said(server: Server, context: ServerContext, field: string): string | undefined {
  const envelope: object = context.mcpReq.envelope ?? {};
  const info: unknown = Reflect.get(envelope, CLIENT_INFO_META_KEY) ?? server.getClientVersion();
  if (typeof info !== 'object' || info === null) return undefined;
  const value: unknown = Reflect.get(info, field);
  return typeof value === 'string' ? value : undefined;
}
