/** The one reader of request bodies. Bounded in bytes, in elements and in depth, so that no request costs more than its size. */
import type { IncomingMessage } from 'node:http';
import type { Body } from '../transport/index.ts';

export const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** A tool call has tens of values, not tens of thousands; validating millions is how servers die. */
export const MAX_BODY_ELEMENTS = 10_000;
export const MAX_BODY_DEPTH = 64;

const EMPTY = Buffer.alloc(0);
const TOO_LARGE: Body = { kind: 'too_large', message: `Request body exceeds ${MAX_BODY_BYTES} bytes` };

/** `goOn` answers `Expect: 100-continue`. */
export function readBody(incoming: IncomingMessage, goOn: () => void): Promise<Body> {
  // A compressed body would have to be unpacked before its size is known; no client sends one.
  const coding = incoming.headers['content-encoding'];
  if (coding !== undefined && coding !== 'identity') return Promise.resolve({ kind: 'malformed' });
  if (Number(incoming.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return Promise.resolve(TOO_LARGE);
  if (incoming.destroyed) return Promise.resolve({ kind: 'gone' });
  if (incoming.headers.expect?.toLowerCase() === '100-continue') goOn();
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      incoming.off('data', take).pause();
      resolve(TOO_LARGE);
    };
    incoming
      .on('data', take)
      .once('end', () =>
        resolve(parseBody(chunks.length === 1 ? (chunks[0] ?? EMPTY) : Buffer.concat(chunks))),
      )
      // A client that hangs up in the middle; after the end this says nothing new.
      .once('close', () => resolve({ kind: 'gone' }))
      .once('error', () => resolve({ kind: 'gone' }));
  });
}

export function parseBody(bytes: Buffer): Body {
  const excess = findExcess(bytes);
  if (excess !== undefined) return { kind: 'too_large', message: excess };
  try {
    return { kind: 'json', value: JSON.parse(bytes.toString('utf8')) };
  } catch {
    return { kind: 'malformed' };
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Counts in the raw bytes, before anything is built from them. */
function findExcess(bytes: Buffer): string | undefined {
  // Small bodies cannot hold too much: an element takes two bytes.
  if (bytes.length < MAX_BODY_DEPTH) return undefined;
  let elements = 1;
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === COMMA) elements += 1;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      elements += 1;
      depth += 1;
      if (depth > MAX_BODY_DEPTH) return `Request body is nested deeper than ${MAX_BODY_DEPTH} levels`;
    }
    if (elements > MAX_BODY_ELEMENTS) return `Request body has more than ${MAX_BODY_ELEMENTS} elements`;
  }
  return undefined;
}

/**
 * The position of the closing quote; an unclosed string runs to the end. Byte by byte: the built-in search is faster over
 * long strings, but a body of nothing but quotes or escapes would call it two million times.
 */
function endOfString(bytes: Buffer, start: number): number {
  let at = start + 1;
  for (; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at++;
  }
  return at;
}
