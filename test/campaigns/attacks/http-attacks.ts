/** Attacks on the listener: who is served under which name, and which verbs and paths exist. */
import type { Attack } from './attack.ts';
import { onTarget } from './target.ts';
import { HELLO, openSession, pingIn, render, send, wire, type WireRequest } from './wire.ts';

type Tried = Pick<Attack, 'name' | 'stands' | 'run'>;

const httpAttack = (attack: Tried): Attack => ({ area: 'http', ...attack });

/** A request that would be served to a good caller, with something foreign in it. */
function refused(name: string, stands: string, request: WireRequest): Attack {
  return httpAttack({
    name,
    stands,
    run: (place) =>
      onTarget(place, [], async ({ port }) => {
        const { status, text } = await send(port, request);
        if (status < 400) return `answered ${status}`;
        if (/mcp-session-id/i.test(text)) return 'a refusal carries a session id';
        return /access-control-allow-origin/i.test(text) ? 'a refusal lets the page read it' : undefined;
      }),
  });
}

const REBOUND = [
  'evil.example',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  '127.0.0.1.nip.io',
  'localhost.',
  '127.0.0.1.',
  '[::1].',
  '0',
  '0.0.0.0',
  '127.1',
  '127.0.1',
  '0177.0.0.1',
  '0x7f000001',
  '2130706433',
  '127.0.0.1%00.evil.example',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[0:0:0:0:0:0:0:1]',
  '[::1%25lo]',
  'ip6-localhost',
  'LOCALHOST\x00',
  'localhost:7411:80',
  'localhost:99999999',
  'a@localhost',
  'localhost,evil.example',
  'localhost\tevil',
  'lоcalhost',
  '127。0。0。1',
];

const ORIGINS = [
  'null',
  'NULL',
  'https://evil.example',
  'http://localhost.evil.example',
  'http://127.0.0.1.evil.example:7411',
  'http://localhost:80:80',
  'http://localhost/',
  'http://localhost/x',
  'http://localhost?x',
  'http://localhost\\@evil.example',
  'http://evil.example\t',
  'http://evil.example http://localhost',
  'http://localhost, http://evil.example',
  'http://0.0.0.0:7411',
  'http://127.1',
  'http://[::]',
  'http://[::ffff:7f00:1]',
  'http://localhost.',
  'https://',
  '*',
  'data:',
  'blob:http://localhost',
  'filesystem:http://localhost',
  'file://localhost',
  'moz-extension://abc',
  'http://localhost%2eevil.example',
  'javascript:alert(1)',
];

