/** Raising the version is one command. */
import { cpSync, readFileSync } from 'node:fs';
import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';

function releaseOf(...args: readonly string[]) {
  const folder = tempFolder();
  for (const name of ['package.json', 'package-lock.json', 'CHANGELOG.md']) cpSync(name, folder.join(name));
  return { folder, command: ['scripts/release.mjs', '--root', folder.path, ...args] };
}

test('the version is raised where it stands, and the changelog gets its section', () => {
  const { folder, command } = releaseOf('9.8.7', '--date', '2031-02-03');

  execFileSync(process.execPath, command);

  const read = (name: string) => readFileSync(folder.join(name), 'utf8');
  const before = readFileSync('package.json', 'utf8');
  expect(read('package.json')).toBe(before.replace(/"version": "[^"]+"/, '"version": "9.8.7"'));
  expect(JSON.parse(read('package-lock.json'))).toMatchObject({
    version: '9.8.7',
    packages: { '': { version: '9.8.7' } },
  });
  expect(read('CHANGELOG.md')).toMatch(/^## Unreleased\n\nNothing yet\.\n\n## 9\.8\.7, 2031-02-03\n/m);
});

test.each(['', 'one', '1.0'])('"%s" is no version', (version) => {
  const { folder, command } = releaseOf(version);

  const { status } = spawnSync(process.execPath, command);

  expect(status).toBe(2);
  expect(readFileSync(folder.join('package.json'), 'utf8')).toBe(readFileSync('package.json', 'utf8'));
});
