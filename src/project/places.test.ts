/** R054: what lies outside the allowed folders is refused in the same words whether it exists or not. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { createDetector, type DetectionRequest } from './detector.ts';
import { createAllowedRoots } from './identity.ts';

function jail() {
  const folder = tempFolder({
    'allowed/inside/.git/HEAD': '',
    'outside/there/.git/HEAD': '',
    'outside/file': '',
    'allowed-not/x': '',
  });
  symlinkSync(folder.join('outside'), folder.join('allowed/out'));
  symlinkSync(folder.join('outside/gone'), folder.join('allowed/dangling'));
  symlinkSync(folder.join('allowed'), folder.join('alias'));
  const detector = createDetector({
    environment: () => ({}),
    projectFromCwd: false,
    allowProjectRoot: [folder.join('allowed')],
    cwd: () => undefined,
    findByName: async (name) =>
      name === 'twice' ? [folder.join('outside/there'), folder.join('allowed/inside')] : [],
  });
  return { folder, detector };
}

const OUTSIDE = [
  'outside/there',
  'outside/gone',
  'outside/file',
  'outside/gone/deeper',
  'allowed/out',
  'allowed/out/there',
  'allowed/out/gone',
  'allowed/out/file',
  'allowed/dangling',
  'allowed/dangling/deeper',
  'allowed/../outside/there',
  'allowed/../outside/gone',
  'allowed/inside/../../outside/gone',
  'allowed/out/../allowed-not',
  'allowed-not',
  // By its name it lies outside, wherever it leads: it is not even looked at.
  'alias/inside',
  '.',
];

test.each(['link/..', 'link/../', 'link/../outside/..', 'link/./..'])(
  'R054 an allowed folder that is written as %s is what the system takes it for',
  async (written) => {
    const folder = tempFolder({ 'far/target/x': '', 'far/inside/x': '', 'far/outside/x': '', 'near/x': '' });
    symlinkSync(folder.join('far/target'), folder.join('link'));
    const allowed = createAllowedRoots([`${folder.path}/${written}`]);

    expect(allowed.allows(folder.join('far/inside'))).toBe(true);
    expect(allowed.disk.kind(folder.join('far/inside'))).toBe('directory');
    expect(allowed.allows(folder.join('near'))).toBe(false);
    expect(allowed.disk.kind(folder.join('near'))).toBe('missing');
  },
);

const WAYS: Readonly<Record<string, (path: string) => Partial<DetectionRequest>>> = {
  argument: (argument) => ({ argument }),
  switched: (switched) => ({ switched }),
  roots: (path) => ({ roots: async () => ({ kind: 'roots', uris: [`file://${path}`] }) }),
  client_meta: (path) => ({ meta: { 'agent-working-dir': path } }),
  query_param: (query) => ({ query }),
};

describe.each(Object.keys(WAYS))('R054 by %s', (way) => {
  test.each(OUTSIDE)('%s is forbidden, existing or not', async (name) => {
    const { folder, detector } = jail();
    const path = `${folder.path}/${name}`;

    const detection = await detector.detect({ transport: 'http', ...WAYS[way]?.(path) });

    expect(detection).toMatchObject({
      kind: 'refused',
      refused: {
        source: way,
        why: 'forbidden',
        message: `Project path is outside the folders this server allows: ${path}`,
      },
    });
  });

  test('what is inside is found, and over stdio nothing is limited', async () => {
    const { folder, detector } = jail();

    const inside = await detector.detect({
      transport: 'http',
      ...WAYS[way]?.(folder.join('allowed/inside')),
    });
    const free = await detector.detect({ transport: 'stdio', ...WAYS[way]?.(folder.join('outside/there')) });

    expect(inside).toMatchObject({ kind: 'found', project: { root: folder.join('allowed/inside') } });
    expect(free).toMatchObject({ kind: 'found', project: { root: folder.join('outside/there') } });
  });
});

test('R054 inside, what does not exist may be said not to', async () => {
  const { folder, detector } = jail();

  const detection = await detector.detect({
    transport: 'http',
    argument: folder.join('allowed/gone/deeper'),
  });

  expect(detection).toMatchObject({
    kind: 'refused',
    refused: { why: 'unusable', message: expect.stringContaining('does not exist') },
  });
});

test('R054 a folder may be allowed by a link, and is then known by both names', () => {
  const folder = tempFolder({ 'real/p/x': '' });
  symlinkSync(folder.join('real'), folder.join('link'));
  const allowed = createAllowedRoots([folder.join('link')]);

  expect(['link/p', 'real/p', 'link/gone'].map((name) => allowed.disk.look(folder.join(name)))).toEqual([
    { kind: 'directory', real: folder.join('real/p') },
    { kind: 'directory', real: folder.join('real/p') },
    { kind: 'missing' },
  ]);
  expect(allowed.disk.look(folder.join('elsewhere'))).toEqual({ kind: 'outside' });
});

test('R054 a marker above the allowed folder makes no project of what is above it', async () => {
  const folder = tempFolder({ 'repo/.git/HEAD': '', 'repo/packages/a/x': '' });
  const detector = createDetector({
    environment: () => ({}),
    projectFromCwd: false,
    allowProjectRoot: [folder.join('repo/packages')],
  });

  const meta = { 'agent-working-dir': folder.join('repo/packages/a') };

  expect(await detector.detect({ transport: 'http', meta })).toMatchObject({
    kind: 'refused',
    refused: { why: 'forbidden' },
  });
});

test('R054 a name stands only for projects that the caller may name', async () => {
  const { folder, detector } = jail();
  mkdirSync(folder.join('allowed/other'));

  const overHttp = await detector.detect({ transport: 'http', argument: 'twice' });
  const unknown = await detector.detect({ transport: 'http', argument: 'never-heard-of' });
  const overStdio = await detector.detect({ transport: 'stdio', argument: 'twice' });

  expect(overHttp).toMatchObject({ kind: 'found', project: { root: folder.join('allowed/inside') } });
  expect(unknown).toMatchObject({ kind: 'refused', refused: { why: 'unusable' } });
  expect(overStdio).toMatchObject({
    kind: 'refused',
    refused: { message: expect.stringContaining(folder.join('outside/there')) },
  });
});

test('R032 R054 a first root outside is an error, a later one is left out of the workspace', async () => {
  const { folder, detector } = jail();
  const uri = (name: string) => pathToFileURL(folder.join(name)).href;
  const detect = (uris: readonly string[]) =>
    detector.detect({ transport: 'http', roots: async () => ({ kind: 'roots', uris }) });

  const later = await detect([uri('allowed/inside'), uri('outside/there')]);

  expect(await detect([uri('outside/gone'), uri('allowed/inside')])).toMatchObject({ kind: 'refused' });
  expect(later).toMatchObject({ kind: 'found', source: 'roots' });
  expect(later.reports.find(({ source }) => source === 'roots')).toMatchObject({
    workspace: [{ root: folder.join('allowed/inside') }],
  });
});
