/** What the access line tells of a message. */
import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server';
import { isRecord, metaOf, readableId } from './classify.ts';
import { noteClient, type Exchange } from './exchange.ts';

/** Names are as long as their sender likes; the access line is not. */
const MAX_NOTED_NAME = 128;

export function noteMessage(exchange: Exchange, body: unknown): void {
  const id = readableId(body);
  if (id !== undefined) exchange.note.id = id;
  if (Array.isArray(body)) exchange.note.rpcMethod = 'batch';
  if (!isRecord(body) || typeof body['method'] !== 'string') return;
  exchange.note.rpcMethod = body['method'].slice(0, MAX_NOTED_NAME);
  const params = body['params'];
  // Sessions know their client from the handshake; everybody else says it with each request.
  const client = body['method'] === 'initialize' && isRecord(params) ? params['clientInfo'] : undefined;
  noteClient(exchange, client ?? metaOf(body)[CLIENT_INFO_META_KEY]);
  if (body['method'] === 'tools/call' && isRecord(params) && typeof params['name'] === 'string')
    exchange.note.tool = params['name'].slice(0, MAX_NOTED_NAME);
}
