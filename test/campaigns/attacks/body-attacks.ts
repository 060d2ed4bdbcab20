/** Attacks with what a request carries: bombs, depth, names that mean something to JavaScript, and slow or greedy clients. */
import { connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Attack } from './attack.ts';
import { onTarget, type Target } from './target.ts';
import { HELLO, LIST, openSession, pingIn, send, wire } from './wire.ts';

function bodyAttack(
  name: string,
  stands: string,
  attempt: (target: Target) => Promise<string | undefined>,
): Attack {
  return { name, area: 'http', stands, run: (place) => onTarget(place, [], attempt) };
}

const TEN_MB = Buffer.alloc(10_000_000, 0x20);

function compressed(coding: string, bytes: Buffer): Attack {
  return bodyAttack(
    `a ${coding} bomb`,
    'a compressed body is refused before it is unpacked',
    async ({ port }) => {
      const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nContent-Type: application/json\r\nContent-Encoding: ${coding}\r\nContent-Length: ${bytes.length}\r\nConnection: close\r\n\r\n`;
      const { status } = await wire(port, [head, bytes]);
      return status >= 400 && status < 500 ? undefined : `answered ${status}`;
    },
  );
}

/** Bodies that must be refused with a 4xx, or answered as an error of the call. */
const REFUSED: readonly (readonly [string, string])[] = [
  ['nested 100,000 deep', '['.repeat(100_000) + ']'.repeat(100_000)],
  ['objects nested 65 deep', '{"a":'.repeat(65) + '1' + '}'.repeat(65)],
  ['10,001 elements', `[${'1,'.repeat(10_001)}1]`],
  ['nothing', ''],
  ['a NUL', '\x00'],
  ['a text', '"initialize"'],
  ['null', 'null'],
  ['a number', '1e999'],
  ['an unclosed text', '{"jsonrpc":"2.0","id":1,"method":"init'],
  ['a second value after the first', `${JSON.stringify(LIST)}${JSON.stringify(LIST)}`],
  ['a comment', `/* */${JSON.stringify(LIST)}`],
  ['UTF-16', Buffer.from(JSON.stringify(HELLO), 'utf16le').toString('latin1')],
  ['a byte order mark twice', `\ufeff\ufeff${JSON.stringify(HELLO)}`],
  ['an id that is an object', '{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}'],
  ['an id beyond 2^53', '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}'],
  [
    'a batch of 101',
    JSON.stringify(Array.from({ length: 101 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))),
  ],
  ['a batch in a batch', JSON.stringify([[LIST]])],
  ['an empty batch', '[]'],
  ['initialize in a batch', JSON.stringify([HELLO])],
  [
    'initialize of 200 KB',
    JSON.stringify({
      ...HELLO,
      params: { ...HELLO.params, clientInfo: { name: 'x'.repeat(200_000), version: '1' } },
    }),
  ],
  [
    'initialize with capabilities of 5,000 keys',
    JSON.stringify({
      ...HELLO,
      params: {
        ...HELLO.params,
        capabilities: {
          experimental: Object.fromEntries(
            Array.from({ length: 5_000 }, (_, at) => [`k${at}`, { v: 'x'.repeat(20) }]),
          ),
        },
      },
    }),
  ],
];

function refusedBody([name, body]: readonly [string, string]): Attack {
  return bodyAttack(
    `body: ${name}`,
    'a body is bounded and checked before anything is built from it',
    async ({ port }) => {
      const { status, text } = await send(port, { method: 'POST', body });
      return status >= 400 && status < 500 && !/mcp-session-id/i.test(text)
        ? undefined
        : `answered ${status}`;
    },
  );
}

/** Names that reach the prototype of an object; afterwards a plain call has to look as before. */
const PROTOTYPES: readonly (readonly [string, string])[] = [
  [
    '__proto__ in the message',
    '{"jsonrpc":"2.0","id":5,"method":"tools/list","__proto__":{"polluted":"yes"}}',
  ],
  [
    '__proto__ in arguments',
    '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"project_status","arguments":{"__proto__":{"polluted":"yes"}}}}',
  ],
  [
    'constructor.prototype',
    '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"project_status","arguments":{"constructor":{"prototype":{"polluted":"yes"}}}}}',
  ],
  [
    '__proto__ in _meta',
    '{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"_meta":{"__proto__":{"polluted":"yes"}}}}',
  ],
  [
    'a tool called constructor',
    '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"constructor","arguments":{}}}',
  ],
  [
    'a tool called __proto__',
    '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"__proto__","arguments":{}}}',
  ],
  ['a method called toString', '{"jsonrpc":"2.0","id":5,"method":"toString"}'],
  ['a method called __proto__', '{"jsonrpc":"2.0","id":5,"method":"__proto__"}'],
  [
    'a prompt called hasOwnProperty',
    '{"jsonrpc":"2.0","id":5,"method":"prompts/get","params":{"name":"hasOwnProperty"}}',
  ],
  [
    'metadata with __proto__',
    '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"checkpoint_save","arguments":{"content":"x","metadata":{"__proto__":{"polluted":"yes"}}}}}',
  ],
];

function prototype([name, body]: readonly [string, string]): Attack {
  return bodyAttack(
    `prototype: ${name}`,
    'names of a message are data, never properties of our objects',
    async ({ port }) => {
      const session = await openSession(port);
      const headers = [`Mcp-Session-Id: ${session}`];
      const { status, text } = await send(port, { headers, body });
      if (status >= 500 || text.includes('Internal error')) return `an internal error: ${text.slice(-200)}`;
      const after = await send(port, { headers, body: LIST });
      return after.status === 200 && !after.text.includes('polluted')
        ? undefined
        : `afterwards: ${after.status}`;
    },
  );
}

/** Opens connections that say this and nothing more; resolves with how many the server ended within the time. */
async function hold(
  port: number,
  count: number,
  says: string,
  ms: number,
): Promise<{ readonly ended: () => number; readonly close: () => void }> {
  let ended = 0;
  const sockets = Array.from({ length: count }, () => connect({ port, host: '127.0.0.1' }));
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((resolve) => {
          socket.on('error', () => {});
          socket.resume().once('close', () => (ended += 1));
          socket.once('connect', () => {
            socket.write(says);
            resolve();
          });
        }),
    ),
  );
  await new Promise((resolve) => setTimeout(resolve, ms));
  return { ended: () => ended, close: () => sockets.forEach((socket) => socket.destroy()) };
}

function slow(name: string, says: string): Attack {
  return bodyAttack(name, 'clients that say little and slowly cost others nothing', async ({ port }) => {
    const held = await hold(port, 300, says, 300);
    const start = performance.now();
    const { status } = await send(port, { body: HELLO });
    const ms = performance.now() - start;
    held.close();
    if (status !== 200) return `another client gets ${status}`;
    return ms > 2_000 ? `another client waits ${Math.round(ms)} ms` : undefined;
  });
}

export const bodyAttacks: readonly Attack[] = [
  compressed('gzip', gzipSync(TEN_MB)),
  compressed('deflate', deflateSync(TEN_MB)),
  compressed('br', brotliCompressSync(TEN_MB)),
  compressed('gzip, gzip', gzipSync(gzipSync(TEN_MB))),
  ...REFUSED.map(refusedBody),
  ...PROTOTYPES.map(prototype),
  slow('300 heads that never end', 'GET /mcp HTTP/1.1\r\nHost: localhost\r\nX-'),
  slow(
    '300 bodies that never end',
    'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
  ),
  slow(
    '300 chunked bodies that never end',
    'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n',
  ),
  slow('300 connections that say nothing', ''),
  bodyAttack(
    'heads that never end are cut off',
    'clients that say little and slowly cost others nothing',
    async ({ port }) => {
      const held = await hold(port, 20, 'GET /mcp HTTP/1.1\r\nHost: localhost\r\nX-', 14_000);
      const ended = held.ended();
      held.close();
      return ended === 20 ? undefined : `after 14 s, ${20 - ended} of 20 are still open`;
    },
  ),
  bodyAttack(
    'a body of 5 MB in chunks',
    'a body is bounded though its length is not said',
    async ({ port }) => {
      const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
      const { status } = await wire(port, [
        'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n',
        chunk.repeat(80),
        '0\r\n\r\n',
      ]);
      return status === 413 ? undefined : `answered ${status}`;
    },
  ),
  bodyAttack('a length of 4 GB', 'a body is refused by the length it claims', async ({ port }) => {
    const { status } = await wire(
      port,
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 4294967296\r\n\r\n{',
    );
    return status === 413 ? undefined : `answered ${status}`;
  }),
  bodyAttack('chunk extensions of 1 MB', 'what is around the chunks is bounded too', async ({ port }) => {
    const { status } = await wire(
      port,
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1;${'a'.repeat(1_000_000)}\r\n{\r\n`,
    );
    return status === 413 || status === 400 ? undefined : `answered ${status}`;
  }),
  bodyAttack('trailers of 1 MB', 'what is around the chunks is bounded too', async ({ port }) => {
    const { status } = await wire(
      port,
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n${`X-A: ${'b'.repeat(1_000)}\r\n`.repeat(1_000)}\r\n`,
    );
    return status >= 400 && status < 500 ? undefined : `answered ${status}`;
  }),
  bodyAttack('an origin in a trailer', 'a trailer changes nothing of what was checked', async ({ port }) => {
    const body = JSON.stringify(HELLO);
    const { status } = await wire(
      port,
      `POST /mcp HTTP/1.1\r\nHost: evil.example\r\nAccept: */*\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nTrailer: Host\r\nConnection: close\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\nHost: localhost\r\n\r\n`,
    );
    return status === 421 ? undefined : `answered ${status}`;
  }),
  bodyAttack('an expectation that is none', 'expectations are answered by our checks', async ({ port }) => {
    const { status } = await send(port, {
      headers: ['Host: evil.example', 'Expect: 100-continue'],
      body: HELLO,
    });
    return status === 421 ? undefined : `answered ${status}`;
  }),
  bodyAttack(
    '100 searches by hard expressions in one batch',
    'one client cannot hold up the others',
    async ({ port, home }) => {
      const session = await openSession(port, { name: 'flood', version: '2025-03-26' });
      const other = await openSession(port, { name: 'other' });
      const batch = Array.from({ length: 100 }, (_, id) => ({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: {
          name: 'search_code',
          arguments: { query: '(a+)+$', mode: 'regex', project: `${home}/project` },
        },
      }));
      const flood = send(port, {
        headers: [`Mcp-Session-Id: ${session}`, 'MCP-Protocol-Version: 2025-03-26'],
        body: batch,
      });
      const start = performance.now();
      const status = await pingIn(port, other);
      const ms = performance.now() - start;
      await flood;
      return status === 200 && ms < 2_000
        ? undefined
        : `a ping of another client: ${status} after ${Math.round(ms)} ms`;
    },
  ),
];
