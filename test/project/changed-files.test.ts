/** What changed, with tampered packs and in nested repositories: the answer comes soon and is true. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/platform/index.ts';
import { readChangedFiles, readPlace } from '../../src/workspace/index.ts';
import { git, memoryProject } from '../support/memory-client.ts';
import { createRandom } from '../support/random.ts';

test('a pack or its list with other bytes is told or not told, and never breaks the call', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [
      `src/part${at % 6}/file${at}.ts`,
      `export const a${at} = ${at};\n`,
    ]),
  );
  const { folder } = memoryProject(files);
  const { path: root } = folder;
  const commit = (): string =>
    git(root, '-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-q', '-a', '-m', 'more');
  git(root, 'switch', '-q', '-c', 'work');
  for (let at = 0; at < 8; at++) {
    folder.write({ [`src/part1/file${at * 6 + 1}.ts`]: `export const changed${at} = 1;\n` });
    commit();
  }
  git(root, 'gc', '-q', '--aggressive', '--prune=now');
  const packs = join(root, '.git/objects/pack');
  const names = readdirSync(packs).filter((name) => /\.(idx|pack)$/.test(name));
  const whole = new Map(names.map((name) => [name, readFileSync(join(packs, name))]));
  for (const name of names) chmodSync(join(packs, name), 0o600);
  const read = () =>
    readChangedFiles(readPlace(root, root), 'main', { clock: systemClock, list: () => ({}), most: 500 });
  const expected = await read();
  const random = createRandom(2_026);
  const outcomes = new Map<string, number>();

  for (let round = 0; round < 150; round++) {
    const name = names[round % names.length] ?? '';
    const bytes = Buffer.from(whole.get(name) ?? []);
    for (let flip = 0; flip <= round % 4; flip++)
      bytes.writeUInt8(random.below(256), random.below(bytes.length));
    writeFileSync(
      join(packs, name),
      round % 10 === 9 ? bytes.subarray(0, random.below(bytes.length)) : bytes,
    );
    const { kind } = await read();
    outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
    writeFileSync(join(packs, name), whole.get(name) ?? '');
  }

  expect(expected).toMatchObject({ kind: 'told' });
  expect(expected.kind === 'told' ? expected.paths.toSorted() : []).toEqual(
    git(root, 'diff', '--name-only', 'main').split('\n').toSorted(),
  );
  expect((outcomes.get('told') ?? 0) + (outcomes.get('untold') ?? 0)).toBe(150);
  expect(outcomes.get('untold')).toBeGreaterThan(0);
  expect(await read()).toEqual(expected);
});

test('a list that claims more names than it has, or fewer than before, is not looked through', async () => {
  const { folder } = memoryProject({ 'src/a.ts': 'export const a = 1;\n' });
  const { path: root } = folder;
  git(root, 'gc', '-q', '--prune=now');
  const packs = join(root, '.git/objects/pack');
  const absIndex = join(packs, readdirSync(packs).find((name) => name.endsWith('.idx')) ?? '');
  const whole = readFileSync(absIndex);
  chmodSync(absIndex, 0o600);
  const read = () =>
    readChangedFiles(readPlace(root, root), 'main', { clock: systemClock, list: () => ({}), most: 500 });
  expect(await read()).toMatchObject({ kind: 'told' });

  const claims = [
    // Every count: so many that two of them together are more than 32 bits hold.
    (list: Buffer): void => {
      for (let at = 8; at < 8 + 256 * 4; at += 4) list.writeUInt32BE(0xf000_0000 + at, at);
    },
    (list: Buffer): void => void list.writeUInt32BE(0xffff_ffff, 8 + 255 * 4),
    (list: Buffer): void => void list.writeUInt32BE(0xaf00_0000, 8),
  ];
  for (const claim of claims) {
    const list = Buffer.from(whole);
    claim(list);
    writeFileSync(absIndex, list);
    expect(await read()).toMatchObject({ kind: 'untold' });
  }
});

/** A list of names that all lead to one object: an empty difference to itself. */
function packOfLoops(names: readonly Buffer[]): { readonly idx: Buffer; readonly pack: Buffer } {
  const [first = Buffer.alloc(20)] = names;
  const fan = Buffer.alloc(256 * 4);
  for (let byte = 0; byte < 256; byte++)
    fan.writeUInt32BE(names.filter((name) => name.readUInt8(0) <= byte).length, byte * 4);
  const places = Buffer.alloc(names.length * 4);
  for (let at = 0; at < names.length; at++) places.writeUInt32BE(12, at * 4);
  const head = Buffer.from('ff744f6300000002', 'hex');
  return {
    idx: Buffer.concat([head, fan, ...names, Buffer.alloc(names.length * 4), places, Buffer.alloc(40)]),
    pack: Buffer.concat([
      Buffer.from('PACK\0\0\0\x02\0\0\0\x01', 'latin1'),
      Buffer.of(0x70),
      first,
      deflateSync(Buffer.alloc(0)),
      Buffer.alloc(20),
    ]),
  };
}