/** What a browser sends for a page's own doings, where it sends no Origin. */
const PAGE_REQUESTS: readonly (readonly [string, WireRequest])[] = [
  [
    'an image',
    {
      headers: [
        'Accept: image/*,*/*;q=0.8',
        'Sec-Fetch-Site: cross-site',
        'Sec-Fetch-Mode: no-cors',
        'Sec-Fetch-Dest: image',
      ],
    },
  ],
  [
    'an image of /sse',
    { path: '/sse', headers: ['Accept: */*', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Dest: image'] },
  ],
  [
    'a link',
    { headers: ['Accept: text/html,*/*', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate'] },
  ],
  ['a frame', { headers: ['Accept: */*', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Dest: iframe'] }],
  [
    'a script',
    { path: '/healthz', headers: ['Accept: */*', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Dest: script'] },
  ],
  [
    'a page of another port',
    { headers: ['Accept: */*', 'Sec-Fetch-Site: same-site', 'Sec-Fetch-Dest: image'] },
  ],
  [
    'a form',
    {
      headers: ['Content-Type: text/plain', 'Sec-Fetch-Site: cross-site', 'Origin: null'],
      body: JSON.stringify(HELLO),
    },
  ],
  ['a form of JSON', { headers: ['Sec-Fetch-Site: cross-site'], body: HELLO }],
  [
    'a beacon',
    {
      headers: ['Content-Type: text/plain;charset=UTF-8', 'Origin: https://evil.example'],
      body: JSON.stringify(HELLO),
    },
  ],
  [
    'a site header sent twice',
    { headers: ['Accept: */*', 'Sec-Fetch-Site: none', 'Sec-Fetch-Site: cross-site'] },
  ],
  [
    'a preflight',
    {
      method: 'OPTIONS',
      headers: [
        'Origin: https://evil.example',
        'Access-Control-Request-Method: POST',
        'Access-Control-Request-Private-Network: true',
      ],
    },
  ],
  [
    'a preflight of no origin',
    { method: 'OPTIONS', headers: ['Origin: null', 'Access-Control-Request-Method: DELETE'] },
  ],
];

/** Paths that a rule or a proxy may take for `/mcp`, and this server must not. */
const PATHS = [
  '//mcp',
  '/mcp/',
  '/MCP',
  '/Mcp',
  '/./mcp',
  '/x/../mcp',
  '/mcp/../mcp',
  '/mcp/.',
  '/%6dcp',
  '/mcp%2f',
  '/mcp%00',
  '/mcp%20',
  '/mcp;x=1',
  '/mcp.json',
  '/mcp%3f',
  '/mcp%23',
  '/\\mcp',
  '/%2e%2e/etc/passwd',
  '/..%5c..%5cetc',
  '/.git/config',
  '/dist/main.js',
];

const OTHERS: readonly Attack[] = [
  ...['X-HTTP-Method-Override: DELETE', 'X-HTTP-Method: DELETE', 'X-Method-Override: DELETE'].map((header) =>
    httpAttack({
      name: `a verb in a header: ${header.split(':')[0] ?? ''}`,
      stands: 'the verb is the one of the request line',
      run: (place) =>
        onTarget(place, [], async ({ port }) => {
          const session = await openSession(port);
          await send(port, {
            method: 'POST',
            path: '/mcp?_method=DELETE',
            headers: [header, `Mcp-Session-Id: ${session}`],
            body: { jsonrpc: '2.0', id: 9, method: 'ping' },
          });
          return (await pingIn(port, session)) === 200 ? undefined : 'the session was ended';
        }),
    }),
  ),
  ...[
    'X-Forwarded-Host: localhost',
    'X-Original-Host: localhost',
    'Forwarded: host=localhost',
    'X-Forwarded-For: 127.0.0.1',
    'X-Rewrite-URL: /mcp',
    'X-Original-URL: /mcp',
  ].map((header) =>
    refused(`a proxy's word: ${header}`, "no proxy's header stands in for Host or path", {
      path: header.includes('URL') ? '/nothing' : '/mcp',
      headers: ['Host: evil.example', header],
      body: HELLO,
    }),
  ),
  httpAttack({
    name: 'health says nothing about the machine',
    stands: 'what is open to all tells nothing',
    run: (place) =>
      onTarget(place, [], async ({ port }) => {
        const replies = await Promise.all(
          ['/healthz', '/readyz', '/healthz?debug=1', '/readyz?path=/etc'].map((path) =>
            send(port, { path }),
          ),
        );
        const told = replies.find(({ text }) =>
          /\/(?:tmp|home|root)\b|version|node|pid|^server:|^x-powered-by:/im.test(text),
        );
        return told === undefined ? undefined : `it says: ${told.text.slice(0, 200)}`;
      }),
  }),
  httpAttack({
    name: 'an error repeats a script from the address',
    stands: 'errors hold no foreign text, and no browser takes them for a page',
    run: (place) =>
      onTarget(place, [], async ({ port }) => {
        const { text } = await send(port, {
          path: '/<script>alert(1)</script>',
          headers: ['Accept: text/html'],
        });
        if (text.includes('<script>')) return 'the script came back';
        return /content-type: application\/json/i.test(text) && /nosniff/i.test(text)
          ? undefined
          : 'a browser may take it for a page';
      }),
  }),
  httpAttack({
    name: 'a line break in the address splits the answer',
    stands: 'nothing of a request reaches the head of an answer or a line of the log',
    run: (place) =>
      onTarget(place, [], async ({ port, log }) => {
        const { text } = await send(port, {
          path: '/mcp?project_path=%0d%0aSet-Cookie:%20a=b%0d%0a',
          headers: ['Host: evil.example%0aFORGED'],
          body: HELLO,
        });
        return /^set-cookie/im.test(text) || /^FORGED/m.test(log()) ? 'a line of its own' : undefined;
      }),
  }),
  httpAttack({
    name: '1,000 requests in one write',
    stands: 'pipelined requests are answered in order, one at a time',
    run: (place) =>
      onTarget(place, [], async ({ port }) => {
        const one = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
        const { statuses } = await wire(port, one.repeat(999) + render(port, { path: '/healthz' }));
        return statuses.length === 1_000 && statuses.every((status) => status === 200)
          ? undefined
          : `${statuses.length} answers`;
      }),
  }),
];

export const httpAttacks: readonly Attack[] = [
  ...REBOUND.map((host) =>
    refused(`host: ${JSON.stringify(host)}`, 'DNS rebinding: only names of this machine are served', {
      headers: [`Host: ${Buffer.from(host).toString('latin1')}`],
      body: HELLO,
    }),
  ),
  ...ORIGINS.map((origin) =>
    refused(`origin: ${JSON.stringify(origin)}`, 'a web page of another origin', {
      headers: [`Origin: ${origin}`],
      body: HELLO,
    }),
  ),
  ...PAGE_REQUESTS.map(([name, request]) =>
    refused(`page: ${name}`, "a web page's request without CORS", request),
  ),
  ...PATHS.map((path) =>
    refused(`path: ${path}`, 'another spelling of a served path', { path, body: HELLO }),
  ),
  ...OTHERS,
];
