import { closeSync, openSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { inFolder, isWhereNamed } from './folder-inside.ts';

function linked(): string {
  const { path } = tempFolder({ 'real/inner/file.ts': '' });
  symlinkSync('real', join(path, 'link'));
  return path;
}

describe.each([
  ['by what was opened', undefined],
  ['by the path', '/nonexistent'],
])('%s', (_way, openFiles) => {
  test('a folder is entered by its own name, and not through a link', () => {
    const path = linked();
    const names = (absPath: string) => inFolder(absPath, (at) => readdirSync(at), openFiles);

    expect(names(`${path}/real/inner/`)).toEqual(['file.ts']);
    expect(names(`${path}/link/inner`)).toBeUndefined();
  });

  test('a file is told from one that a link leads to', () => {
    const path = linked();
    const isThere = (absPath: string): boolean => {
      const fd = openSync(absPath, 'r');
      try {
        return isWhereNamed(fd, absPath, openFiles);
      } finally {
        closeSync(fd);
      }
    };

    expect(isThere(`${path}/real/inner/file.ts`)).toBe(true);
    expect(isThere(`${path}/link/inner/file.ts`)).toBe(false);
  });
});

test('by the path, other separators than those of the system name the same folder', () => {
  const path = linked();

  expect(inFolder(`${path}//real/./inner`, (at) => readdirSync(at), '/nonexistent')).toEqual(['file.ts']);
});
