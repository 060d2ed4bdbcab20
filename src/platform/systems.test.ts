/** What differs between Linux, macOS and Windows, as far as it can be decided without them. */
import { expect, test } from 'vitest';
import { isOpenToOthers } from './private-files.ts';
import { browserCommand, editorCommand, programPaths } from './programs.ts';

test.each([
  ['linux', '/usr/bin:bin:/opt/a b', ['/usr/bin/codex', '/opt/a b/codex']],
  ['darwin', '/opt/homebrew/bin:', ['/opt/homebrew/bin/codex']],
  [
    'win32',
    String.raw`C:\Tools;relative;D:\a b`,
    [
      String.raw`C:\Tools\codex.EXE`,
      String.raw`C:\Tools\codex.CMD`,
      String.raw`D:\a b\codex.EXE`,
      String.raw`D:\a b\codex.CMD`,
    ],
  ],
] as const)('%s: a program is looked for in the absolute folders of the path', (system, path, expected) => {
  expect(programPaths('codex', { path, extensions: '.EXE;.CMD' }, system)).toEqual(expected);
});

test.each([
  ['linux', ['xdg-open', 'http://127.0.0.1:1/?a&b']],
  ['darwin', ['open', 'http://127.0.0.1:1/?a&b']],
  ['win32', ['explorer.exe', 'http://127.0.0.1:1/?a&b']],
] as const)('%s: the browser gets the address as one argument, without a shell', (system, expected) => {
  expect(browserCommand('http://127.0.0.1:1/?a&b', system)).toEqual(expected);
});

test.each([
  ['linux', { program: '/bin/sh', args: ['-c', 'code -w "$1"', 'sh', '/tmp/a b'], shell: false }],
  ['darwin', { program: '/bin/sh', args: ['-c', 'code -w "$1"', 'sh', '/tmp/a b'], shell: false }],
  ['win32', { program: 'code -w "/tmp/a b"', args: [], shell: true }],
] as const)('%s: the editor of the user may have arguments', (system, expected) => {
  expect(editorCommand('code -w', '/tmp/a b', system)).toEqual(expected);
});

test.each([
  ['linux', 0o40755, true],
  ['darwin', 0o40710, true],
  ['linux', 0o40700, false],
  ['win32', 0o40777, false],
] as const)('%s: a folder with mode %o is open to others: %s', (system, mode, expected) => {
  expect(isOpenToOthers(mode, system)).toBe(expected);
});
