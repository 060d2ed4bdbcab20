/** Every client of the zoo finds its own project by the source written down for it, or reads why not; never another one. */
import { expect, test } from 'vitest';
import { CLIENT_ZOO } from '../fixtures/client-zoo.ts';
import type { ClientVariant, HttpUse, RootsBehaviour } from '../fixtures/zoo-client.ts';
import { openClient, type ClientKind, type Roots } from '../support/clients.ts';
import { createPlaces, fillIn, replayClient, rootUris, type Places } from '../support/replay-client.ts';
import { serve } from '../support/waymark.ts';

/** What a user of this client reads: the line that names the project, or the first line of the error. */
async function play(variant: ClientVariant, places: Places) {
  const client = await replayClient(variant, places);
  const found = await client.call('project_status');
  const again = await client.call('project_status');
  const named = await client.call('project_status', { project: places.PROJECT });
  await client.close();
  return {
    variant: variant.label,
    says: found.text.split(/\n| · /)[0],
    isError: found.isError,
    project: found.structured['project'],
    again: again.structured['project'],
    // Without a project, a client can still name it.
    named: named.structured['project'],
  };
}

/** What the fixture says must come of it: PROJECT by one source, or an error; never another project. */
function written({ label, finds }: ClientVariant, places: Places): Awaited<ReturnType<typeof play>> {
  const lost = finds === 'no project';
  const project = lost ? null : { name: 'web shop', root: places.PROJECT, source: finds };
  return {
    variant: label,
    says: lost
      ? 'No project detected. Set WAYMARK_PROJECT or use --project-from-cwd.'
      : `project: web shop (${places.PROJECT}, via ${finds})`,
    isError: lost,
    project,
    again: project,
    named: { name: 'web shop', root: places.PROJECT, source: 'argument' },
  };
}

test.each(CLIENT_ZOO)(
  'R003 R006 R018 R058 $name over stdio finds its own project or says why not',
  async (client) => {
    const places = createPlaces();

    const played = await Promise.all(client.stdio.map((variant) => play(variant, places)));

    expect(played).toEqual(client.stdio.map((variant) => written(variant, places)));
  },
);

test('R050 every client that takes a URL finds its project over HTTP', async () => {
  const places = createPlaces();
  const { url } = await serve();
  const users = CLIENT_ZOO.flatMap(({ name, http }) => (http === undefined ? [] : [{ name, ...http }]));

  const found: unknown[] = [];
  for (const use of users) {
    const client = await openClient(toHttpClient(use, places, url));
    const { structured } = await client.call('project_status', {}, fillIn(use.meta ?? {}, places));
    found.push({ client: use.name, project: structured['project'] });
  }

  expect(found).toEqual(
    users.map(({ name, finds }) => ({
      client: name,
      project: { name: 'web shop', root: places.PROJECT, source: finds },
    })),
  );
});

test('a client that kills its server once it has asked what it can do finds the next one working', async () => {
  const places = createPlaces();
  // Claude Code does this to servers that are slow to answer.
  const [cli] = claudeCode().stdio;
  const first = await replayClient(cli, places, { command: 'mcp' });
  first.kill();

  const second = await replayClient(cli, places);

  expect((await second.call('project_status')).structured['project']).toMatchObject({ source: 'roots' });
});

function claudeCode() {
  const [client] = CLIENT_ZOO;
  if (client?.name !== 'Claude Code') throw new Error('the zoo begins with Claude Code');
  return client;
}

test('no client is in the zoo twice, and no variant either', () => {
  const variants = CLIENT_ZOO.flatMap(({ name, stdio }) => stdio.map(({ label }) => `${name}, ${label}`));

  expect(CLIENT_ZOO).toHaveLength(20);
  expect(new Set(variants).size).toBe(variants.length);
});

function toHttpClient(use: HttpUse, places: Places, url: string) {
  const kinds: Readonly<Record<HttpUse['transport'], ClientKind>> = {
    modern: 'HTTP, version 2, modern',
    legacy: 'HTTP, version 1',
    sse: 'HTTP+SSE, version 1',
  };
  const base = use.transport === 'sse' ? url.replace(/mcp$/, 'sse') : url;
  return {
    kind: kinds[use.transport],
    url: `${base}?project_path=${encodeURIComponent(places.PROJECT)}`,
    roots: toRoots(use.roots, places),
    ...(use.roots.kind !== 'undeclared' && use.roots.listChanged === true ? { listChanged: true } : {}),
  };
}

function toRoots(roots: RootsBehaviour, places: Places): Roots {
  switch (roots.kind) {
    case 'undeclared':
      return 'undeclared';
    case 'answers':
      return () => rootUris(roots, places);
    case 'silent':
      return () => new Promise(() => {});
    case 'error':
      return () => Promise.reject(Object.assign(new Error('Method not found'), { code: roots.code }));
  }
}
