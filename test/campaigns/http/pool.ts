/** Sessions and streams that stay open during a campaign, so that mutated requests get past the door. */
import { connect, type Socket } from 'node:net';
import { initialize, rpc, type Message } from './messages.ts';

export interface Pool {
  readonly sessionIds: readonly string[];
  readonly streamIds: readonly string[];
  /** Opens again what requests have ended meanwhile. */
  refresh(): Promise<void>;
  close(): void;
}

const AT_A_TIME = 16;
const ACCEPT = 'application/json, text/event-stream';

export interface PoolOptions {
  readonly port: number;
  readonly sessions: number;
  readonly streams: number;
}

export async function openPool({ port, sessions, streams }: PoolOptions): Promise<Pool> {
  const url = `http://127.0.0.1:${port}/mcp`;
  const sessionIds = await Promise.all(Array.from({ length: sessions }, () => openSession(url)));
  const opened = await Promise.all(Array.from({ length: streams }, () => openStream(port)));
  const streamIds = opened.map(({ id }) => id);
  return {
    sessionIds,
    streamIds,
    async refresh() {
      for (const [at, id] of sessionIds.entries()) {
        const { status } = await post(url, rpc('pool', 'ping'), { 'mcp-session-id': id });
        if (status === 404) sessionIds[at] = await openSession(url);
      }
      for (const [at, { socket }] of opened.entries()) {
        if (!socket.destroyed) continue;
        const again = await openStream(port);
        opened[at] = again;
        streamIds[at] = again.id;
      }
    },
    close: () => opened.forEach(({ socket }) => socket.destroy()),
  };
}

export async function openSession(url: string, version = '2025-03-26'): Promise<string> {
  const { response } = await post(url, initialize('pool', version), {});
  return response.headers.get('mcp-session-id') ?? 'none';
}

/** Opens sessions that are never ended; returns the id of the last. */
export async function openMany(url: string, count: number): Promise<string> {
  let left = count;
  let lastId = '';
  const work = async (): Promise<void> => {
    while (left-- > 0) lastId = await openSession(url, '2025-11-25');
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return lastId;
}

export async function post(
  url: string,
  message: Message,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly text: string; readonly response: Response }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { accept: ACCEPT, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(message),
  });
  return { status: response.status, text: await response.text(), response };
}

/** A raw socket, because a fetch would hold back what it reads from a stream that is never read. */
function openStream(port: number): Promise<{ readonly id: string; readonly socket: Socket }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let seen = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      seen = (seen + text).slice(-2000);
      const id = /sessionId=([\w-]+)/.exec(seen)?.[1];
      if (id !== undefined) resolve({ id, socket });
    });
    socket.on('error', reject);
    socket.write(`GET /sse HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: text/event-stream\r\n\r\n`);
  });
}
