import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { dotEntry, readFolder } from './folder.ts';

test('entries that begin with a dot are found whatever stands beside them', () => {
  const folder = tempFolder({
    '#x': '',
    '-a': '',
    '.git/HEAD': '',
    '.git-blame-ignore-revs': '',
    '.gitignore': '',
    '0': '',
    a: '',
    '\u{1F9ED}': '',
  });
  const read = readFolder(folder.path);
  if (read.kind === 'failed') throw new Error(read.why);

  expect(dotEntry(read.entries, '.git')?.kind).toBe('folder');
  expect(dotEntry(read.entries, '.gitignore')?.kind).toBe('file');
  expect(dotEntry(read.entries, '.ignore')).toBeUndefined();
  expect(dotEntry([], '.git')).toBeUndefined();
});
