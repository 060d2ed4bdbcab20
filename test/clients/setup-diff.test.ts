/** The changes that `waymark setup` shows before it writes. */
import { expect, test } from 'vitest';
import { clientHome, clientNamed, write } from './client-home.ts';

test('of a file on one long line the part that changes is shown as it reads on several', async () => {
  const machine = clientHome();
  const many = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`server${at}`, { command: `/opt/bin/server-${at}` }]),
  );
  write(machine.fileOf(clientNamed('cursor'), 'user'), JSON.stringify({ mcpServers: many, theme: 'dark' }));

  const { stderr } = await machine.run('setup', 'cursor', '--dry-run');

  const added = stderr.split('\n').filter((line) => /^ +\+ /.test(line));
  expect(added.map((line) => line.trim())).toEqual(
    expect.arrayContaining(['+     "waymark": {', '+       "type": "stdio",']),
  );
  expect(stderr).toContain('"WAYMARK_PROJECT": "${workspaceFolder}"');
  expect(stderr).not.toContain('server-3"');
  expect(stderr).toContain('on one line in the file');
  expect(stderr.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

test('what hooks are written into settings on one line is read in full, among other lines too', async () => {
  const machine = clientHome();
  const settings = machine.home.folder.join('home', '.claude', 'settings.json');
  const theirs = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'lint' }] }] };
  write(settings, `{\n"model": "opus",\n"hooks": ${JSON.stringify(theirs)},\n"theme": "dark"\n}\n`);

  const { stderr } = await machine.run('setup', 'claude-code', '--dry-run');

  for (const event of ['SessionStart', 'Stop', 'PreCompact', 'SessionEnd'])
    expect(stderr).toMatch(new RegExp(`^ +\\+ +"${event}": \\[`, 'm'));
  expect(stderr.match(/hooks (?:start|capture) claude-code/g)).toHaveLength(4);
  expect(stderr.split('\n').filter((line) => line.length > 80)).toEqual([]);
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
