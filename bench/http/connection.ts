/**
 * A client small enough not to be what is measured: one socket, one request at a time. Node's own client costs more than
 * the server's side of a call, and a server that waits for its load pays for a wake-up per request.
 */
import { connect, type Socket } from 'node:net';

export interface Answer {
  readonly status: number;
  /** As they came, one per line. */
  readonly head: string;
  readonly body: string;
}

export interface Connection {
  /** The server has hung up, maybe while it was asked nothing. */
  readonly isClosed: boolean;
  post(headers: Readonly<Record<string, string>>, body: string): Promise<Answer>;
  close(): void;
}

const HEAD_END = '\r\n\r\n';
/** For one answer: a connection that is asked nothing may wait longer, and one that prepares what is measured. */
const MOST_MS = 10_000;
const LAST_CHUNK = '0\r\n\r\n';

export function openConnection(port: number, mostMs = MOST_MS): Connection {
  const socket: Socket = connect(port, '127.0.0.1').setNoDelay().setEncoding('latin1');
  let received = '';
  let waiting: { resolve(answer: Answer): void; reject(error: Error): void } | undefined;
  const fail = (error: Error): void => {
    waiting?.reject(error);
    waiting = undefined;
  };
  socket.on('data', (text: string) => {
    received += text;
    const answer = parseAnswer(received);
    if (answer === undefined) return;
    received = '';
    socket.setTimeout(0);
    waiting?.resolve(answer);
  });
  socket.on('timeout', () => socket.destroy(new Error(`no answer within ${mostMs / 1_000} s`)));
  socket.on('error', fail).on('close', () => fail(new Error('the server hung up')));
  return {
    get isClosed() {
      return socket.destroyed;
    },
    post(headers, body) {
      if (socket.destroyed) return Promise.reject(new Error('the server hung up before'));
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.setTimeout(mostMs);
      const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`;
      socket.write(`POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${lines.join('')}${length}\r\n${body}`);
      return new Promise((resolve, reject) => (waiting = { resolve, reject }));
    },
    close: () => void socket.destroy(),
  };
}

/** Undefined until the whole answer is there. */
function parseAnswer(text: string): Answer | undefined {
  const end = text.indexOf(HEAD_END);
  if (end === -1) return undefined;
  const head = text.slice(0, end);
  const rest = text.slice(end + HEAD_END.length);
  const status = Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
  if (/^transfer-encoding: chunked$/im.test(head)) {
    return rest.endsWith(LAST_CHUNK) ? { status, head, body: joinChunks(rest) } : undefined;
  }
  const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
  return rest.length < length ? undefined : { status, head, body: rest };
}

function joinChunks(text: string): string {
  let body = '';
  for (let at = 0; at < text.length;) {
    const line = text.indexOf('\r\n', at);
    const size = Number.parseInt(text.slice(at, line), 16);
    body += text.slice(line + 2, line + 2 + size);
    at = line + 2 + size + 2;
  }
  return body;
}
