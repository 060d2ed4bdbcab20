/** Attacks on the token of a running server: other forms of it, other places for it, and doors beside it. */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { OTHER_ROUTES, TOOL_ROUTES } from '../../../src/rest/routes.ts';
import type { Attack } from './attack.ts';
import { onTarget, type Target } from './target.ts';
import { HELLO, openSession, PING, send, type WireRequest } from './wire.ts';

const TOKEN = 'Tk-9vQ2mX7rZ4wY1nB8cL5kJ3hG6fD0sA-pU_eR';
const BEARER = `Authorization: Bearer ${TOKEN}`;
const FLAGS = ['--token', TOKEN, '--rest', '--log-level', 'debug'];

function authAttack(
  name: string,
  stands: string,
  attempt: (target: Target) => Promise<string | undefined>,
): Attack {
  return { name, area: 'auth', stands, run: (place) => onTarget(place, FLAGS, attempt) };
}

function unauthorized(name: string, stands: string, request: WireRequest): Attack {
  return authAttack(name, stands, async ({ port }) => {
    const { status, text } = await send(port, request);
    if (status < 400) return `answered ${status}`;
    return /mcp-session-id|"tools"|"result"/i.test(text) ? 'a refusal carries an answer' : undefined;
  });
}

const utf8 = (text: string): string => Buffer.from(text).toString('latin1');

/** What stands in the header Authorization; none of it is the token. */
const FORMS: readonly string[] = [
  '',
  'Bearer',
  'Bearer ',
  `Bearer${TOKEN}`,
  TOKEN,
  `Token ${TOKEN}`,
  `Basic ${TOKEN}`,
  `Basic ${Buffer.from(`:${TOKEN}`).toString('base64')}`,
  `Basic ${Buffer.from(`waymark:${TOKEN}`).toString('base64')}`,
  `Digest ${TOKEN}`,
  `Bearer "${TOKEN}"`,
  `Bearer '${TOKEN}'`,
  `Bearer ${TOKEN},`,
  `Bearer ${TOKEN}, Bearer x`,
  `Bearer x, Bearer ${TOKEN}`,
  `Bearer x Bearer ${TOKEN}`,
  `Bearer ${TOKEN};`,
  `Bearer ${TOKEN}=`,
  `Bearer ${TOKEN.toUpperCase()}`,
  `Bearer ${TOKEN.toLowerCase()}`,
  `Bearer ${TOKEN} ${TOKEN}`,
  `Bearer ${TOKEN}${TOKEN}`,
  `Bearer ${encodeURIComponent(TOKEN).replace('-', '%2D')}`,
  `Bearer ${Buffer.from(TOKEN).toString('base64')}`,
  `Bearer ${TOKEN.split('').toReversed().join('')}`,
  `Bearer ${TOKEN}\x0b`,
  `Bearer \x0c${TOKEN}`,
  `Bearer ${TOKEN}\xa0`,
  utf8(`Bearer ${TOKEN}\u200b`),
  utf8(`Bearer ${TOKEN.replace('-', '\u2010')}`),
  utf8(`Ｂearer ${TOKEN}`),
  `Bearer\t${TOKEN}\x01`,
  'Bearer null',
  'Bearer undefined',
  'Bearer true',
  'Bearer *',
  'Bearer []',
  'Bearer {}',
  'Bearer 0',
  'Bearer $(waymark token)',
  'Bearer ${WAYMARK_TOKEN}',
  'Bearer $WAYMARK_TOKEN',
  `Bearer ${'x'.repeat(8_000)}`,
  `Bearer token=${TOKEN}`,
  `Negotiate ${TOKEN}`,
];

