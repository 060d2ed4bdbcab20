/** Attacks on sessions and streams: taking over another client's, planting one, pushing others out, reading what is not ours. */
import { connect } from 'node:net';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import type { Attack } from './attack.ts';
import { onTarget, targetFor, type Target } from './target.ts';
import { HELLO, LIST, openSession, PING, pingIn, render, send } from './wire.ts';

function sessionAttack(
  name: string,
  stands: string,
  attempt: (target: Target) => Promise<string | undefined>,
  flags: readonly string[] = [],
): Attack {
  return { name, area: 'http', stands, run: (place) => onTarget(place, flags, attempt) };
}

interface Listening {
  readonly text: () => string;
  readonly close: () => void;
}

/** A stream that stays open; resolves when its head is there. */
function listen(port: number, path: string, headers: readonly string[] = []): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += String(chunk);
      resolve({ text: () => text, close: () => void socket.destroy() });
    });
    socket.once('error', reject);
    socket.write(
      render(port, { path, headers: ['Accept: text/event-stream', ...headers] }).replace(
        'Connection: close\r\n',
        '',
      ),
    );
  });
}

const sseId = (text: string): string => /sessionId=([\w-]+)/.exec(text)?.[1] ?? '';

/** Ids that are nearly a session's; each must be unknown. */
const NEARLY: readonly (readonly [string, (id: string) => string])[] = [
  ['in capitals', (id) => id.toUpperCase()],
  ['with one letter less', (id) => id.slice(0, -1)],
  ['with one letter more', (id) => `${id}0`],
  ['without dashes', (id) => id.replaceAll('-', '')],
  ['in quotes', (id) => `"${id}"`],
  ['twice in a line', (id) => `${id}, ${id}`],
  ['as the name of a prototype', () => '__proto__'],
  ['as a path', () => '../../etc/passwd'],
  ['as a star', () => '*'],
  ['of zeros', () => '00000000-0000-4000-8000-000000000000'],
];

/** A project that a limited client may not name, in many spellings; all must be refused in the same words. */
const OUTSIDE = [
  '/etc',
  '/',
  '/root',
  '/tmp',
  '/proc/self/root',
  '/nonexistent-folder',
  'HOME/project/../..',
  'HOME/project/..',
  'HOME/project/%2e%2e',
  'HOME/project/link',
  'HOME/projectx',
  'file:///etc',
  '//etc',
  '/etc/',
  '/etc/.',
  '/proc/self/cwd',
  '/dev/fd/0',
  'HOME/project%00/etc',
  '\\\\host\\share',
  '~',
  '~root',
  'C:\\Windows',
];

