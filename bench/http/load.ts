/** A light load: a few connections, each asking again as soon as it is answered. Every answer is checked. */
import { openConnection, type Answer, type Connection } from './connection.ts';

export type Era = 'legacy' | 'modern';

export interface Load {
  readonly port: number;
  readonly era: Era;
  readonly connections: number;
}

export interface Driver {
  /** Makes this many calls and resolves when all are answered. */
  run(calls: number): Promise<void>;
  close(): void;
}

interface Caller {
  readonly connection: Connection;
  readonly headers: Readonly<Record<string, string>>;
  readonly meta: Readonly<Record<string, unknown>>;
}

const MODERN = '2026-07-28';
const LEGACY = '2025-11-25';
const CLIENT = { name: 'bench', version: '1' };
const HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

/** Opens what the era needs (a session per connection, or nothing) before anything is measured. */
export async function openDriver({ port, era, connections }: Load): Promise<Driver> {
  const open = era === 'modern' ? modernCaller : sessionCaller;
  const callers = await Promise.all(Array.from({ length: connections }, () => open(openConnection(port))));
  let next = 0;
  return {
    async run(calls) {
      const last = next + calls;
      const work = async ({ connection, headers, meta }: Caller): Promise<void> => {
        while (next < last) {
          const id = next++;
          const text = `hello ${id}`;
          const params = { name: 'echo', arguments: { text }, ...meta };
          const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
          checkEcho(await connection.post(headers, body), id, text);
        }
      };
      await Promise.all(callers.map(work));
    },
    close() {
      for (const { connection } of callers) connection.close();
    },
  };
}

async function modernCaller(connection: Connection): Promise<Caller> {
  const key = (name: string): string => `io.modelcontextprotocol/${name}`;
  return {
    connection,
    headers: { ...HEADERS, 'MCP-Protocol-Version': MODERN, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'echo' },
    meta: {
      _meta: {
        [key('protocolVersion')]: MODERN,
        [key('clientCapabilities')]: {},
        [key('clientInfo')]: CLIENT,
      },
    },
  };
}

async function sessionCaller(connection: Connection): Promise<Caller> {
  const params = { protocolVersion: LEGACY, capabilities: {}, clientInfo: CLIENT };
  const initialize = { jsonrpc: '2.0', id: 'open', method: 'initialize', params };
  const { head } = await connection.post(HEADERS, JSON.stringify(initialize));
  const session = /^mcp-session-id: (.+)$/im.exec(head)?.[1];
  if (session === undefined) throw new Error(`no session was opened: ${head}`);
  const headers = { ...HEADERS, 'MCP-Protocol-Version': LEGACY, 'Mcp-Session-Id': session };
  await connection.post(headers, JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  return { connection, headers, meta: {} };
}

function checkEcho({ status, body }: Answer, id: number, said: string): void {
  const json = body.startsWith('{') ? body : /^data: (.+)$/m.exec(body)?.[1];
  const message = status === 200 && json !== undefined ? JSON.parse(json) : undefined;
  if (message?.id === id && message.result?.content?.[0]?.text === said) return;
  throw new Error(`call ${id} was answered with ${status}: ${body.slice(0, 300)}`);
}
