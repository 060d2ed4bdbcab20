/** Reads HTTP answers off a socket's bytes, one after the other. Strict enough to notice answers that are none. */

export interface WireAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** A stream of events without an end: only its head was waited for. */
  readonly isStream: boolean;
  /** The server keeps the connection for another request. */
  readonly isReusable: boolean;
}

export interface AnswerReader {
  push(bytes: Buffer): void;
  /** The next whole answer, if its bytes are there. Throws on bytes that are no answer. */
  next(expected: ExpectedAnswer, ended: boolean): WireAnswer | undefined;
}

export interface ExpectedAnswer {
  /** For answers to HEAD. */
  readonly bodiless: boolean;
  /** A stream, if it is one, is there to listen on; every other one ends with its answer. */
  readonly endless: boolean;
}

export function createAnswerReader(): AnswerReader {
  let unread: Buffer = Buffer.alloc(0);
  return {
    push(bytes) {
      unread = unread.length === 0 ? bytes : Buffer.concat([unread, bytes]);
    },
    next(expected, ended) {
      for (;;) {
        const end = unread.indexOf('\r\n\r\n');
        if (end === -1) {
          if (unread.length > 0 && !'HTTP/1.'.startsWith(unread.toString('latin1', 0, 7)))
            throw new Error(`no HTTP answer: ${unread.toString('latin1', 0, 60)}`);
          return undefined;
        }
        const head = parseHead(unread.toString('latin1', 0, end));
        const rest = unread.subarray(end + 4);
        if (head.status >= 100 && head.status < 200) {
          unread = rest;
          continue;
        }
        const found = readBody(head, rest, { ...expected, ended });
        if (found === undefined) return undefined;
        unread = rest.subarray(found.used);
        const isReusable =
          !found.isStream && head.headers.get('connection')?.toLowerCase() !== 'close' && found.framed;
        return { ...head, body: found.body, isStream: found.isStream, isReusable };
      }
    },
  };
}

interface Head {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
}

function parseHead(text: string): Head {
  const [first = '', ...lines] = text.split('\r\n');
  const status = /^HTTP\/1\.[01] (\d{3}) /.exec(first)?.[1];
  if (status === undefined) throw new Error(`no status line: ${first.slice(0, 80)}`);
  const headers = lines.map((line): readonly [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status: Number(status), headers: new Map(headers) };
}

interface BodyFound {
  readonly body: string;
  readonly used: number;
  readonly isStream: boolean;
  readonly framed: boolean;
}

function readBody(
  { status, headers }: Head,
  rest: Buffer,
  { bodiless, endless, ended }: ExpectedAnswer & { readonly ended: boolean },
): BodyFound | undefined {
  if (bodiless || status === 204 || status === 304)
    return { body: '', used: 0, isStream: false, framed: true };
  if (endless && headers.get('content-type')?.startsWith('text/event-stream') === true)
    return { body: '', used: rest.length, isStream: true, framed: false };
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(rest);
  const length = headers.get('content-length');
  if (length === undefined)
    return ended ? { body: rest.toString(), used: rest.length, isStream: false, framed: false } : undefined;
  const used = Number(length);
  if (rest.length < used) return undefined;
  return { body: rest.toString('utf8', 0, used), used, isStream: false, framed: true };
}

function readChunks(rest: Buffer): BodyFound | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const lineEnd = rest.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(rest.toString('latin1', at, lineEnd), 16);
    if (Number.isNaN(size)) throw new Error('a chunk without a size');
    const end = lineEnd + 2 + size;
    if (rest.length < end + 2) return undefined;
    if (size === 0) {
      return { body: Buffer.concat(parts).toString(), used: end + 2, isStream: false, framed: true };
    }
    parts.push(rest.subarray(lineEnd + 2, end));
    at = end + 2;
  }
}