export const sessionAttacks: readonly Attack[] = [
  sessionAttack(
    'a session id that the attacker chose',
    'session fixation: ids are made by the server alone',
    async ({ port }) => {
      const chosen = '11111111-2222-4333-8444-555555555555';
      const { text } = await send(port, { headers: [`Mcp-Session-Id: ${chosen}`], body: HELLO });
      if (text.includes(chosen)) return 'the server took it';
      return (await pingIn(port, chosen)) === 404 ? undefined : 'it is a session now';
    },
  ),
  sessionAttack('ids of sessions in a row', 'ids cannot be guessed from each other', async ({ port }) => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => openSession(port)));
    const isRandom = ids.every((id) =>
      /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(id),
    );
    return isRandom && new Set(ids.map((id) => id.slice(0, 8))).size === 20
      ? undefined
      : `they are alike: ${ids.slice(0, 3).join(' ')}`;
  }),
  ...NEARLY.map(([name, change]) =>
    sessionAttack(`a session id ${name}`, 'only the exact id is the session', async ({ port }) => {
      const id = await openSession(port);
      const status = await pingIn(port, change(id));
      return status >= 400 && status < 500 ? undefined : `answered ${status}`;
    }),
  ),
  sessionAttack(
    'a session id in the address',
    'an id in a URL is none: URLs are logged',
    async ({ port }) => {
      const id = await openSession(port);
      const { status } = await send(port, { path: `/mcp?Mcp-Session-Id=${id}&sessionId=${id}`, body: PING });
      return status >= 400 ? undefined : `answered ${status}`;
    },
  ),
  sessionAttack(
    'the id of a stream as a session',
    'sessions of one transport are unknown to the other',
    async ({ port }) => {
      const stream = await listen(port, '/sse');
      const status = await pingIn(port, sseId(stream.text()));
      stream.close();
      return status === 404 ? undefined : `answered ${status}`;
    },
  ),
  sessionAttack(
    'the id of a session as a stream',
    'sessions of one transport are unknown to the other',
    async ({ port }) => {
      const id = await openSession(port);
      const { status } = await send(port, { path: `/messages?sessionId=${id}`, body: PING });
      return status === 404 ? undefined : `answered ${status}`;
    },
  ),
  sessionAttack(
    "Last-Event-ID of another's stream",
    'a stream is resumed within its session alone',
    async ({ port }) => {
      const [mine, other] = [await openSession(port, { name: 'attacker' }), await openSession(port)];
      const theirs = await listen(port, '/mcp', [`Mcp-Session-Id: ${other}`]);
      const event = /^id: (\S+)/m.exec(theirs.text())?.[1] ?? '0-0';
      await send(port, {
        headers: [`Mcp-Session-Id: ${other}`],
        body: { ...LIST, id: 'canary-of-the-victim' },
      });
      const stolen = await Promise.all(
        [event, '0-0', '0-1', '1-0', '0', '-1', '*', `${other}-0`].map((id) =>
          send(port, {
            headers: ['Accept: text/event-stream', `Mcp-Session-Id: ${mine}`, `Last-Event-ID: ${id}`],
          }),
        ),
      );
      theirs.close();
      return stolen.some(({ text }) => text.includes('canary')) ? "another's events came" : undefined;
    },
  ),
  sessionAttack(
    'an answer for a question to another client',
    'what one client answers counts for its own session',
    async ({ port }) => {
      const [mine, other] = [await openSession(port, { name: 'attacker' }), await openSession(port)];
      await Promise.all(
        Array.from({ length: 20 }, (_, id) =>
          send(port, {
            headers: [`Mcp-Session-Id: ${mine}`],
            body: { jsonrpc: '2.0', id, result: { roots: [{ uri: 'file:///etc' }] } },
          }),
        ),
      );
      const { text } = await send(port, {
        headers: [`Mcp-Session-Id: ${other}`],
        body: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'project_status', arguments: {} },
        },
      });
      return text.includes('/etc') ? 'it names the roots of the attacker' : undefined;
    },
  ),
  sessionAttack(
    "cancelling another's call by its id",
    'a cancellation counts for its own session',
    async ({ port }) => {
      const [mine, other] = [await openSession(port, { name: 'attacker' }), await openSession(port)];
      const call = send(port, { headers: [`Mcp-Session-Id: ${other}`], body: { ...LIST, id: 77 } });
      await Promise.all(
        Array.from({ length: 10 }, () =>
          send(port, {
            headers: [`Mcp-Session-Id: ${mine}`],
            body: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 77 } },
          }),
        ),
      );
      return (await call).status === 200 ? undefined : 'the call of the victim was ended';
    },
  ),
  sessionAttack(
    'switching the project of another client',
    'a choice holds for its own connection',
    async ({ port, home }) => {
      const [mine, other] = [await openSession(port, { name: 'attacker' }), await openSession(port)];
      await send(port, {
        headers: [`Mcp-Session-Id: ${mine}`],
        body: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'switch_project', arguments: { project: `${home}/project` } },
        },
      });
      const { text } = await send(port, {
        headers: [`Mcp-Session-Id: ${other}`],
        body: {
          jsonrpc: '2.0',
          id: 2,
          method: 'tools/call',
          params: { name: 'project_status', arguments: {} },
        },
      });
      return text.includes('no_project') ? undefined : 'the victim works on it now';
    },
  ),
  ...(['flood', 'a name each'] as const).map((name) =>
    sessionAttack(
      `400 sessions of one client, ${name === 'flood' ? 'all of one name' : name}`,
      "no number of one client's sessions pushes out another's",
      async ({ port }) => {
        const victim = await openSession(port, { name: 'the editor' });
        for (let round = 0; round < 20; round += 1)
          await Promise.all(
            Array.from({ length: 20 }, (_, at) =>
              send(port, {
                body: {
                  ...HELLO,
                  params: {
                    ...HELLO.params,
                    clientInfo: { name: name === 'flood' ? name : `f${round}-${at}`, version: '1' },
                  },
                },
              }),
            ),
          );
        const status = await pingIn(port, victim);
        return status === 200 ? undefined : `the session of the victim answers ${status}`;
      },
      ['--max-sessions', '100'],
    ),
  ),
  sessionAttack(
    '200 streams that are never read',
    'a client that does not read costs others nothing',
    async ({ port }) => {
      const streams = await Promise.all(Array.from({ length: 200 }, () => listen(port, '/sse')));
      const start = performance.now();
      const { status } = await send(port, { body: HELLO });
      const ms = performance.now() - start;
      for (const stream of streams) stream.close();
      return status === 200 && ms < 2_000
        ? undefined
        : `another client: ${status} after ${Math.round(ms)} ms`;
    },
  ),
  sessionAttack(
    'more streams than there are places',
    'where all places are busy a new client is told so',
    async ({ port }) => {
      const streams = await Promise.all(Array.from({ length: 120 }, () => listen(port, '/sse')));
      const refused = streams.filter(({ text }) => text().startsWith('HTTP/1.1 503')).length;
      for (const stream of streams) stream.close();
      return refused >= 20 ? undefined : `${refused} of 120 were refused; the cap is 100`;
    },
    ['--max-sessions', '100'],
  ),
  sessionAttack(
    'ending the session of another by DELETE without its id',
    'DELETE ends the session it names',
    async ({ port }) => {
      const victim = await openSession(port);
      await Promise.all(
        ['*', '', 'undefined', `${victim.slice(0, 8)}*`].map((id) =>
          send(port, { method: 'DELETE', headers: [`Mcp-Session-Id: ${id}`] }),
        ),
      );
      return (await pingIn(port, victim)) === 200 ? undefined : 'it ended';
    },
  ),
  {
    name: '700 requests in a burst from one address',
    area: 'http',
    stands: 'one address cannot use up a server that others can reach',
    async run({ program }) {
      // Not as the others: afterwards this server refuses whatever this address asks.
      const { port } = await targetFor(program, ['--rate-limit', '600']);
      const statuses = new Set<number>();
      for (let round = 0; round < 35 && !statuses.has(429); round += 1)
        for (const { status } of await Promise.all(
          Array.from({ length: 20 }, () => send(port, { path: '/healthz' })),
        ))
          statuses.add(status);
      return statuses.has(429) ? undefined : 'none was refused';
    },
  },
  ...OUTSIDE.map((path) =>
    sessionAttack(
      `project: ${JSON.stringify(path)}`,
      'a limited client names projects within its limit alone',
      async (target) => {
        const { port, home } = target;
        prepareLimit(home);
        const named = path.replace('HOME', home);
        const { status, text } = await send(port, {
          path: `/mcp?project_path=${named.includes('%') ? named : encodeURIComponent(named)}`,
          body: HELLO,
        });
        if (status === 200) return 'the handshake was answered';
        const session = await openSession(port);
        const call = await send(port, {
          headers: [`Mcp-Session-Id: ${session}`],
          body: {
            jsonrpc: '2.0',
            id: 2,
            method: 'tools/call',
            params: { name: 'search_code', arguments: { query: 'root', project: decodeURIComponent(named) } },
          },
        });
        if (!/isError":true|"error"/.test(call.text)) return `search_code answered: ${call.text.slice(-200)}`;
        return /root:x:0|canary/.test(text + call.text) ? 'a file outside was read' : undefined;
      },
      ['--allow-project-root', 'HOME/project'],
    ),
  ),
];

function prepareLimit(home: string): void {
  try {
    mkdirSync(`${home}/projectx/.git`, { recursive: true });
    writeFileSync(`${home}/projectx/.git/HEAD`, 'ref: refs/heads/main\n');
    writeFileSync(`${home}/projectx/secret.txt`, 'canary');
    symlinkSync(`${home}/projectx`, `${home}/project/link`);
  } catch {
    // An earlier attack on the same server made them.
  }
}
