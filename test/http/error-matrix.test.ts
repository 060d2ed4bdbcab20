/** Every row of the error matrix, in both eras, over real sockets: the server itself, or its listener with planted tools. */
import { Server } from '@modelcontextprotocol/server';
import { beforeAll, expect, test } from 'vitest';
import { openFixtureApp } from '../support/fixture-app.ts';
import { countTool, crashResource, crashTool, SECRET } from '../support/fixture-tools.ts';
import { send, type RawReply } from '../support/raw-http.ts';
import { initialize, legacy, modern, openSession } from '../support/rpc.ts';
import { collectEnds } from '../support/temp-folder.ts';
import { serve, type ServedWaymark } from '../support/waymark.ts';
import { MATRIX } from './error-matrix-rows.ts';
import { findProblems } from './reply-problems.ts';
import type { Era, MatrixRow, Place, Sender } from './matrix-row.ts';

const TOKEN = 'secret-of-the-matrix-with-32-letters';
const servers = new Map<Place, { readonly port: number; readonly session: string }>();
let plain: ServedWaymark;

const FLAGS: readonly (readonly [Place, readonly string[]])[] = [
  ['lenient', ['--lenient']],
  ['token', ['--token', TOKEN]],
  // Three requests are what it takes to open the session below and to be one too many afterwards.
  ['limited', ['--rate-limit', '2']],
  ['cors', ['--allow-origin', 'https://app.example']],
];

beforeAll(async () => {
  const { onEnd, end } = collectEnds();
  const add = async (place: Place, port: number): Promise<void> => {
    const headers = place === 'token' ? { authorization: `Bearer ${TOKEN}` } : {};
    servers.set(place, { port, session: await openSession(port, undefined, { headers }) });
  };
  plain = await serve([], { onEnd });
  await add('plain', plain.port);
  await Promise.all(FLAGS.map(async ([place, flags]) => add(place, (await serve(flags, { onEnd })).port)));
  const tools = [countTool, crashTool];
  await add('fixture', (await openFixtureApp({ tools, resources: [crashResource], onEnd })).port);
  return end;
});

const CASES = MATRIX.flatMap((row) =>
  (['legacy', 'modern'] as const).flatMap((era) => {
    const expected = row[era];
    return expected === undefined
      ? []
      : [[`${row.id} ${era}: ${row.what}`, { ...row, era, expected }] as const];
  }),
);

test.each(CASES)('%s', async (_title, { era, expected, ...row }) => {
  const reply = await ask(row, era);

  expect(findProblems(reply, expected)).toEqual([]);
});

test('every row of the matrix is here, in every era the contract names', () => {
  const all = Array.from({ length: 29 }, (_, index) => `F${String(index + 1).padStart(2, '0')}`);
  const legacyOnly = ['F05', 'F16', 'F18'];
  const modernOnly = ['F12', 'F28'];

  for (const era of ['legacy', 'modern'] as const) {
    const missing = era === 'legacy' ? modernOnly : legacyOnly;
    const seen = new Set(CASES.filter(([, row]) => row.era === era).map(([, row]) => row.id));
    expect([...seen].toSorted()).toEqual(all.filter((id) => !missing.includes(id)));
  }
});

test.each(['legacy', 'modern'] as const)('F25 %s: a server that is not ours and breaks', async (era) => {
  const factory = (): Server => {
    const server = new Server({ name: 'foreign', version: '1.0.0' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => {
      throw new TypeError(SECRET);
    });
    return server;
  };
  const { port } = await openFixtureApp({ factory });
  const call = { id: 7, method: 'tools/list' };

  const reply = await send(port, era === 'legacy' ? legacy(await openSession(port), call) : modern(call));

  expect(
    findProblems(reply, { status: 500, code: -32603, message: /^Internal error \(reference \S+\)$/ }),
  ).toEqual([]);
});

test.each(['legacy', 'modern'] as const)('F25 %s: a server that cannot be made', async (era) => {
  const factory = (): Server => {
    throw new TypeError(SECRET);
  };
  const { port } = await openFixtureApp({ factory });

  const asked = era === 'legacy' ? initialize() : modern({ id: 'hello', method: 'tools/list' });
  const reply = await send(port, asked);

  expect(
    findProblems(reply, {
      status: 500,
      id: 'hello',
      code: -32603,
      message: /^Internal error \(reference \S+\)$/,
    }),
  ).toEqual([]);
});

test('F15 a refused Host is logged by name', async () => {
  await send(plain.port, { method: 'GET', path: '/', headers: { host: 'testserver' } });

  await plain.saw(/ warn Invalid Host header: testserver$/m);
});

function ask(row: MatrixRow, era: Era): Promise<RawReply> {
  const server = servers.get(row.at ?? 'plain');
  if (server === undefined) throw new Error(`no server for ${row.id}`);
  const sender: Sender = {
    era,
    session: server.session,
    ask: (method, params, headers) => {
      const call = { id: 7, method, ...(params === undefined ? {} : { params }) };
      const more = { headers: headers ?? {} };
      return era === 'legacy' ? legacy(server.session, call, more) : modern(call, more);
    },
  };
  return send(server.port, row.send(sender));
}
