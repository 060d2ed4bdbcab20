/** Requests that no client should send. The same seed, index and sessions always give the same bytes. */
import { gzipSync } from 'node:zlib';
import {
  isMessage,
  LEGACY_ONLY,
  LEGACY_VERSIONS,
  modern,
  MODERN_ONLY,
  modernHeaders,
  SHARED_REQUESTS,
  type Json,
} from './messages.ts';
import { mutateBytes, mutateJson } from './mutate-json.ts';
import { oddHeader, ODD_TARGETS, ODD_VERBS } from './odd-values.ts';
import { createRandom, type Random } from './seeded-random.ts';
import { renderRequest, type WireRequest } from './wire-request.ts';

export interface Surroundings {
  readonly port: number;
  /** Sessions and streams that are open, for requests that get past the door. */
  readonly sessionIds: readonly string[];
  readonly streamIds: readonly string[];
}

export interface Mutant {
  readonly label: string;
  /** Written one after the other, with a turn of the event loop in between. */
  readonly segments: readonly Buffer[];
  /** Verbs of the requests in it, in order. */
  readonly verbs: readonly string[];
  /** Whether every request in it must be answered; bytes that are no requests promise nothing. */
  readonly isPromised: boolean;
  /** What the client does when it has sent everything and nothing is promised to it. */
  readonly leaving: 'half-close' | 'abort';
}

type Era = 'legacy' | 'modern' | 'stream';

export function makeMutant(seed: number, index: number, around: Surroundings): Mutant {
  const random = createRandom(seed, index);
  const roll = random.fraction();
  if (roll < 0.72) {
    const request = makeRequest(random, around);
    return whole(`one ${request.verb}`, [request], random);
  }
  if (roll < 0.8) {
    const requests = Array.from({ length: 2 + random.below(4) }, () =>
      withoutUpgrade(makeRequest(random, around)),
    );
    return whole(`pipeline of ${requests.length}`, requests, random);
  }
  return broken(random, around);
}

function whole(label: string, requests: readonly WireRequest[], random: Random): Mutant {
  const bytes = Buffer.concat(requests.map((request) => renderRequest(request, random)));
  const segments = random.chance(0.2) ? split(bytes, random) : [bytes];
  const verbs = requests.map(({ verb }) => verb);
  return { label, segments, verbs, isPromised: true, leaving: 'half-close' };
}

function makeRequest(random: Random, around: Surroundings): WireRequest {
  const era: Era = random.pick(['legacy', 'legacy', 'legacy', 'modern', 'modern', 'modern', 'stream']);
  const message = pickMessage(era, random);
  const headers = new Map<string, string>([
    ['host', `127.0.0.1:${around.port}`],
    ['content-type', 'application/json'],
    ['accept', 'application/json, text/event-stream'],
  ]);
  let target = '/mcp';
  let verb = 'POST';
  if (era === 'modern') {
    const named = isMessage(message) ? modernHeaders(message) : {};
    for (const [name, value] of Object.entries(named)) headers.set(name, value);
  } else if (era === 'legacy') {
    if (random.chance(0.8)) headers.set('mcp-session-id', pickFrom(around.sessionIds, random));
    if (random.chance(0.5)) headers.set('mcp-protocol-version', random.pick(LEGACY_VERSIONS));
  } else {
    target = `${random.pick(['/messages', '/mcp'])}?sessionId=${pickFrom(around.streamIds, random)}`;
  }
  if (random.chance(0.12)) verb = random.pick(ODD_VERBS);
  if (verb !== 'POST' && random.chance(0.5)) headers.delete('mcp-protocol-version');
  if (random.chance(0.08)) target = random.pick(ODD_TARGETS);
  const extra: (readonly [string, string])[] = [];
  for (let round = random.below(4) - 1; round > 0; round -= 1) {
    const [name, value] = oddHeader(random);
    switch (random.below(5)) {
      case 0:
        headers.delete(name);
        break;
      case 1:
        extra.push([name, value]);
        break;
      default:
        headers.set(name, value);
    }
  }
  let body = random.chance(0.35) ? Buffer.from(JSON.stringify(message)) : mutateJson(message, random);
  if (verb !== 'POST' && random.chance(0.7)) body = Buffer.alloc(0);
  if (headers.get('content-encoding') === 'gzip' && random.chance(0.5)) body = gzipSync(body);
  return {
    verb,
    target,
    version: random.chance(0.03) ? '1.0' : '1.1',
    headers: [...headers, ...extra],
    body,
    framing: random.chance(0.15) ? 'chunked' : 'length',
  };
}

/** Node reads no request behind one that asks for an upgrade, until the connection's idle time is over; CONNECT is the last. */
function withoutUpgrade(request: WireRequest): WireRequest {
  const headers = request.headers.filter(([name]) => name !== 'upgrade');
  return { ...request, headers, verb: request.verb === 'CONNECT' ? 'PUT' : request.verb };
}

function pickMessage(era: Era, random: Random): Json {
  if (era === 'modern') return modern(random.pick(random.chance(0.3) ? MODERN_ONLY : SHARED_REQUESTS));
  return random.chance(0.5) ? random.pick(LEGACY_ONLY) : random.pick(SHARED_REQUESTS);
}

/** Bytes that may be no request at all: the server may say anything but 5xx, and must let go of the connection. */
function broken(random: Random, around: Surroundings): Mutant {
  const made = makeRequest(random, around);
  // Whether an answer to broken bytes has a body could not be told if they might be a HEAD.
  const request = made.verb === 'HEAD' ? { ...made, verb: 'GET' } : made;
  const bytes = renderRequest(request, random);
  const leaving = random.chance(0.3) ? 'abort' : 'half-close';
  const make = (label: string, sent: Buffer): Mutant => ({
    label,
    segments: random.chance(0.3) ? split(sent, random) : [sent],
    verbs: [request.verb],
    isPromised: false,
    leaving,
  });
  switch (random.below(8)) {
    case 0:
      return make('garbage', Buffer.from(Array.from({ length: random.below(300) }, () => random.below(256))));
    case 1:
      return make('cut short', bytes.subarray(0, random.below(bytes.length)));
    case 2:
      return make('length too large', withLength(bytes, request.body.length + 1 + random.below(5000)));
    case 3:
      return make('length too small', withLength(bytes, random.below(request.body.length + 1)));
    case 4:
      return make('length and chunks', insertHeader(bytes, 'Transfer-Encoding: chunked'));
    case 5:
      return make(
        'odd coding',
        insertHeader(
          bytes,
          random.pick(['Transfer-Encoding: gzip', 'Content-Length: -1', 'Content-Length: 1e9']),
        ),
      );
    case 6:
      return make('long header', insertHeader(bytes, `X-Long: ${'y'.repeat(10_000 + random.below(20_000))}`));
    default:
      return make('damaged bytes', mutateBytes(bytes, random));
  }
}

function withLength(bytes: Buffer, length: number): Buffer {
  return Buffer.from(
    bytes.toString('latin1').replace(/Content-Length: \d+/, `Content-Length: ${length}`),
    'latin1',
  );
}

function insertHeader(bytes: Buffer, line: string): Buffer {
  const at = bytes.indexOf('\r\n') + 2;
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(`${line}\r\n`), bytes.subarray(at)]);
}

function split(bytes: Buffer, random: Random): Buffer[] {
  const cuts = Array.from({ length: 1 + random.below(4) }, () => random.below(bytes.length + 1));
  const places = [0, ...cuts.sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((to, at) => bytes.subarray(places[at], to));
}

function pickFrom(ids: readonly string[], random: Random): string {
  return ids[random.below(ids.length)] ?? 'none';
}
