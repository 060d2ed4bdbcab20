/** `setup --http` to a server that asks for a token: a variable is named, the token itself is in no file. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CLIENTS, TOKEN_VARIABLE } from '../../src/clients/index.ts';
import { run, serve } from '../support/waymark.ts';
import { clientHome, clientNamed, write, type ClientHome } from './client-home.ts';

const QUIET = ['--yes', '--skip-index'] as const;
const NAMING = CLIENTS.filter(
  ({ http, userFiles, needsFile }) =>
    http?.token !== undefined && userFiles !== undefined && needsFile === undefined,
);
const IN_THE_CLEAR = CLIENTS.filter(({ http }) => http !== undefined && http.token === undefined);

async function guarded(): Promise<{ machine: ClientHome; url: string; token: string }> {
  const machine = clientHome();
  const { url } = await serve(['--require-token'], { home: machine.home, cwd: machine.root });
  const { stdout } = await machine.run('token');
  return { machine, url, token: stdout.trim() };
}

/** The same machine in a shell that has the variable. */
function withToken(machine: ClientHome, token: string, ...args: string[]): ReturnType<typeof run> {
  return run(args, { home: machine.home, cwd: machine.root, env: { [TOKEN_VARIABLE]: token } });
}

test('every client that can name a variable is connected; the token is written nowhere', async () => {
  const { machine, url, token } = await guarded();
  const ids = NAMING.map(({ id }) => id);
  const words = ['setup', ...ids, '--http', url, '--with-token', ...QUIET, '--json'];

  const { code, stdout } = await withToken(machine, token, ...words);

  expect(ids).toHaveLength(14);
  expect(JSON.parse(stdout).clients).toMatchObject(
    ids.map((client) => ({ client, action: 'create', handshake: { kind: 'answered', server: 'waymark' } })),
  );
  expect(code).toBe(0);
  const files = NAMING.map((client) => readFileSync(machine.fileOf(client, 'user'), 'utf8'));
  expect(files.filter((text) => !text.includes(TOKEN_VARIABLE) || text.includes(token))).toEqual([]);
  const notes = readFileSync(machine.home.folder.join('share/waymark/setup/manifest.json'), 'utf8');
  expect(notes).not.toContain(token);
  const again = await withToken(machine, token, ...words);
  expect(JSON.parse(again.stdout).clients.map((one: { action: string }) => one.action)).toEqual(
    ids.map(() => 'same'),
  );
  expect((await withToken(machine, token, 'doctor')).stdout).toContain('Nothing is wrong.');
});

test.each([
  ['no token is sent', [], {}, 'Run the same command with --with-token.'],
  ['the variable is not set', ['--with-token'], {}, 'export WAYMARK_TOKEN="$(waymark token)"'],
  ['the token is wrong', ['--with-token'], { WAYMARK_TOKEN: 'wrong-wrong-wrong' }, 'not that server'],
])('where %s, the user is told what to do, and so says the doctor', async (_label, more, env, advice) => {
  const { machine, url } = await guarded();
  const options = { home: machine.home, cwd: machine.root, env };

  const { code, stderr } = await run(['setup', 'cursor', '--http', url, ...more, ...QUIET], options);

  expect(code).toBe(1);
  expect(stderr).toContain('the server answers only with its token');
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(advice);
  expect(stderr.split('\n').filter((line) => line.length > 80)).toEqual([]);
  const doctor = await run(['doctor', '--json'], options);
  expect(JSON.parse(doctor.stdout).findings).toContainEqual(
    expect.objectContaining({ id: 'client-token', level: 'problem' }),
  );
  expect(doctor.code).toBe(1);
});

test('a client that takes a token only in the clear is left alone; the entry can be printed', async () => {
  const { machine, url, token } = await guarded();
  const ids = IN_THE_CLEAR.map(({ id }) => id);

  const address = ['--http', url, '--with-token'];
  const { code, stderr } = await withToken(machine, token, 'setup', ...ids, ...address, ...QUIET);
  const printed = await withToken(machine, token, 'setup', 'zed', ...address, '--print');

  expect(ids).toEqual(['zed', 'antigravity', 'cline-cli']);
  expect(code).toBe(1);
  expect(stderr.match(/takes a token only in the clear/g)).toHaveLength(ids.length);
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
    '`waymark setup cline-cli` without --http needs no token.',
  );
  expect(existsSync(machine.fileOf(clientNamed('zed'), 'user'))).toBe(false);
  expect(printed.stdout).toContain('"Authorization": "Bearer PUT-THE-TOKEN-HERE"');
  expect(printed.stdout).not.toContain(token);
});

test('the change is shown with the variable, and without an address the option is an error', async () => {
  const machine = clientHome();
  const address = ['--http', 'http://127.0.0.1:9/mcp'];

  const clients = ['cursor', 'codex', 'goose', 'opencode', 'claude-code'];
  const shown = await machine.run('setup', ...clients, ...address, '--with-token', '--dry-run');
  const alone = await machine.run('setup', 'cursor', '--with-token', '--dry-run');

  expect(
    shown.stderr.match(/"Bearer (?:\$\{env:|\$\{|\{env:)WAYMARK_TOKEN\}"|"WAYMARK_TOKEN"$/gm),
  ).toHaveLength(5);
  expect(shown.stderr).not.toContain('[hidden]');
  expect(alone.code).toBe(2);
  expect(alone.stderr).toContain('A server that the client starts itself needs no token.');
});

test('a client that fills in no variables and sends one as it stands is no success, from setup or not', async () => {
  const { machine, url, token } = await guarded();
  const entry = { type: 'streamableHttp', url, headers: { Authorization: 'Bearer ${env:WAYMARK_TOKEN}' } };
  const file = machine.fileOf(clientNamed('cline-cli'), 'user');
  write(file, JSON.stringify({ mcpServers: { waymark: entry } }));

  const { code, stdout } = await withToken(machine, token, 'doctor');

  const words = stdout.replaceAll(/\s+/g, ' ');
  expect(words).toContain('the client sends ${env:WAYMARK_TOKEN} as it stands');
  expect(words).toContain('`waymark setup` without --http');
  expect(code).toBe(1);
});

test('a list of servers takes the token by its secret, beside the models that are there', async () => {
  const { machine, url, token } = await guarded();
  const file = machine.fileOf(clientNamed('continue-cli'), 'user');
  const models = 'name: Mine\nversion: 0.0.1\nmodels:\n  - name: m\n    provider: openai\n';
  write(file, models);

  const words = ['setup', 'continue-cli', '--http', url, '--with-token', ...QUIET];
  const { code, stderr } = await withToken(machine, token, ...words);

  expect(code).toBe(0);
  expect(stderr).toContain('"Bearer ${{ secrets.WAYMARK_TOKEN }}"');
  expect(readFileSync(file, 'utf8')).toMatch(/mcpServers:\n {2}- name: waymark\n {4}type: streamable-http\n/);
  await machine.run('uninstall', '--yes');
  expect(readFileSync(file, 'utf8')).toBe(models);
});
