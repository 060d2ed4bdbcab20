/** The changes that `waymark setup` shows before it writes. */
import { expect, test } from 'vitest';
import { clientHome, clientNamed, write } from './client-home.ts';

test('of a file on one long line the part that changes is shown, folded to the terminal', async () => {
  const machine = clientHome();
  const many = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`server${at}`, { command: `/opt/bin/server-${at}` }]),
  );
  write(machine.fileOf(clientNamed('cursor'), 'user'), JSON.stringify({ mcpServers: many, theme: 'dark' }));

  const { stderr } = await machine.run('setup', 'cursor', '--dry-run');

  const added = stderr.split('\n').filter((line) => /^ +1 \+ /.test(line));
  const shown = added.map((line) => line.slice(8)).join('');
  expect(shown).toContain('"waymark":{"type":"stdio","command":');
  expect(shown).toContain('"WAYMARK_PROJECT":"${workspaceFolder}"}}');
  expect(shown).not.toContain('server-3"');
  expect(added.every((line) => line.length <= 80)).toBe(true);
});

test('what looks like a secret beside the change is not shown, and every line fits', async () => {
  const machine = clientHome();
  write(
    machine.fileOf(clientNamed('cursor'), 'user'),
    `{\n  "mcpServers": {\n    "gh": { "env": { "GITHUB_TOKEN": "ghp_0123456789abcdefghijABCDEFGHIJ012345" } }\n  }\n}\n`,
  );

  const { stderr } = await machine.run('setup', 'cursor', '--dry-run');

  expect(stderr).not.toContain('ghp_');
  expect(stderr.split('\n').filter((line) => line.length > 80)).toEqual([]);
});
