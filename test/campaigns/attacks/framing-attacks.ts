/** Attacks with where a request begins and ends, and with first lines that are no HTTP/1.1. */
import type { Attack } from './attack.ts';
import { onTarget } from './target.ts';
import { wire } from './wire.ts';

/** Where two readers could disagree about where a request ends; the second request must not be answered. */
const HIDDEN = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
const FRAMINGS: readonly (readonly [string, string])[] = [
  ['two lengths that differ', `Content-Length: 0\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`],
  ['two lengths in one line', `Content-Length: 0, ${HIDDEN.length}\r\n\r\n${HIDDEN}`],
  [
    'a length and chunks',
    `Content-Length: ${HIDDEN.length + 5}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
  ],
  ['chunks and a length', `Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n${HIDDEN}`],
  ['chunked twice', `Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${HIDDEN}`],
  ['an unknown coding', `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${HIDDEN}`],
  ['a coding after chunked', `Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n${HIDDEN}`],
  ['a blank before the colon', `Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${HIDDEN}`],
  ['a folded coding', `Transfer-Encoding:\r\n chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${HIDDEN}`],
  ['a vertical tab in the coding', `Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n${HIDDEN}`],
  ['a length with a plus', `Content-Length: +0\r\n\r\n${HIDDEN}`],
  ['a length of minus one', `Content-Length: -1\r\n\r\n${HIDDEN}`],
  ['a hexadecimal length', `Content-Length: 0x10\r\n\r\n${HIDDEN}`],
  ['a length beyond 64 bits', `Content-Length: 18446744073709551616\r\n\r\n${HIDDEN}`],
  ['a chunk size beyond 64 bits', `Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n${HIDDEN}`],
  ['a chunk size with a sign', `Transfer-Encoding: chunked\r\n\r\n+0\r\n\r\n${HIDDEN}`],
  ['a chunk that ends with a bare line feed', `Transfer-Encoding: chunked\r\n\r\n1\nx\n0\n\n${HIDDEN}`],
  ['a bare carriage return in a header', `X: a\rTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN}`],
  ['a null byte in a header', `X: a\x00b\r\nContent-Length: 0\r\n\r\n${HIDDEN}`],
  ['a header without a name', `: chunked\r\nContent-Length: 0\r\n\r\n${HIDDEN}`],
];

function framing([name, rest]: readonly [string, string]): Attack {
  return {
    area: 'http',
    name: `framing: ${name}`,
    stands: 'request smuggling: two readers disagree where a request ends',
    run: (place) =>
      onTarget(place, [], async ({ port }) => {
        const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
        const { statuses } = await wire(port, head + rest);
        if (statuses.length > 1) return `the hidden request was answered: ${statuses.join(', ')}`;
        return (statuses[0] ?? 400) < 400
          ? `an ambiguous request was answered ${statuses[0] ?? 0}`
          : undefined;
      }),
  };
}

/** Request lines and first bytes that are no plain HTTP/1.1; what is answered must be a refusal. */
const LINES: readonly (readonly [string, string])[] = [
  ['HTTP/0.9', 'GET /mcp\r\n'],
  ['HTTP/1.0 without a Host', 'GET /healthz HTTP/1.0\r\n\r\n'],
  ['HTTP/1.1 without a Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['two Hosts', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nConnection: close\r\n\r\n'],
  ['HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['HTTP/9.9', 'GET /healthz HTTP/9.9\r\nHost: localhost\r\n\r\n'],
  ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  [
    'a whole address of another host',
    'GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  ],
  [
    'a whole address with a user',
    'GET http://localhost@evil.example/healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  ],
  [
    'a whole address and a foreign Host of two',
    'GET http://localhost/healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
  ],
  [
    'an https address',
    'GET https://localhost/healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  ],
  ['a star', 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'],
  ['CONNECT', 'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['CONNECT with a foreign Host', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n'],
  ['TRACE', 'TRACE /mcp HTTP/1.1\r\nHost: localhost\r\nX-Secret: abc\r\nConnection: close\r\n\r\n'],
  [
    'a websocket',
    'GET /mcp HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
  ],
  [
    'an upgrade to h2c',
    'POST /mcp HTTP/1.1\r\nHost: localhost\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQ\r\nContent-Length: 0\r\n\r\n',
  ],
  ['an unknown verb', 'HACK /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['a verb in small letters', 'post /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  [
    'a header line of 100 KB',
    `GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`,
  ],
  ['5,000 headers', `GET /healthz HTTP/1.1\r\nHost: localhost\r\n${'X-A: 1\r\n'.repeat(5_000)}\r\n`],
  ['an address of 100 KB', `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`],
];

function oddLine([name, bytes]: readonly [string, string]): Attack {
  return {
    area: 'http',
    name: `request line: ${name}`,
    stands: 'what is no plain request of HTTP/1.1 is refused, and nothing is reflected',
    run: (place) =>
      onTarget(place, [], async ({ port }) => {
        const { status, text } = await wire(port, bytes);
        if (status !== 0 && status < 400) return `answered ${status}`;
        if (text.includes('X-Secret') || text.includes('aaaaaaaa')) return 'the request is reflected';
        return undefined;
      }),
  };
}

export const framingAttacks: readonly Attack[] = [
  ...FRAMINGS.map(framing),
  ...LINES.map(oddLine),
  {
    area: 'http',
    name: 'a request within the body of another',
    stands: 'a body is never read as a request',
    run: (place) =>
      onTarget(place, [], async ({ port }) => {
        const { statuses } = await wire(
          port,
          `GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${HIDDEN.length}\r\nConnection: close\r\n\r\n${HIDDEN}`,
        );
        return statuses.length === 1 ? undefined : `answers: ${statuses.join(', ')}`;
      }),
  },
];
