/** `npm start` and `npm test` skip what is done already. */
import { execFileSync } from 'node:child_process';
import { utimesSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';

const setup = new URL('../../scripts/setup.mjs', import.meta.url).href;

function askSetup(): unknown {
  const script = `const s = await import(${JSON.stringify(setup)}); console.log(JSON.stringify([s.isInstalled(), s.isBuilt()]))`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script]).toString());
}

test('what was installed and built counts as done, even when files look newer', () => {
  const now = new Date();
  utimesSync(fileURLToPath(new URL('../../src/main.ts', import.meta.url)), now, now);

  expect(askSetup()).toEqual([true, true]);
});

/** Whether these packages, as npm notes them, are what this lock file names. */
function matches(installed: object | undefined, wanted: object): unknown {
  const folder = tempFolder({
    'package-lock.json': JSON.stringify({ packages: { '': { name: 'x' }, ...wanted } }),
    ...(installed === undefined
      ? {}
      : { 'node_modules/.package-lock.json': JSON.stringify({ packages: installed }) }),
  });
  const script = `const s = await import(${JSON.stringify(setup)}); console.log(s.matchesLock(${JSON.stringify(folder.path)}, ${JSON.stringify(folder.path)}))`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script]).toString());
}

const A = { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' } };
const B = { 'node_modules/b': { version: '2.0.0', integrity: 'sha512-b' } };
const ELSEWHERE = { 'node_modules/c': { version: '3.0.0', optional: true, os: ['aix'] } };

test.each([
  ['everything that npm ci installs here', { ...A, ...B }, { ...A, ...B, ...ELSEWHERE }, true],
  ['nothing', undefined, A, false],
  ['one package less', A, { ...A, ...B }, false],
  ['one package more', { ...A, ...B }, A, false],
  ['another version', { 'node_modules/a': { version: '1.0.1', integrity: 'sha512-a' } }, A, false],
  ['other bytes', { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-z' } }, A, false],
])('%s counts as installed or not', (_, installed, wanted, expected) => {
  expect(matches(installed, wanted)).toBe(expected);
});

test('a change of any source, script or setting makes a build stale, and a change of a test does not', () => {
  const files = {
    'package.json': '{}',
    'package-lock.json': '{}',
    'tsconfig.types.json': '{}',
    'src/core/index.ts': '',
    'src/core/index.test.ts': '',
    'scripts/notices.mjs': '',
    'web/main.ts': '',
    'tools/kernel/package.json': '{}',
    'docs/page.md': '',
  };
  const digestWith = (more: Readonly<Record<string, string>>): string => {
    const { path } = tempFolder({ ...files, ...more });
    const script = `const s = await import(${JSON.stringify(setup)}); console.log(s.buildDigest(${JSON.stringify(path)}))`;
    return execFileSync(process.execPath, ['--input-type=module', '-e', script]).toString();
  };
  const before = digestWith({});

  const changes = [...Object.keys(files), 'src/core/new.ts'].map((name) => ({ [name]: '{"a":1}' }));
  const harmless = changes.filter((change) => digestWith(change) === before).flatMap(Object.keys);
  expect(harmless).toEqual(['src/core/index.test.ts', 'docs/page.md']);
});