/** Other places where programs look for a token. */
const PLACES: readonly (readonly [string, WireRequest])[] = [
  [
    'the query',
    { path: `/mcp?token=${TOKEN}&access_token=${TOKEN}&authorization=Bearer%20${TOKEN}`, body: HELLO },
  ],
  ['a cookie', { headers: [`Cookie: token=${TOKEN}; Authorization=Bearer ${TOKEN}`], body: HELLO }],
  [
    'X-Api-Key',
    { headers: [`X-Api-Key: ${TOKEN}`, `X-Auth-Token: ${TOKEN}`, `X-Waymark-Token: ${TOKEN}`], body: HELLO },
  ],
  ['Proxy-Authorization', { headers: [`Proxy-Authorization: Bearer ${TOKEN}`], body: HELLO }],
  [
    'X-Forwarded-Authorization',
    {
      headers: [`X-Forwarded-Authorization: Bearer ${TOKEN}`, `X-Original-Authorization: Bearer ${TOKEN}`],
      body: HELLO,
    },
  ],
  [
    'the body',
    {
      body: {
        ...HELLO,
        token: TOKEN,
        params: { ...HELLO.params, _meta: { authorization: `Bearer ${TOKEN}` } },
      },
    },
  ],
  ['the session id', { headers: [`Mcp-Session-Id: ${TOKEN}`], body: PING }],
  ['the address', { path: '/mcp', headers: [`Host: waymark:${TOKEN}@localhost`], body: HELLO }],
  ['a second Authorization', { headers: ['Authorization: Bearer wrong', BEARER], body: HELLO }],
  ['a header that is two', { headers: [BEARER, 'Authorization: Bearer wrong'], body: HELLO }],
  [
    'a name with an underscore',
    { headers: [`Authorization_: Bearer ${TOKEN}`, `HTTP_AUTHORIZATION: Bearer ${TOKEN}`], body: HELLO },
  ],
];

/** Without the token: paths that a check by prefix would let pass, as the open health addresses. */
const BESIDE = [
  '/healthz/../mcp',
  '/healthz/mcp',
  '/healthz;/mcp',
  '/healthz%2f..%2fmcp',
  '/healthz?/mcp',
  '/readyz/../mcp/tools/list',
  '/mcp/../healthz/../mcp',
  '//mcp',
  '/mcp/',
  '/mcp?x=/healthz',
  '/mcp#/healthz',
  'http://localhost/mcp',
  '/MCP',
  '/sse',
  '/mcp/sse',
  '/messages?sessionId=x',
  '/mcp/tools/list?x',
  '/mcp/tools/list/',
  '/mcp/checkpoint/list%00',
  '/mcp//status',
];

const stillWithout = async (port: number, requests: readonly WireRequest[]): Promise<string | undefined> => {
  for (const request of requests) {
    const { status } = await send(port, request);
    if (status !== 401) return `${request.method ?? 'POST'} ${request.path ?? '/mcp'} answered ${status}`;
  }
  return undefined;
};

