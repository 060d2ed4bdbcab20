/**
 * R021, R037, R054: many ways of writing a path, by argument, by URL and as a root, with and without a limit. Each is one
 * project or a refusal, and the limit is never left.
 */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openClient, type CallAnswer } from '../support/clients.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { serve } from '../support/waymark.ts';
import { rootOf } from './projects.ts';

/** What a row comes to: a folder below the base, a refusal, or a way out, which the limit must close. */
type Comes = { readonly to: string } | 'refused' | { readonly out: string };

const NFC = 'caf\u00e9';
const NFD = 'cafe\u0301';

/** `@` is the base, with the folder `in` that is allowed and `out` that is not. */
const PATHS: readonly (readonly [string, Comes])[] = [
  ['@/in/a', { to: 'in/a' }],
  ['@/in/a/', { to: 'in/a' }],
  ['@/in/a//', { to: 'in/a' }],
  ['@//in//a', { to: 'in/a' }],
  ['@/in/./a', { to: 'in/a' }],
  ['@/in/a/.', { to: 'in/a' }],
  ['@/in/a/b/..', { to: 'in/a' }],
  ['@/in/a/../a', { to: 'in/a' }],
  ['@/in/../in/a', { to: 'in/a' }],
  ['@/out/../in/a', { to: 'in/a' }],
  ['@/in/link', { to: 'in/a' }],
  ['@/in/link/', { to: 'in/a' }],
  ['@/in/link/b', { to: 'in/a/b' }],
  ['@/in/link/b/..', { to: 'in/a' }],
  ['@/in/chain', { to: 'in/a' }],
  ['@/in/relative', { to: 'in/a' }],
  ['@/in/absolute/b', { to: 'in/a/b' }],
  ['@/in/a/up', { to: 'in/a' }],
  ['@/in/a b', { to: 'in/a b' }],
  ['@/in/a%20b', { to: 'in/a%20b' }],
  ['@/in/c++', { to: 'in/c++' }],
  ['@/in/#x?y=1&z', { to: 'in/#x?y=1&z' }],
  ['@/in/${HOME}', { to: 'in/${HOME}' }],
  [`@/in/${NFC}`, { to: `in/${NFC}` }],
  [`@/in/${NFD}`, { to: `in/${NFD}` }],
  ['@/in/\u6771\u4eac', { to: 'in/\u6771\u4eac' }],
  ['@/in/\ud83d\ude00', { to: 'in/\ud83d\ude00' }],
  ['@/in/Case', { to: 'in/Case' }],
  ['@/in/case', { to: 'in/case' }],
  ['@/in/...', { to: 'in/...' }],
  ['@/in/ ', { to: 'in/ ' }],
  ['@/in/back\\slash', { to: 'in/back\\slash' }],
  ['@/in/CASE', 'refused'],
  ['@/in/gone', 'refused'],
  ['@/in/gone/..', 'refused'],
  ['@/in/file', 'refused'],
  ['@/in/file/', 'refused'],
  ['@/in/file/..', 'refused'],
  ['@/in/a\\b', 'refused'],
  ['@/in/loop', 'refused'],
  ['@/in/dangling', 'refused'],
  ['@/in/fifo-like\n', 'refused'],
  ['in/a', 'refused'],
  ['./in/a', 'refused'],
  ['../in/a', 'refused'],
  ['~/in/a', 'refused'],
  ['.', 'refused'],
  ['..', 'refused'],
  ['/', 'refused'],
  ['//', 'refused'],
  ['/..', 'refused'],
  ['C:\\Users\\me', 'refused'],
  ['c:/Users/me', 'refused'],
  ['C:', 'refused'],
  ['\\\\server\\share', 'refused'],
  ['//server/share', 'refused'],
  ['\\\\?\\C:\\x', 'refused'],
  ['@/in/a\0', 'refused'],
  ['\0', 'refused'],
  ['@/out/z', { out: 'out/z' }],
  ['@/in/../out/z', { out: 'out/z' }],
  ['@/in/a/../../out/z', { out: 'out/z' }],
  ['@/in/escape', { out: 'out' }],
  ['@/in/escape/z', { out: 'out/z' }],
  ['@/in/escape/../out/z', { out: 'out/z' }],
  ['@/in/a/way-out', { out: 'out/z' }],
  ['@/in/link/way-out', { out: 'out/z' }],
  ['@/in-not/z', { out: 'in-not/z' }],
  ['@/alias/a', { out: 'in/a' }],
];

/** As a root only: forms that exist as URIs. */
const URIS: readonly (readonly [string, Comes])[] = [
  ['file://@/in/a', { to: 'in/a' }],
  ['FILE://@/in/a', { to: 'in/a' }],
  ['file://localhost@/in/a', { to: 'in/a' }],
  ['file://LOCALHOST@/in/a/', { to: 'in/a' }],
  ['file://@/in/a%20b', { to: 'in/a b' }],
  ['file://@/in/a%2520b', { to: 'in/a%20b' }],
  ['file://@/in/%63ase', { to: 'in/case' }],
  ['file://@/in/caf%C3%A9', { to: `in/${NFC}` }],
  ['file://@/in/cafe%CC%81', { to: `in/${NFD}` }],
  ['file://@/in/c++', { to: 'in/c++' }],
  ['file://@/in/c%2B%2B', { to: 'in/c++' }],
  ['file://@/in/a/%2e%2e/a', { to: 'in/a' }],
  ['file://@/in/a%2Fb', 'refused'],
  ['file://@/in/a%5Cb', 'refused'],
  ['file://@/in/a%00', 'refused'],
  ['file://@/in/a%', 'refused'],
  ['file://@/in/a%E0%A4%A', 'refused'],
  ['file://@/in/a?x', 'refused'],
  ['file://@/in/a#x', 'refused'],
  ['file://server@/in/a', 'refused'],
  ['file://127.0.0.1@/in/a', 'refused'],
  ['file:@/in/a', 'refused'],
  ['file:////server/share', 'refused'],
  ['file:///C:/Users/me', 'refused'],
  ['file:///c%3A/Users/me', 'refused'],
  ['http://localhost@/in/a', 'refused'],
  ['vscode-remote://box@/in/a', 'refused'],
  ['file://@/in/%2e%2e/out/z', { out: 'out/z' }],
  ['file://@/in/escape/z', { out: 'out/z' }],
  ['file://@/out/z', { out: 'out/z' }],
];

