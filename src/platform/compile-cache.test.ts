import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { keepCompiledCode } from './compile-cache.ts';

function enabledIn(absFolder: string): readonly string[] {
  const asked: string[] = [];
  keepCompiledCode(absFolder, { enableCompileCache: (folder) => void asked.push(folder) });
  return asked;
}

test('compiled code is kept in a folder that only its owner can enter', () => {
  const absFolder = tempFolder({}).join('compiled');

  expect(enabledIn(absFolder)).toEqual([absFolder]);
  expect(statSync(absFolder).mode & 0o777).toBe(0o700);
});

test('a folder that others could write to is made private before it is used', () => {
  const absFolder = tempFolder({}).join('compiled');
  mkdirSync(absFolder);
  chmodSync(absFolder, 0o777);

  expect(enabledIn(absFolder)).toEqual([absFolder]);
  expect(statSync(absFolder).mode & 0o777).toBe(0o700);
});

test.each([
  ['a link', (at: string, other: string) => symlinkSync(other, at)],
  ['a file', (at: string) => writeFileSync(at, '')],
  [
    'a folder that is shared like /tmp',
    (at: string) => {
      mkdirSync(at);
      chmodSync(at, 0o1777);
    },
  ],
])('%s in its place is left alone', (_, put) => {
  const folder = tempFolder({ 'elsewhere/.keep': '' });
  put(folder.join('compiled'), folder.join('elsewhere'));

  expect(enabledIn(folder.join('compiled'))).toEqual([]);
});

test('no folder is made for it where Waymark keeps nothing else yet', () => {
  const folder = tempFolder({});

  expect(enabledIn(folder.join('cache/compiled'))).toEqual([]);
  expect(statSync(folder.join('cache'), { throwIfNoEntry: false })).toBeUndefined();
});

test('a Node without such a cache starts as it always did', () => {
  const folder = tempFolder({});

  keepCompiledCode(folder.join('compiled'), {});

  expect(statSync(folder.join('compiled'), { throwIfNoEntry: false })).toBeUndefined();
});
