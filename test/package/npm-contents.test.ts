/** The check of the npm tarball sees what must not be published. What it builds is tried in tarball.test.ts. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SCRIPT = new URL('../../scripts/package/npm-tarball.mjs', import.meta.url).href;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ASK = `import { findProblems } from ${JSON.stringify(SCRIPT)};
process.stdout.write(JSON.stringify(findProblems(JSON.parse(process.argv[1]))));`;

function problemsOf(paths: readonly string[], size = 1): readonly string[] {
  const packed = JSON.stringify({ size, files: paths.map((path) => ({ path })) });
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', ASK, packed], {
      cwd: ROOT,
      encoding: 'utf8',
    }),
  );
}

test.each([
  ['a test', 'dist/chunks/search.test.js.map', 'is for tests'],
  ['a fixture', 'test/fixtures/client-files/json-files.ts', 'does not belong in it'],
  ['a source map', 'dist/main.js.map', 'is for tests'],
  ['a source', 'src/main.ts', 'does not belong in it'],
  ['a lock file', 'package-lock.json', 'does not belong in it'],
])('%s in the tarball is refused', (_label, path, why) => {
  expect(problemsOf([path]).filter((problem) => problem === `${path} ${why}`)).toHaveLength(1);
});

test('more than 25 MB is refused, and what belongs there is not', () => {
  expect(problemsOf(['package.json', 'README.md', 'dist/main.js'])).toEqual([]);
  expect(problemsOf(['package.json'], 25 * 1024 * 1024 + 1)).toEqual([
    expect.stringContaining('is the most'),
  ]);
});
