/** A file that setup made goes again, even where the client has written the name of its schema into it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { clientHome, clientNamed, write } from './client-home.ts';

const QUIET = ['--yes', '--skip-index', '--no-hooks'] as const;

function addLine(file: string, line: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace('{', `{\n  ${line}`));
}

test.each(['opencode', 'kilo'])('D10 %s: a file with nothing but its schema is removed', async (id) => {
  const machine = clientHome();
  const file = machine.fileOf(clientNamed(id), 'user');
  await machine.json('setup', id, ...QUIET);
  addLine(file, '"$schema": "https://example.test/config.json",');

  const { value } = await machine.json('uninstall', '--yes');

  expect(value.removed).toMatchObject([{ action: 'removed' }]);
  expect(existsSync(file)).toBe(false);
});

test.each([
  ['a setting', '"theme": "dark",'],
  ['a comment', '// mine'],
])('%s of the user keeps the file', async (_label, line) => {
  const machine = clientHome();
  const file = machine.fileOf(clientNamed('opencode'), 'user');
  await machine.json('setup', 'opencode', ...QUIET);
  addLine(file, line);

  const { value } = await machine.json('uninstall', '--yes');

  expect(value.removed).toMatchObject([{ action: 'edited' }]);
  expect(readFileSync(file, 'utf8')).toContain(line.replace(/,$/, ''));
});

test('a file that was there before setup stays, though only its schema is left', async () => {
  const machine = clientHome();
  const file = machine.fileOf(clientNamed('opencode'), 'user');
  write(file, '{}\n');
  await machine.json('setup', 'opencode', ...QUIET);
  addLine(file, '"$schema": "https://example.test/config.json",');

  await machine.json('uninstall', '--yes');

  expect(existsSync(file)).toBe(true);
});
