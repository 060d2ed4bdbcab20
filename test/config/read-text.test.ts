import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readTextIfPresent } from '../../src/platform/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { errorOf } from './config-home.ts';

test('reads text, also empty text', () => {
  const folder = tempFolder({ a: 'häß\r\n', empty: '' });

  expect(readTextIfPresent(folder.join('a'))).toBe('häß\r\n');
  expect(readTextIfPresent(folder.join('empty'))).toBe('');
});

test('has nothing where there is no file', () => {
  const folder = tempFolder({ a: '' });

  expect(readTextIfPresent(folder.join('none'))).toBeUndefined();
  expect(readTextIfPresent(folder.join('a/b'))).toBeUndefined();
});

test('refuses what is not UTF-8', () => {
  const folder = tempFolder();
  writeFileSync(folder.join('a'), Buffer.from([0x7b, 0xff, 0x7d]));

  expect(errorOf(() => readTextIfPresent(folder.join('a')))).toMatchObject({
    code: 'file_unavailable',
    message: `The file ${folder.join('a')} is not UTF-8 text.`,
  });
});

test('refuses a file over the limit', () => {
  const folder = tempFolder({ a: '12345' });

  expect(readTextIfPresent(folder.join('a'), { maxBytes: 5 })).toBe('12345');
  expect(errorOf(() => readTextIfPresent(folder.join('a'), { maxBytes: 4 })).message).toContain(
    'larger than 4 bytes',
  );
});

test('refuses a link that turns in a circle', () => {
  const folder = tempFolder();
  symlinkSync('a', folder.join('a'));

  expect(errorOf(() => readTextIfPresent(folder.join('a'))).code).toBe('file_unavailable');
});

test('does not wait for a pipe', () => {
  const folder = tempFolder();
  execFileSync('mkfifo', [folder.join('pipe')]);

  expect(errorOf(() => readTextIfPresent(folder.join('pipe'))).message).toContain('is not a regular file');
});