function makeFolder() {
  const folder = tempFolder();
  const folders = [
    'in/a/b',
    'in/a b',
    'in/a%20b',
    'in/c++',
    'in/#x?y=1&z',
    'in/${HOME}',
    'out/z',
    'in-not/z',
  ];
  const odd = [
    `in/${NFC}`,
    `in/${NFD}`,
    'in/\u6771\u4eac',
    'in/\ud83d\ude00',
    'in/Case',
    'in/case',
    'in/...',
    'in/ ',
  ];
  for (const name of [...folders, ...odd, 'in/back\\slash'])
    mkdirSync(`${folder.path}/${name}`, { recursive: true });
  writeFileSync(folder.join('in/file'), '');
  const links = {
    'in/link': 'a',
    'in/chain': 'link',
    'in/relative': '../in/./a',
    'in/absolute': folder.join('in/a'),
    'in/a/up': '../a',
    'in/loop': 'loop',
    'in/dangling': 'gone',
    'in/escape': '../out',
    'in/a/way-out': folder.join('out/z'),
    alias: 'in',
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, folder.join(name));
  return folder;
}

/** The root that was found, or in one word why there is none. */
function toOutcome(answer: CallAnswer): unknown {
  if (!answer.isError) return rootOf(answer);
  return answer.structured['error_type'] === 'project_forbidden' ? 'forbidden' : 'refused';
}

async function byUrl(url: string, path: string): Promise<number> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const response = await fetch(`${url}?project_path=${encodeURIComponent(path)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
  await response.body?.cancel();
  return response.status;
}

interface Row {
  readonly path: string;
  /** Without a limit, every way is open. */
  readonly free: string;
  /** With one, what leads out is forbidden, and what is nowhere may be: it is not looked at. */
  readonly limited: readonly string[];
}

function toRow([path, comes]: readonly [string, Comes], base: string): Row {
  const filled = path.replace('@', base);
  if (comes === 'refused') return { path: filled, free: 'refused', limited: ['refused', 'forbidden'] };
  if ('to' in comes) return { path: filled, free: `${base}/${comes.to}`, limited: [`${base}/${comes.to}`] };
  return { path: filled, free: `${base}/${comes.out}`, limited: ['forbidden'] };
}

const STATUS: Readonly<Record<string, number>> = { refused: 400, forbidden: 403 };

test('R021 R050 R051 R054 each path of the corpus is one project or a refusal, by argument and by URL', async () => {
  const folder = makeFolder();
  const rows = PATHS.map((row) => toRow(row, folder.path));
  const [free, limited] = [await serve(), await serve(['--allow-project-root', folder.join('in')])];
  const open = ({ url }: { readonly url: string }) => openClient({ kind: 'HTTP, version 1', url });
  const [freely, inside] = [await open(free), await open(limited)];

  const wrong: unknown[] = [];
  for (const { path, ...comes } of rows) {
    const byName = {
      free: toOutcome(await freely.call('project_status', { project: path })),
      limited: toOutcome(await inside.call('project_status', { project: path })),
    };
    const status = { free: await byUrl(free.url, path), limited: await byUrl(limited.url, path) };
    const isRight =
      byName.free === comes.free &&
      comes.limited.some((outcome) => outcome === byName.limited) &&
      status.free === (STATUS[comes.free] ?? 200) &&
      comes.limited.some((outcome) => status.limited === (STATUS[outcome] ?? 200));
    if (!isRight) wrong.push({ path, comes, byName, status });
  }

  expect(wrong).toEqual([]);
});

test('R037 R054 each URI of the corpus is one project or is passed over, as a root', async () => {
  const folder = makeFolder();
  const rows = URIS.map((row) => toRow(row, folder.path));
  let uri = '';
  const open = async (flags: readonly string[]) =>
    openClient({ kind: 'HTTP, version 1', url: (await serve(flags)).url, roots: () => [uri] });
  const [freely, inside] = [await open([]), await open(['--allow-project-root', folder.join('in')])];

  const wrong: unknown[] = [];
  for (const { path, free, limited } of rows) {
    uri = path;
    const found = {
      free: toOutcome(await freely.call('project_status')),
      limited: toOutcome(await inside.call('project_status')),
    };
    if (found.free !== free || !limited.some((outcome) => outcome === found.limited))
      wrong.push({ path, free, limited, found });
  }

  expect(wrong).toEqual([]);
});

test('the corpus has at least sixty rows, each once', () => {
  const all = [...PATHS, ...URIS].map(([path]) => path);

  expect(all.length).toBeGreaterThanOrEqual(60);
  expect(new Set(all).size).toBe(all.length);
});
