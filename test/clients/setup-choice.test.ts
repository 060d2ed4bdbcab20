/** What `waymark setup` leaves out, what it says of the listing, and the question it shows. */
import { chmodSync, mkdirSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { isTemporaryInstall } from '../../src/clients/index.ts';
import { TOOLS } from '../../src/tools/index.ts';
import { BIN } from '../support/waymark.ts';
import { clientHome, write } from './client-home.ts';

test('single agents can be left out of those that are found', async () => {
  const machine = clientHome();
  for (const folder of ['.cursor', '.codex', '.codeium/windsurf']) {
    mkdirSync(machine.home.folder.join('home', folder), { recursive: true });
  }

  const { value } = await machine.json('setup', '--except', 'cursor,Windsurf', '--dry-run');
  const unknown = await machine.run('setup', '--except', 'cursr', '--dry-run');

  expect(value.clients.map(({ client }) => client)).toEqual(['codex']);
  expect(unknown.stderr).toContain('Did you mean `cursor`?');
});

test('R120 setup counts the listing as the contract does: name, description and input schema', async () => {
  const machine = clientHome();
  const listed = TOOLS.filter(
    ({ toolset, unlisted }) => !unlisted && ['search', 'structure', 'memory', 'project'].includes(toolset),
  ).map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));

  const { value } = await machine.json('setup', 'cursor', '--yes', '--skip-index');

  const told = value.clients[0]?.handshake?.tokens ?? 0;
  const counted = countTokens(JSON.stringify(listed));
  expect(Math.abs(told - counted) / counted).toBeLessThan(0.1);
});

test('the question about the project is shown only if the first answer says what it asks', async () => {
  const machine = clientHome();
  write(`${machine.root}/notes.md`, '# Notes\n\nNothing here is code.\n');
  write(
    `${machine.root}/a.ts`,
    '/** Copyright Example Corporation, all rights. */\nexport function a() {}\n',
  );

  const without = await machine.run('setup', 'cursor', '--yes');
  write(
    `${machine.root}/queue.ts`,
    '/** Retries failed uploads with growing pauses. */\nexport function retryWithBackoff() {}\n',
  );
  const shown = await machine.run('setup', 'cursor', '--yes');

  expect(without.stderr).not.toContain('$ waymark search');
  expect(shown.stderr).toMatch(
    /\$ waymark search "retries failed uploads with growing pauses"\n +queue\.ts:/,
  );
});

test('the first answer is the definition that says so of itself, not what stands beside it', async () => {
  const machine = clientHome();
  write(
    `${machine.root}/application.js`,
    `var app = exports = module.exports = {};

/**
 * Variable for trust proxy inheritance
 * @private
 */
var trustProxyDefaultSymbol = '@@symbol:trust_proxy_default';

/**
 * Initialize the server.
 *
 *   - setup default configuration
 *   - setup default middleware
 */
app.init = function init() {
  this.cache = Object.create(null);
  this.defaultConfiguration();
};
`,
  );

  const { stderr } = await machine.run('setup', 'cursor', '--yes');

  expect(stderr).toMatch(/✓ 1 file with \d+ definitions indexed/);
  const [, first] = /\$ waymark search [^\n]+\n([^\n]+)/.exec(stderr) ?? [];
  expect(first ?? 'init').toMatch(/\binit\b/);
});

test('where the shell does not know the program, setup says what to type in its place', async () => {
  const machine = clientHome();

  const { stdout } = await machine.run('setup', 'cursor', '--yes', '--skip-index');
  write(machine.home.folder.join('bin', 'waymark'), '#!/bin/sh\n');
  chmodSync(machine.home.folder.join('bin', 'waymark'), 0o755);
  const known = await machine.run('setup', 'cursor', '--yes', '--skip-index');

  expect(stdout).toContain(`Your shell does not know \`waymark\`. In its place:\n  node ${BIN}\n`);
  expect(known.stdout).not.toContain('In its place');
});

test.each([
  ['/home/me/.npm/_npx/1f/node_modules/waymark/dist/main.js', true],
  ['/tmp/xfs-1a2b/dlx-4711/node_modules/waymark/dist/main.js', true],
  ['/home/me/.cache/pnpm/dlx/1f/node_modules/waymark/dist/main.js', true],
  ['/tmp/bunx-1000-waymark@latest/node_modules/waymark/dist/main.js', true],
  ['/home/me/dlx-tools/waymark/dist/main.js', false],
  ['/usr/lib/node_modules/waymark/dist/main.js', false],
])('%s lies in the cache of a package runner: %s', (script, passing) => {
  expect(isTemporaryInstall(script)).toBe(passing);
});