export const authAttacks: readonly Attack[] = [
  ...FORMS.map((form, at) =>
    unauthorized(
      `authorization ${at + 1}: ${JSON.stringify(form.slice(0, 40))}`,
      'only the exact token in its one form',
      { headers: [`Authorization: ${form}`], body: HELLO },
    ),
  ),
  ...PLACES.map(([name, request]) =>
    unauthorized(`the token in ${name}`, 'the token counts in one place alone', request),
  ),
  ...BESIDE.map((path) =>
    authAttack(`without a token: ${path}`, 'no spelling of a path leads past the token', async ({ port }) => {
      for (const request of [
        { path, body: HELLO },
        { path, headers: ['Accept: text/event-stream'] },
        { path, method: 'OPTIONS' },
      ]) {
        const { status, text } = await send(port, request);
        // The health addresses are open, with or without a query.
        if (status < 400 && !text.includes('{"status":"ok"}'))
          return `${request.method ?? ''} answered ${status}`;
      }
      return undefined;
    }),
  ),
  ...[...TOOL_ROUTES.map(({ path }) => ({ verb: 'POST', path })), ...OTHER_ROUTES].map(({ verb, path }) =>
    authAttack(
      `plain HTTP without a token: ${path}`,
      'every address of the REST edge is behind the token',
      ({ port }) =>
        stillWithout(port, [
          {
            method: verb,
            path: path.replace(/\{.*|[A-Z_]{3,}/, 'x'),
            ...(verb === 'POST' ? { body: {} } : {}),
          },
          {
            method: verb,
            path: path.replace(/\{.*|[A-Z_]{3,}/, 'x'),
            headers: ['Authorization: Bearer wrong'],
            ...(verb === 'POST' ? { body: {} } : {}),
          },
        ]),
    ),
  ),
  authAttack('every prefix of the token', 'a part of the token is worth nothing', async ({ port }) => {
    for (let length = 1; length < TOKEN.length; length += 1) {
      const { status } = await send(port, {
        headers: [`Authorization: Bearer ${TOKEN.slice(0, length)}`],
        body: HELLO,
      });
      if (status !== 401) return `${length} letters are answered ${status}`;
    }
    return undefined;
  }),
  authAttack(
    'the session of a holder without the token',
    'a session id is never proof of who asks',
    async ({ port }) => {
      const id = await openSession(port, { headers: [BEARER] });
      const headers = [`Mcp-Session-Id: ${id}`];
      return stillWithout(port, [
        { headers, body: PING },
        { headers: [...headers, 'Accept: text/event-stream'] },
        { headers, method: 'DELETE' },
        { headers: [...headers, 'Authorization: Bearer wrong'], body: PING },
        { headers: [...headers, 'Last-Event-ID: 0-0', 'Accept: text/event-stream'] },
      ]);
    },
  ),
  authAttack(
    'the second request of a connection without the token',
    'every request carries the token, not its connection',
    async ({ port }) => {
      const { wire, render } = await import('./wire.ts');
      const first = render(port, { headers: [BEARER], body: PING }).replace('Connection: close\r\n', '');
      const { statuses } = await wire(port, first + render(port, { body: HELLO }));
      return statuses[1] === 401 ? undefined : `answers: ${statuses.join(', ')}`;
    },
  ),
  authAttack('every verb without the token', 'no verb leads past the token', ({ port }) =>
    stillWithout(
      port,
      ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS', 'PROPFIND', 'LOCK', 'SEARCH'].map(
        (method) => ({ method }),
      ),
    ),
  ),
  authAttack(
    'an expectation before the token',
    'a body is not asked for before the token was checked',
    async ({ port }) => {
      const { text } = await send(port, { headers: ['Expect: 100-continue'], body: HELLO });
      return text.includes('100 Continue') ? 'the server asks for the body' : undefined;
    },
  ),
  authAttack(
    '4 MB of body without the token',
    'a body is not read before the token was checked',
    async ({ port }) => {
      const { status } = await send(port, { body: ' '.repeat(4_000_000) });
      return status === 401 || status === 0 ? undefined : `answered ${status}`;
    },
  ),
  authAttack(
    'the token in log, notes and answers',
    'the token is written nowhere but in its file',
    async ({ port, home, log }) => {
      await send(port, { path: `/mcp?token=${TOKEN}`, headers: [BEARER], body: HELLO });
      const { text } = await send(port, { headers: ['Authorization: Bearer wrong'], body: HELLO });
      const notes = readdirSync(join(home, 'share/waymark/servers')).map((name) =>
        readFileSync(join(home, 'share/waymark/servers', name), 'utf8'),
      );
      if (log().includes(TOKEN)) return 'the log holds it';
      return [text, ...notes].some((one) => one.includes(TOKEN)) ? 'an answer or a note holds it' : undefined;
    },
  ),
  authAttack(
    'notes and folders that others can read',
    'what a server writes is for its owner alone',
    async ({ home }) => {
      const folder = join(home, 'share/waymark');
      const open = [
        folder,
        join(folder, 'servers'),
        ...readdirSync(join(folder, 'servers')).map((name) => join(folder, 'servers', name)),
      ].filter((path) => (statSync(path).mode & 0o077) !== 0);
      return open.length === 0 ? undefined : `${open.length} are open to others`;
    },
  ),
];
