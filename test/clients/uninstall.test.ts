/** `waymark uninstall`: what setup wrote comes out, what anybody else wrote stays; `--purge` asks and keeps a copy. */
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { expect, test } from 'vitest';
import { createApiToken } from '../../src/auth/index.ts';
import { listCopy } from '../../src/clients/permanent-copy.ts';
import { systemClock, systemIds } from '../../src/platform/index.ts';
import { playTerminal } from '../support/terminal.ts';
import { BIN, serve, start, watchOutput } from '../support/waymark.ts';
import { bytesOf, clientHome, clientNamed, write, type ClientHome } from './client-home.ts';

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

  expect(value.removed).toMatchObject([{ action: 'edited' }, { client: 'cursor-hooks', action: 'removed' }]);
  expect(readFileSync(file, 'utf8')).toBe(OTHERS.replace('// mine', '// mine, later'));
});

test('an entry that the user has made their own stays', async () => {
  const machine = clientHome();
  const file = machine.fileOf(CURSOR, 'user');
  await machine.json('setup', 'cursor', ...QUIET);
  const own = readFileSync(file, 'utf8').replace('"mcp"', '"mcp", "--log-level", "debug"');
  writeFileSync(file, own);

  const { value } = await machine.json('uninstall', '--yes');

  expect(value.removed).toMatchObject([{ action: 'changed' }, { client: 'cursor-hooks', action: 'removed' }]);
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
  const draft = { name: 'ci', scopes: [], expiresAt: undefined };
  const { made } = createApiToken(data, draft, { ids: systemIds, clock: systemClock });
  write(`${data}/audit.jsonl`, '{}\n');
  expect(existsSync(machine.home.folder.join('cache', 'waymark', 'indexes'))).toBe(true);
  expect((await machine.run('uninstall', '--purge')).code).toBe(2);
  expect(existsSync(data)).toBe(true);

  const { value } = await machine.json('uninstall', '--purge', '--yes');

  const purged: unknown = Reflect.get(value, 'purged');
  const backup = String(Reflect.get(Object(purged), 'backup'));
  expect(existsSync(data)).toBe(false);
  expect(existsSync(`${backup}/setup/manifest.json`)).toBe(true);
  expect(existsSync(`${backup}/tokens/${made.id}.json`)).toBe(true);
  expect(existsSync(`${backup}/audit.jsonl`)).toBe(true);
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
  expect(screen).toMatch(/moved\s+aside/);
  expect(screen).toContain('Nothing was changed.');
  expect(screen.split('\n').filter((line) => line.length > 80 && !line.includes('/'))).toEqual([]);
  expect(bytesOf(machine.fileOf(CURSOR, 'user'))).toBe(before);
  expect(existsSync(machine.home.folder.join('share', 'waymark', 'setup', 'manifest.json'))).toBe(true);
});

