/** HTTP as bytes: nothing is added, corrected or hidden. */
import { connect } from 'node:net';

export interface WireReply {
  /** Of the first answer; 0 where none came. */
  readonly status: number;
  /** Of all answers on the connection. */
  readonly statuses: readonly number[];
  /** Head and body as they came. */
  readonly text: string;
  readonly isClosed: boolean;
}

/** How long the other side may be silent before the answer counts as whole; longer where it was asked to close. */
const QUIET_MS = 150;
const CLOSING_MS = 2_000;
const FIRST_MS = 8_000;

/** Writes these bytes, and gives what came until the connection ended or fell silent. */
export function wire(
  port: number,
  pieces: string | Buffer | readonly (string | Buffer)[],
): Promise<WireReply> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const isClosing = [pieces].flat().some((piece) => piece.includes('Connection: close'));
    let text = '';
    let timer = setTimeout(() => finish(false), FIRST_MS);
    function finish(isClosed: boolean): void {
      clearTimeout(timer);
      socket.destroy();
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
      resolve({ status: statuses[0] ?? 0, statuses, text, isClosed });
    }
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += String(chunk);
      clearTimeout(timer);
      const isEndless = text.includes('text/event-stream');
      timer = setTimeout(() => finish(false), isClosing && !isEndless ? CLOSING_MS : QUIET_MS);
    });
    socket.once('close', () => finish(true));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      // A reset after a refusal is a refusal.
      if (error.code === 'ECONNREFUSED') reject(error);
    });
    socket.once('connect', () => {
      for (const piece of [pieces].flat())
        socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece);
    });
  });
}

export interface WireRequest {
  readonly method?: string;
  readonly path?: string;
  /** Lines of the head, in their order; a Host comes before them unless one is among them. */
  readonly headers?: readonly string[];
  /** Text, or a value that is sent as JSON. */
  readonly body?: unknown;
}

const BOTH = 'Accept: application/json, text/event-stream';
const JSON_TYPE = 'Content-Type: application/json';

/** One well-formed request on a connection of its own. */
export function send(port: number, request: WireRequest): Promise<WireReply> {
  return wire(port, render(port, request));
}

export function render(port: number, { method, path = '/mcp', headers = [], body }: WireRequest): string {
  const content = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const verb = method ?? (content === undefined ? 'GET' : 'POST');
  const says = (name: string): boolean => headers.some((line) => line.toLowerCase().startsWith(`${name}:`));
  const lines = [
    `${verb} ${path} HTTP/1.1`,
    ...(says('host') ? [] : [`Host: 127.0.0.1:${port}`]),
    ...(says('accept') ? [] : [BOTH]),
    ...(content === undefined
      ? []
      : [...(says('content-type') ? [] : [JSON_TYPE]), `Content-Length: ${Buffer.byteLength(content)}`]),
    ...headers.filter((line) => line !== ''),
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${Buffer.from(content ?? '').toString('latin1')}`;
}

export const HELLO = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'attacker', version: '1' },
  },
} as const;

export const PING = { jsonrpc: '2.0', id: 2, method: 'ping' } as const;
export const LIST = { jsonrpc: '2.0', id: 3, method: 'tools/list' } as const;

/** Shakes hands as another client would; gives the session's id. */
export async function openSession(
  port: number,
  {
    name = 'victim',
    headers = [],
    version = '2025-11-25',
  }: { name?: string; headers?: readonly string[]; version?: string } = {},
): Promise<string> {
  const params = { ...HELLO.params, protocolVersion: version, clientInfo: { name, version: '1' } };
  const { text } = await send(port, { headers, body: { ...HELLO, params } });
  const id = /^mcp-session-id: (\S+)/im.exec(text)?.[1];
  if (id === undefined) throw new Error(`no session: ${text.slice(0, 300)}`);
  await send(port, {
    headers: [`Mcp-Session-Id: ${id}`, ...headers],
    body: { jsonrpc: '2.0', method: 'notifications/initialized' },
  });
  return id;
}

/** The status of a ping in a session. */
export async function pingIn(
  port: number,
  session: string,
  headers: readonly string[] = [],
): Promise<number> {
  const { status } = await send(port, { headers: [`Mcp-Session-Id: ${session}`, ...headers], body: PING });
  return status;
}
