/** `waymark uninstall`: what setup wrote comes out, what anybody else wrote stays; `--purge` asks and keeps a copy. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { playTerminal } from '../support/terminal.ts';
import { BIN, serve } from '../support/waymark.ts';
import { bytesOf, clientHome, clientNamed, write } from './client-home.ts';

const QUIET = ['--yes', '--skip-index'] as const;
const CURSOR = clientNamed('cursor');
const OTHERS = '{\n  // mine\n  "mcpServers": { "a": { "command": "a" } },\n}\n';

test('a file that was changed since loses our entry only', async () => {
  const machine = clientHome();
  const file = machine.fileOf(CURSOR, 'user');
  write(file, OTHERS);
  await machine.json('setup', 'cursor', ...QUIET);
  writeFileSync(file, readFileSync(file, 'utf8').replace('// mine', '// mine, later'));

  const { value } = await machine.json('uninstall', '--yes');

  expect(value.removed).toMatchObject([{ action: 'edited' }]);
  expect(readFileSync(file, 'utf8')).toBe(OTHERS.replace('// mine', '// mine, later'));
});

test('an entry that the user has made their own stays', async () => {
  const machine = clientHome();
  const file = machine.fileOf(CURSOR, 'user');
  await machine.json('setup', 'cursor', ...QUIET);
  const own = readFileSync(file, 'utf8').replace('"mcp"', '"mcp", "--log-level", "debug"');
  writeFileSync(file, own);

  const { value } = await machine.json('uninstall', '--yes');

  expect(value.removed).toMatchObject([{ action: 'changed' }]);
  expect(readFileSync(file, 'utf8')).toBe(own);
});

test('an entry that was updated by a second setup still comes back to the first original', async () => {
  const machine = clientHome();
  const file = machine.fileOf(CURSOR, 'user');
  write(file, OTHERS);
  await machine.json('setup', 'cursor', ...QUIET, '--http', 'http://127.0.0.1:9/mcp');

  const { value } = await machine.json('setup', 'cursor', ...QUIET);

  expect(value.clients).toMatchObject([{ action: 'replace' }]);
  await machine.json('uninstall', '--yes');
  expect(readFileSync(file, 'utf8')).toBe(OTHERS);
});

test('purge waits until no server runs, and changes nothing before that', async () => {
  const machine = clientHome();
  await machine.json('setup', 'cursor', ...QUIET);
  const before = bytesOf(machine.fileOf(CURSOR, 'user'));
  const { url } = await serve([], { home: machine.home, cwd: machine.root });

  const { code, stderr } = await machine.run('uninstall', '--purge', '--yes');

  expect(code).toBe(1);
  expect(stderr).toContain(`A server still runs at ${url}`);
  expect(bytesOf(machine.fileOf(CURSOR, 'user'))).toBe(before);
});

test('purge takes the indexes, moves the data aside and asks first', async () => {
  const machine = clientHome();
  await machine.json('setup', 'cursor', '--yes');
  const data = machine.home.folder.join('share', 'waymark');
  expect(existsSync(machine.home.folder.join('cache', 'waymark', 'indexes'))).toBe(true);
  expect((await machine.run('uninstall', '--purge')).code).toBe(2);
  expect(existsSync(data)).toBe(true);

  const { value } = await machine.json('uninstall', '--purge', '--yes');

  const purged: unknown = Reflect.get(value, 'purged');
  const backup = String(Reflect.get(Object(purged), 'backup'));
  expect(existsSync(data)).toBe(false);
  expect(existsSync(`${backup}/setup/manifest.json`)).toBe(true);
  expect(existsSync(machine.home.folder.join('cache', 'waymark'))).toBe(false);
});

test('purge asks in a terminal: no is the answer of who only presses return', async () => {
  const machine = clientHome();
  await machine.json('setup', 'cursor', ...QUIET);
  const before = bytesOf(machine.fileOf(CURSOR, 'user'));

  const { code, screen } = await playTerminal([process.execPath, BIN, 'uninstall', '--purge'], {
    cwd: machine.root,
    // The terminal's own program has to be found.
    env: { ...machine.home.env, PATH: process.env['PATH'] ?? '' },
    typed: [{ after: /\[y\/N\]/, type: '\n' }],
  });

  expect(code).toBe(130);
  expect(screen).toMatch(/is\s+moved aside/);
  expect(screen).toContain('Nothing was changed.');
  expect(screen.split('\n').filter((line) => line.length > 80 && !line.includes('/'))).toEqual([]);
  expect(bytesOf(machine.fileOf(CURSOR, 'user'))).toBe(before);
  expect(existsSync(machine.home.folder.join('share', 'waymark', 'setup', 'manifest.json'))).toBe(true);
});

test('the copy that clients started goes with the last entry, and stays for one that its owner changed', async () => {
  const machine = clientHome();
  const copy = machine.home.folder.join('share/waymark/app/1.0.0/node_modules/waymark/dist/main.js');
  write(copy, '');
  await machine.json('setup', 'cursor', ...QUIET);
  const file = machine.fileOf(CURSOR, 'user');
  const own = readFileSync(file, 'utf8').replace('"mcp"', '"mcp", "--log-level", "debug"');
  writeFileSync(file, own);
  await machine.json('uninstall', '--yes');
  expect(existsSync(copy)).toBe(true);

  writeFileSync(file, OTHERS);
  await machine.json('setup', 'cursor', ...QUIET);
  const { stdout } = await machine.run('uninstall', '--yes');

  expect(stdout).toContain('The copy that your clients started is removed too.');
  expect(existsSync(machine.home.folder.join('share/waymark/app'))).toBe(false);
});