test('a history that is made to be looked at for ever is given up soon', async () => {
  const { folder } = memoryProject({ 'a.ts': 'export const a = 1;\n' });
  const { path: root } = folder;
  git(root, 'branch', 'other');
  const parents = Array.from({ length: 20_000 }, (_, at) =>
    createHash('sha1').update(`${at}`).digest(),
  ).toSorted((a, b) => a.compare(b));
  const head = git(root, 'cat-file', 'commit', 'HEAD').split('\n');
  const lines = [head[0], ...parents.map((parent) => `parent ${parent.toString('hex')}`), ...head.slice(1)];
  const body = Buffer.from(`${lines.join('\n')}\n`);
  const object = Buffer.concat([Buffer.from(`commit ${body.length}\0`), body]);
  const hash = createHash('sha1').update(object).digest('hex');
  const { idx, pack } = packOfLoops(parents);
  mkdirSync(join(root, '.git/objects/pack'), { recursive: true });
  writeFileSync(join(root, '.git/objects/pack/pack-loops.idx'), idx);
  writeFileSync(join(root, '.git/objects/pack/pack-loops.pack'), pack);
  mkdirSync(join(root, '.git/objects', hash.slice(0, 2)), { recursive: true });
  writeFileSync(join(root, '.git/objects', hash.slice(0, 2), hash.slice(2)), deflateSync(object));
  writeFileSync(join(root, '.git/refs/heads/other'), `${hash}\n`);
  const [tip = ''] = git(root, 'rev-parse', 'main').split('\n');
  writeFileSync(join(root, '.git/refs/heads/main'), `${tip}\n`);

  const told = await readChangedFiles(readPlace(root, root), 'other', {
    clock: systemClock,
    list: () => ({}),
    most: 500,
  });

  expect(told).toEqual({ kind: 'untold', why: 'no_common_commit' });
});

test('files of a submodule are its own', async () => {
  const { folder: inner } = memoryProject({ 'b.ts': 'export const b = 1;\n' });
  const { folder } = memoryProject({ 'a.ts': 'export const a = 1;\n' });
  const { path: root } = folder;
  git(root, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner.path, 'sub');
  git(root, '-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-q', '-m', 'a part');
  git(root, 'branch', 'base');
  folder.write({ 'two.ts': 'export const two = 2;\n', 'sub/c.ts': 'export const c = 3;\n' });
  const read = (branch?: string) =>
    readChangedFiles(readPlace(root, root), branch, { clock: systemClock, list: () => ({}), most: 500 });

  expect(await read()).toEqual({ kind: 'told', paths: ['two.ts'] });
  expect(await read('base')).toEqual({ kind: 'told', paths: ['two.ts'] });
});

test('what git knows of is told before new files that are too many', async () => {
  const { folder } = memoryProject({ 'a.ts': 'export const a = 1;\n' });
  const { path: root } = folder;
  git(root, 'branch', 'base');
  folder.write({ 'a.ts': 'export const a = 2;\n' });
  git(root, '-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-q', '-a', '-m', 'more');
  folder.write(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`new${at}.ts`, `${at}\n`])));

  const told = await readChangedFiles(readPlace(root, root), 'base', {
    clock: systemClock,
    list: () => ({}),
    most: 10,
  });

  expect(told.kind === 'told' ? [told.paths[0], told.paths.length] : []).toEqual(['a.ts', 10]);
});
