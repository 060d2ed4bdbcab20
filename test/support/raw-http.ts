/** HTTP as it is on the wire: every header is what the test says, none is added, corrected or hidden. */
import { request as nodeRequest, type IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';

/** A list of values sends the header several times; undefined leaves it out. */
export type RawHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: RawHeaders;
  /** Anything but text is sent as JSON. */
  readonly body?: unknown;
}

export interface RawReply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

export interface RawStream {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** The next event or comment, whole; undefined when the stream has ended. */
  next(): Promise<string | undefined>;
  /** The next event that carries a JSON message. */
  nextMessage(): Promise<Record<string, unknown> | undefined>;
  /** Goes away without a word. */
  leave(): void;
}

export async function send(port: number, asked: RawRequest): Promise<RawReply> {
  const incoming = await exchange(port, asked).head;
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, text: await textOf(incoming) };
}

/** Resolves when the head is there; the rest is read event by event. */
export async function openStream(port: number, asked: RawRequest): Promise<RawStream> {
  const { head, abort } = exchange(port, asked);
  onTestFinished(abort);
  const incoming = await head;
  const events = eventsOf(incoming);
  const next = async (): Promise<string | undefined> => {
    const { done, value } = await events.next();
    return done === true ? undefined : value;
  };
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    next,
    async nextMessage() {
      for (;;) {
        const event = await next();
        if (event === undefined) return undefined;
        const found = /^data: (\{.*\})$/m.exec(event)?.[1];
        if (found !== undefined) return JSON.parse(found);
      }
    },
    leave: abort,
  };
}

/** A request whose answer is not awaited yet. */
export function exchange(
  port: number,
  { method, path, headers = {}, body }: RawRequest,
): { readonly head: Promise<IncomingMessage>; readonly abort: () => void } {
  const content = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const given: RawHeaders = {
    host: `127.0.0.1:${port}`,
    ...(content === undefined ? {} : { 'content-length': String(Buffer.byteLength(content)) }),
    ...headers,
  };
  const flat = Object.entries(given).flatMap(([name, value]) =>
    (value === undefined ? [] : [value].flat()).flatMap((one) => [name, one]),
  );
  const outgoing = nodeRequest({ host: '127.0.0.1', port, method, path, agent: false, headers: flat });
  const head = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
  });
  // An aborted request reports no error.
  head.catch(() => {});
  outgoing.end(content);
  return { head, abort: () => void outgoing.destroy() };
}

export async function textOf(incoming: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of incoming.setEncoding('utf8')) text += String(chunk);
  return text;
}

async function* eventsOf(incoming: IncomingMessage): AsyncGenerator<string, undefined> {
  let rest = '';
  try {
    for await (const chunk of incoming.setEncoding('utf8')) {
      rest += String(chunk);
      for (let end = rest.indexOf('\n\n'); end !== -1; end = rest.indexOf('\n\n')) {
        yield rest.slice(0, end);
        rest = rest.slice(end + 2);
      }
    }
  } catch {
    // For a reader of events, cut off is the same as ended.
  }
  return undefined;
}
