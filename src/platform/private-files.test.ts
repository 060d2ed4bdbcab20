import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolders } from './private-files.ts';

test('makes what is missing and says what that was', () => {
  const base = mkdtempSync(join(tmpdir(), 'waymark-folders-'));
  try {
    expect(makeFolders(join(base, 'a', 'b'))).toEqual([join(base, 'a'), join(base, 'a', 'b')]);
    expect(makeFolders(join(base, 'a', 'b'))).toEqual([]);
    writeFileSync(join(base, 'file'), '');
    expect(() => makeFolders(join(base, 'file', 'x'))).toThrow(/ENOTDIR/);
  } finally {
    rmSync(base, { recursive: true });
  }
});

test.runIf(existsSync('/proc/self'))('where nothing can be made, it is an error', () => {
  expect(() => makeFolders('/proc/none/x')).toThrow(/ENOENT|EPERM|EACCES/);
});
