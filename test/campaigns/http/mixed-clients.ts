/** Clients of both eras and all transports over HTTP, told apart by their number. */
import type { Agent } from 'node:http';
import { openEventClient } from './event-client.ts';
import { initialize, modern, modernHeaders, type Json, type Message } from './messages.ts';
import { openSession, post } from './pool.ts';

export interface Connected {
  readonly call: (message: Message) => Promise<Json>;
  readonly close: () => void;
}

/** Half of them modern; of the legacy half every fourth over HTTP+SSE. */
export async function connect(port: number, client: number, agent: Agent): Promise<Connected> {
  const url = `http://127.0.0.1:${port}/mcp`;
  if (client % 2 === 1) {
    return {
      call: async (message) => parse((await post(url, modern(message), modernHeaders(message))).text),
      close() {},
    };
  }
  if (client % 8 === 0) {
    const stream = await openEventClient(port, client % 16 === 0 ? '/sse' : '/mcp', agent);
    await stream.call(initialize(1, '2024-11-05'));
    return { call: stream.call, close: stream.close };
  }
  const sessionId = await openSession(url, '2025-11-25');
  const headers = { 'mcp-session-id': sessionId, 'mcp-protocol-version': '2025-11-25' };
  return { call: async (message) => parse((await post(url, message, headers)).text), close() {} };
}

/** An answer that takes long comes as a stream of events, of which the last is the answer. */
function parse(text: string): Json {
  if (/^\s*[[{]/.test(text)) return JSON.parse(text);
  const [, last = text] = [...text.matchAll(/^data: (.+)$/gm)].at(-1) ?? [];
  return JSON.parse(last);
}
