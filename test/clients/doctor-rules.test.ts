/** `waymark doctor` tries an entry by the rules of the client that reads it, and says so where it cannot. */
import { chmodSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BIN, run } from '../support/waymark.ts';
import { clientHome, clientNamed, write, type ClientHome } from './client-home.ts';

/** A server that answers only if the condition holds where it is started. */
function plantServer(machine: ClientHome, condition: string): void {
  const file = machine.home.folder.join('programs', 'strict');
  write(
    file,
    `#!/bin/sh
if ${condition}; then exec "${process.execPath}" "${BIN}" mcp; fi
exit 3
`,
  );
  chmodSync(file, 0o755);
}

test.each([
  [
    'Claude Code',
    'claude-code',
    { command: '${PROGRAMS}/strict', args: ['${TEAM:-shop}'] },
    '[ "$1" = shop ]',
  ],
  ['Kilo', 'kilo', { command: ['{env:PROGRAMS}/strict', '{env:GONE}'] }, '[ -z "$1" ]'],
  ['Gemini CLI', 'gemini-cli', { command: '${PROGRAMS}/strict', args: [], cwd: '/' }, '[ "$(pwd)" = / ]'],
  ['Qwen Code', 'qwen-code', { command: '$PROGRAMS/strict', args: ['$GONE'] }, '[ "$1" = \'$GONE\' ]'],
])(
  '%s: the entry is tried with the variables, arguments and directory it names',
  async (name, id, own, when) => {
    const machine = clientHome();
    const client = clientNamed(id);
    plantServer(machine, when);
    write(machine.fileOf(client, 'user'), JSON.stringify({ [client.key[0]]: { waymark: own } }));

    const { code, stdout } = await run(['doctor'], {
      home: machine.home,
      cwd: machine.root,
      env: { PROGRAMS: machine.home.folder.join('programs') },
    });

    // Behind a long path the line is broken.
    expect(stdout).toMatch(new RegExp(`✓ ${name},\\s`));
    expect(code).toBe(0);
  },
);

test.each([
  ['a value that the client asks its user for', { url: 'http://127.0.0.1:9/${input:key}' }, '${input:key}'],
  ['a file of variables', { command: process.execPath, args: [BIN, 'mcp'], envFile: '.env' }, 'envFile'],
])('%s is not tried, and not praised', async (_label, value, named) => {
  const machine = clientHome();
  write(machine.fileOf(clientNamed('cursor'), 'user'), JSON.stringify({ mcpServers: { waymark: value } }));

  const { stdout } = await machine.run('doctor');

  expect(stdout).not.toContain('✓ Cursor');
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/· Cursor, \S+: not tried: /);
  expect(stdout).toContain(named);
});

test('what is said of an entry says how far it was tried', async () => {
  const machine = clientHome();
  await machine.json('setup', 'windsurf', '--yes', '--skip-index');
  await machine.json('setup', 'kimi-code', '--scope', 'project', '--yes', '--skip-index');

  const words = (await machine.run('doctor')).stdout.replaceAll(/\s+/g, ' ');

  expect(words).toMatch(/✓ Windsurf, [^✓]* ms; how it starts servers is assumed/);
  expect(words).toMatch(/✓ Kimi Code, [^✓]* ms; it reads the file once the folder is trusted/);
});