test('the copy that clients started goes with the last entry, and stays for one that its owner changed', async () => {
  const machine = clientHome();
  const copy = machine.home.folder.join('share/waymark/app/1.0.0/node_modules/waymark/dist/main.js');
  write(copy, '');
  listCopy(machine.home.folder.join('share/waymark/app/1.0.0/node_modules'));
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

/** Saves an entry through the command line, so that there is a memory. */
async function remember(machine: ClientHome, ...more: string[]): Promise<void> {
  const notes = machine.home.folder.join('notes');
  write(`${notes}/skill/SKILL.md`, '---\nname: precious\ndescription: never lose it\n---\nKeep this.\n');
  expect((await machine.run('memory', 'import', notes, ...more)).code).toBe(0);
}

test('R181 purge keeps the memory where cache and data are one folder', async () => {
  const machine = clientHome();
  const one = machine.home.folder.join('waymark');
  const places = ['--data-dir', one, '--cache-dir', one];
  await remember(machine, ...places);
  await machine.run('index', ...places);

  const { value } = await machine.json('uninstall', '--purge', '--yes', ...places);

  const backup = String(Reflect.get(Object(Reflect.get(value, 'purged')), 'backup'));
  renameSync(backup, one);
  expect((await machine.run('memory', 'list', ...places)).stdout).toContain('precious');
  expect(existsSync(`${one}/indexes`)).toBe(false);
});

test('R181 purge deletes what Node has compiled for Waymark, and nothing else that lies there', async () => {
  const machine = clientHome();
  const cache = machine.home.folder.join('cache', 'waymark');
  const compiled = `${cache}/compiled/v22.23.3-x64-847b3d56-0`;
  mkdirSync(compiled, { recursive: true });
  writeFileSync(`${compiled}/4b963e2d`, Buffer.from([0xb2, 0xdb, 0xdf, 0x8a, 1, 2, 3]));
  write(`${compiled}/4b963e2e`, 'not of Node');
  write(`${cache}/compiled/notes.txt`, 'mine');

  const { code, stdout, stderr } = await machine.run('uninstall', '--purge', '--yes');

  expect(code).toBe(0);
  expect(readdirSync(compiled)).toEqual(['4b963e2e']);
  expect(readFileSync(`${cache}/compiled/notes.txt`, 'utf8')).toBe('mine');
  const said = `${stdout}${stderr}`.replaceAll(/\s+/g, ' ');
  expect(said).toContain('notes.txt: not written by Waymark');
  expect(said).toContain('4b963e2e: not written by Waymark');
});

test('R181 purge leaves a folder called waymark with foreign files in it, and says so', async () => {
  const machine = clientHome();
  const foreign = machine.home.folder.join('cache', 'waymark');
  write(`${foreign}/thesis.txt`, 'three years');
  write(`${foreign}/indexes/novel-0123456789abcdef-v10.db`, 'no database at all');
  symlinkSync(`${foreign}/thesis.txt`, `${foreign}/indexes/linked-0123456789abcdef-v10.db`);
  await machine.run('index');

  const { code, stdout, stderr } = await machine.run('uninstall', '--purge', '--yes');

  expect(code).toBe(0);
  expect(readFileSync(`${foreign}/thesis.txt`, 'utf8')).toBe('three years');
  expect(readdirSync(`${foreign}/indexes`).toSorted()).toEqual([
    'linked-0123456789abcdef-v10.db',
    'novel-0123456789abcdef-v10.db',
  ]);
  const said = `${stdout}${stderr}`.replaceAll(/\s+/g, ' ');
  expect(said).toContain('thesis.txt: not written by Waymark');
  expect(said).toContain('novel-0123456789abcdef-v10.db: not written by Waymark');
  expect(said).toContain('linked-0123456789abcdef-v10.db: a link, which is not followed');
});

test('R181 purge moves no file of the data directory that is not ours, and follows no link there', async () => {
  const machine = clientHome();
  const data = machine.home.folder.join('share', 'waymark');
  const elsewhere = machine.home.folder.join('elsewhere');
  await remember(machine);
  write(`${data}/memory/diary.txt`, 'mine');
  write(`${data}/photos/cat.jpg`, 'cat');
  write(`${elsewhere}/old-0123456789abcdef.db`, 'x');
  mkdirSync(`${data}/backups`, { recursive: true });
  symlinkSync(elsewhere, `${data}/backups/linked`);

  await machine.json('uninstall', '--purge', '--yes');

  expect(readFileSync(`${data}/memory/diary.txt`, 'utf8')).toBe('mine');
  expect(readFileSync(`${data}/photos/cat.jpg`, 'utf8')).toBe('cat');
  expect(existsSync(`${elsewhere}/old-0123456789abcdef.db`)).toBe(true);
  expect(readdirSync(`${data}/memory`)).toEqual(['diary.txt']);
});

test('R181 purge leaves foreign folders, empty ones too', async () => {
  const machine = clientHome();
  const data = machine.home.folder.join('share', 'waymark');
  const cache = machine.home.folder.join('cache', 'waymark');
  await remember(machine);
  await machine.run('index');
  const foreign = [`${data}/mount/disk`, `${data}/memory/drafts`, `${cache}/other-program`];
  for (const folder of foreign) mkdirSync(folder, { recursive: true });

  await machine.json('uninstall', '--purge', '--yes');

  expect(foreign.filter((folder) => !existsSync(folder))).toEqual([]);
  expect(existsSync(`${cache}/indexes`)).toBe(false);
});

test('R181 purge leaves a memory that another process has open, and names it', async () => {
  const machine = clientHome();
  await remember(machine);
  const child = start(['mcp'], { home: machine.home, cwd: machine.root });
  const saw = watchOutput(child);
  const ask = (id: number, method: string, params: object): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  ask(1, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'open', version: '1' },
  });
  await saw(/"id":1/);
  ask(2, 'tools/call', { name: 'checkpoint_save', arguments: { content: 'still open' } });
  await saw(/"id":2/);

  const { value } = await machine.json('uninstall', '--purge', '--yes');

  expect(JSON.stringify(value)).toContain('another process has it open');
  child.stdin.end();
  expect((await machine.run('memory', 'list')).stdout).toContain('still open');
});

test('R181 a copy for clients loses only what was copied: a file that was added or changed stays', async () => {
  const machine = clientHome();
  const modules = machine.home.folder.join('share/waymark/app/1.0.0/node_modules');
  write(`${modules}/waymark/dist/main.js`, 'program');
  write(`${modules}/waymark/settings.json`, 'as copied');
  listCopy(modules);
  write(`${modules}/waymark/settings.json`, 'changed by hand');
  write(`${modules}/notes.txt`, 'added');
  await machine.json('setup', 'cursor', ...QUIET);

  await machine.json('uninstall', '--yes');

  expect(existsSync(`${modules}/waymark/dist`)).toBe(false);
  expect(readFileSync(`${modules}/waymark/settings.json`, 'utf8')).toBe('changed by hand');
  expect(readFileSync(`${modules}/notes.txt`, 'utf8')).toBe('added');
});

// Only root can give a file to another user.
test.runIf(process.getuid?.() === 0)(
  'R181 a list of written files that belongs to another user is not believed',
  async () => {
    const machine = clientHome();
    await machine.json('setup', 'cursor', ...QUIET);
    const before = bytesOf(machine.fileOf(CURSOR, 'user'));
    chownSync(machine.home.folder.join('share/waymark/setup/manifest.json'), 12_345, 12_345);

    const { code, stderr } = await machine.run('uninstall', '--yes');

    expect(code).toBe(1);
    expect(stderr).toContain('belongs to another user and is not believed');
    expect(bytesOf(machine.fileOf(CURSOR, 'user'))).toBe(before);
  },
);

test('R181 a file that was replaced by a link loses our entry, and what the link leads to stays', async () => {
  const machine = clientHome();
  const file = machine.fileOf(CURSOR, 'user');
  await machine.json('setup', 'cursor', ...QUIET);
  const real = machine.home.folder.join('dotfiles.json');
  renameSync(file, real);
  symlinkSync(real, file);

  await machine.json('uninstall', '--yes');

  expect(existsSync(real)).toBe(true);
  expect(readFileSync(real, 'utf8')).not.toContain('waymark');
});

test('uninstall says what it keeps and how to remove it', async () => {
  const machine = clientHome();
  await machine.json('setup', 'cursor', ...QUIET);

  const { stdout } = await machine.run('uninstall', '--yes');

  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/^Done\. No memory and no index is kept\./);
});
