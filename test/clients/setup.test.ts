/** `waymark setup` and `waymark uninstall` on real files, for every client and scope. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { parse as parseJsonc, type ParseError } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { CLIENTS, readConnection, SERVER_NAME, type Client, type Scope } from '../../src/clients/index.ts';
import { CLIENT_IDS } from '../../src/cli/commands/setup.ts';
import { JSON_FILES } from '../fixtures/client-files/json-files.ts';
import { TOML_FILES } from '../fixtures/client-files/toml-files.ts';
import { YAML_FILES } from '../fixtures/client-files/yaml-files.ts';
import { YAML_LIST_FILES } from '../fixtures/client-files/yaml-list-files.ts';
import { BIN, run } from '../support/waymark.ts';
import { bytesOf, clientHome, clientNamed, write } from './client-home.ts';

const QUIET = ['--yes', '--skip-index'] as const;
const SAMPLES = {
  json: JSON_FILES,
  toml: TOML_FILES,
  yaml: YAML_FILES,
  'yaml-list': YAML_LIST_FILES,
  'json-hooks': JSON_FILES,
  'json-hooks-1': JSON_FILES,
  block: [],
  'script-block': [],
} as const;
function parseAs({ format }: Client, text: string): unknown {
  const body = text.replace(/^\uFEFF/, '');
  if (format === 'toml') return parseToml(body);
  if (format === 'yaml' || format === 'yaml-list') return parseYaml(body);
  const errors: ParseError[] = [];
  const value: unknown = parseJsonc(body, errors, { allowTrailingComma: true });
  expect(errors).toEqual([]);
  return value;
}

function entryIn(client: Client, file: string): unknown {
  const servers: unknown = Reflect.get(Object(parseAs(client, readFileSync(file, 'utf8'))), client.key[0]);
  return Array.isArray(servers)
    ? servers.find((item) => Reflect.get(Object(item), 'name') === SERVER_NAME)
    : Reflect.get(Object(servers), SERVER_NAME);
}

test('the table and the list for help agree, and ids are words', () => {
  expect(CLIENTS.map(({ id }) => id)).toEqual([...CLIENT_IDS]);
  expect(new Set(CLIENT_IDS).size).toBe(CLIENT_IDS.length);
});

describe.each(['user', 'project'] as const)('every client with a file of the %s', (scope) => {
  // Two clients that read the same file are one to setup.
  const clients = CLIENTS.filter(
    ({ id, userFiles, projectFiles }) =>
      (scope === 'user' ? userFiles : projectFiles) !== undefined &&
      !(scope === 'project' && id === 'mcp-json'),
  );
  const args = ['setup', ...clients.map(({ id }) => id), '--scope', scope, ...QUIET];

  test('a file that was not there is made, works as that client starts it, and is gone after uninstall', async () => {
    const machine = clientHome();
    const able = clients.filter(({ needsFile }) => needsFile === undefined);
    const files = able.map((client) => ({ client, file: machine.fileOf(client, scope) }));
    const words = ['setup', ...able.map(({ id }) => id), '--scope', scope, ...QUIET];

    const first = await machine.json(...words);

    expect(first.value.clients).toMatchObject(
      files.map(({ client, file }) => ({
        client: client.id,
        action: 'create',
        file,
        handshake: { kind: 'answered', server: 'waymark' },
      })),
    );
    for (const { client, file } of files) {
      const connection = readConnection(client, entryIn(client, file));
      expect(connection).toMatchObject({ command: process.execPath, args: [BIN, 'mcp'] });
    }
    const again = await machine.json(...words, '--dry-run');
    expect(again.value.clients.map(({ action }) => action)).toEqual(files.map(() => 'same'));
    expect(again.value.ok).toBe(true);

    await machine.json('uninstall', '--yes');
    expect(files.filter(({ file }) => existsSync(file))).toEqual([]);
    expect(existsSync(machine.home.folder.join('home', '.cursor'))).toBe(false);
    expect(existsSync(`${machine.root}/.vscode`)).toBe(false);
  });

  test.each([0, 1])(
    'files as people have them take an entry, keep the rest and come back to the byte, round %i',
    async (round) => {
      const machine = clientHome();
      const able = clients.filter(({ http }) => http !== undefined);
      const files = able.map((client, index) => {
        const samples = SAMPLES[client.format];
        const sample = samples[(index + round * 5) % samples.length]?.text ?? '';
        const file = machine.fileOf(client, scope);
        const text = sample.replaceAll('KEY', client.key[0]);
        write(file, text);
        chmodSync(file, 0o640);
        return { client, file, text };
      });

      const { value } = await machine.json(...args, '--http', 'http://127.0.0.1:9/mcp');

      expect(value.clients.map(({ action }) => action)).toEqual(
        clients.map(({ http }) => (http === undefined ? 'unsupported' : 'add')),
      );
      for (const { client, file } of files) {
        expect(readConnection(client, entryIn(client, file))).toMatchObject({
          kind: 'http',
          url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:9\/mcp/),
        });
        expect(statSync(file).mode & 0o777).toBe(0o640);
      }
      const written = files.map(({ file }) => bytesOf(file));
      const again = await machine.json(...args, '--http', 'http://127.0.0.1:9/mcp');
      expect(again.value.clients.map(({ action }) => action)).toEqual(
        clients.map(({ http }) => (http === undefined ? 'unsupported' : 'same')),
      );
      expect(files.map(({ file }) => bytesOf(file))).toEqual(written);
      await machine.json('uninstall', '--yes');
      for (const { file, text } of files) {
        expect(bytesOf(file)).toBe(Buffer.from(text).toString('latin1'));
      }
    },
  );
});

/** A server of our own that does something before it answers. */
async function answering(act: () => void): Promise<{ readonly url: string }> {
  const server = createServer((_request, response) => {
    act();
    response.writeHead(503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/mcp`,
  };
}

const CURSOR = clientNamed('cursor');
const OTHERS = '{\n  // mine\n  "mcpServers": { "a": { "command": "a" } },\n}\n';

test('a link to a dotfile stays a link; the file behind it is changed and comes back', async () => {
  const machine = clientHome();
  const file = machine.fileOf(CURSOR, 'user');
  const real = machine.home.folder.join('dotfiles', 'cursor.json');
  write(real, OTHERS);
  mkdirSync(machine.home.folder.join('home', '.cursor'));
  symlinkSync('../../dotfiles/cursor.json', file);

  await machine.json('setup', 'cursor', ...QUIET);

  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  expect(readFileSync(real, 'utf8')).toContain('"waymark"');
  await machine.json('uninstall', '--yes');
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  expect(readFileSync(real, 'utf8')).toBe(OTHERS);
});

test('a link to a file that is yet to be made is followed', async () => {
  const machine = clientHome();
  mkdirSync(machine.home.folder.join('home', '.cursor'));
  symlinkSync(machine.home.folder.join('dotfiles', 'mcp.json'), machine.fileOf(CURSOR, 'user'));

  await machine.json('setup', 'cursor', ...QUIET);

  expect(readFileSync(machine.home.folder.join('dotfiles', 'mcp.json'), 'utf8')).toContain('"waymark"');
});

test('a link in a repository that leads out of it is refused', async () => {
  const machine = clientHome();
  const outside = machine.home.folder.join('home', 'precious.json');
  write(outside, '{}\n');
  symlinkSync(outside, `${machine.root}/.mcp.json`);

  const { code, value } = await machine.json('setup', 'mcp-json', '--scope', 'project', ...QUIET);

  expect(code).toBe(1);
  expect(value.clients).toMatchObject([
    { action: 'refused', error: { message: expect.stringContaining('leads out of the project') } },
  ]);
  expect(readFileSync(outside, 'utf8')).toBe('{}\n');
});

test('a read-only file is left alone, with what to do', async () => {
  const machine = clientHome();
  const file = machine.fileOf(CURSOR, 'user');
  write(file, OTHERS);
  chmodSync(file, 0o444);

  const { code, value } = await machine.json('setup', 'cursor', ...QUIET);

  expect(code).toBe(1);
  expect(value.clients).toMatchObject([
    {
      action: 'refused',
      error: { message: expect.stringContaining('is read-only'), hint: expect.stringContaining('chmod') },
    },
  ]);
  expect(readFileSync(file, 'utf8')).toBe(OTHERS);
});

test.each([
  ['cursor', '{\n  "mcpServers": {,}\n}\n', ':2:18: expected a key in double quotes'],
  ['codex', '[mcp_servers\n', ':1:'],
  ['goose', 'extensions: [\n', ':2:1: this is not valid YAML'],
  ['zed', '\uFEFF// c\n{ "a": tru }', ':2:8: expected a value'],
])('an invalid file of %s is left alone; the error names line and column', async (id, text, expected) => {
  const machine = clientHome();
  const file = machine.fileOf(clientNamed(id), 'user');
  write(file, text);

  const { code, value } = await machine.json('setup', id, ...QUIET);

  expect(code).toBe(1);
  expect(value.clients[0]?.error?.message).toContain(`${file}${expected}`);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('what is not text is left alone', async () => {
  const machine = clientHome();
  write(machine.fileOf(CURSOR, 'user'), Buffer.from('{"a":"\u00e9"}', 'utf16le'));

  const { value } = await machine.json('setup', 'cursor', ...QUIET);

  expect(value.clients[0]?.error?.message).toContain('is not UTF-8 text');
});

test.each<Scope>(['user', 'project'])('a dry run in the scope of the %s writes nothing', async (scope) => {
  const machine = clientHome();
  const file = machine.fileOf(CURSOR, scope);
  write(file, OTHERS);

  const { code, stderr, stdout } = await machine.run('setup', 'cursor', '--scope', scope, '--dry-run');

  expect(code).toBe(0);
  expect(stderr).toMatch(/ \+ +"waymark": \{|"waymark": \{/);
  expect(stdout).toBe('Nothing was written.\n');
  expect(readFileSync(file, 'utf8')).toBe(OTHERS);
  expect(existsSync(machine.home.folder.join('share', 'waymark', 'setup'))).toBe(false);
});

test('without a terminal there is no question', async () => {
  const machine = clientHome();
  write(machine.fileOf(CURSOR, 'user'), OTHERS);

  const { code, stderr } = await machine.run('setup');

  expect(code).toBe(2);
  expect(stderr).toContain('Add --yes to write');
  expect(readFileSync(machine.fileOf(CURSOR, 'user'), 'utf8')).toBe(OTHERS);
});

test('installed clients are found by their folders, and none where there is none', async () => {
  const machine = clientHome();
  expect((await machine.run('setup')).stderr).toContain('No agent was found');
  for (const folder of ['.cursor', '.codex', '.codeium/windsurf']) {
    mkdirSync(machine.home.folder.join('home', folder), { recursive: true });
  }

  const { value } = await machine.json('setup', '--dry-run');

  expect(value.clients.map(({ client }) => client)).toEqual(['cursor', 'windsurf', 'codex']);
});

test('a client that is misspelt is named with the nearest one', async () => {
  const { code, stderr } = await clientHome().run('setup', 'cursr');

  expect(code).toBe(2);
  expect(stderr).toContain('Did you mean `cursor`?');
});

test('the entries can be printed for pasting', async () => {
  const machine = clientHome();

  const { code, stdout } = await machine.run('setup', 'codex', 'opencode', '--print');

  expect(code).toBe(0);
  expect(stdout).toContain('[mcp_servers.waymark]');
  expect(stdout).toContain('"type": "local"');
  expect(existsSync(machine.fileOf(clientNamed('codex'), 'user'))).toBe(false);
});

test('a server that does not answer at the address is told', async () => {
  const machine = clientHome();

  const { code, value } = await machine.json('setup', 'cursor', ...QUIET, '--http', 'http://127.0.0.1:9/mcp');

  expect(code).toBe(1);
  expect(value.clients).toMatchObject([{ handshake: { kind: 'failed', why: 'unreachable' } }]);
});

test('clients that cannot be told this are named, and that nothing was written', async () => {
  const machine = clientHome();

  const { code, stderr, stdout } = await machine.run(
    'setup',
    'claude-desktop',
    '--http',
    'http://127.0.0.1:9/mcp',
    '--yes',
    '--skip-index',
  );

  expect(code).toBe(1);
  expect(stderr).toContain('(takes no address from its file)');
  expect(stdout).toContain('Nothing was written');
});

test('a running client that writes its file from memory takes our entry out: the user is told', async () => {
  const machine = clientHome();
  const file = machine.fileOf(CURSOR, 'user');
  write(file, OTHERS);
  const { url } = await answering(() => writeFileSync(file, OTHERS));

  const { code, value } = await machine.json('setup', 'cursor', ...QUIET, '--http', url);

  expect(code).toBe(1);
  expect(value.clients).toMatchObject([
    {
      action: 'refused',
      error: {
        message: expect.stringContaining('was written again by another program'),
        hint: 'The entry is gone. Quit Cursor and run the same command again.',
      },
    },
  ]);
});

test('the address of a project may hold any character', async () => {
  const machine = clientHome();
  const root = machine.home.folder.join('home', 'a&b #1+?');
  write(`${root}/.git/HEAD`, 'ref: refs/heads/main\n');

  const { stdout } = await run(
    ['setup', 'mcp-json', '--scope', 'project', '--http', 'http://127.0.0.1:9/mcp', '--print', '--json'],
    { home: machine.home, cwd: root },
  );

  const [{ entry }] = JSON.parse(stdout);
  expect(new URL(entry.url).searchParams.get('project_path')).toBe(root);
});

test('AGENTS.md is left alone unless asked for', async () => {
  const machine = clientHome();
  const file = `${machine.root}/AGENTS.md`;
  write(file, '# Agents\n');

  await machine.json('setup', 'cursor', '--yes', '--skip-index');
  const { value } = await machine.json('setup', 'cursor', '--agents-md', '--dry-run');

  expect(readFileSync(file, 'utf8')).toBe('# Agents\n');
  expect(value.clients).toMatchObject([{ action: 'same' }, { client: 'agents-md', action: 'add' }]);
});

test.each([
  ['text', '# Rules\n\nBe brief.\n'],
  ['no line break at the end', '# Rules'],
  ['carriage returns', '# Rules\r\n\r\nBe brief.\r\n'],
  ['blank lines at the end', '# Rules\n\n\n'],
])('AGENTS.md takes a block when asked, and comes back: %s', async (_label, text) => {
  const machine = clientHome();
  const file = `${machine.root}/AGENTS.md`;
  write(file, text);

  const { value } = await machine.json('setup', 'cursor', '--agents-md', '--yes', '--skip-index');

  expect(value.clients).toMatchObject([{ action: 'create' }, { client: 'agents-md', action: 'add' }]);
  const block = readFileSync(
    new URL('../../scripts/package/templates/agents-block.md', import.meta.url),
    'utf8',
  );
  const written = readFileSync(file, 'utf8');
  expect(written.startsWith(text)).toBe(true);
  expect(written.replaceAll('\r\n', '\n')).toContain(block.trim());
  writeFileSync(file, `first\n${written}`);
  await machine.json('uninstall', '--yes');
  expect(readFileSync(file, 'utf8')).toBe(`first\n${text}`);
});
