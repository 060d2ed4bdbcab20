/** D4, D9: a working directory that a client's daemon or a plugin left to the server names no project. */
import { expect, test } from 'vitest';
import { openClient } from '../support/clients.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { emptyHome } from '../support/waymark.ts';
import { rootOf } from './projects.ts';

function machine() {
  return tempFolder({
    'first/.git/HEAD': 'ref: refs/heads/main\n',
    'second/.git/HEAD': 'ref: refs/heads/main\n',
  });
}

const CLINE = { kind: 'stdio, version 1', name: '@cline/core' } as const;
const NOTE = { content: 'Retries done. Next: the tests.' };

test('R016 R017 R020 a server of a daemon writes nowhere: the call asks for switch_project, and then works there', async () => {
  const folder = machine();
  const [first, second] = [folder.join('first'), folder.join('second')];
  const home = emptyHome();
  const client = await openClient({ ...CLINE, cwd: first, env: { ...home.env, PWD: first } });

  const lost = await client.call('checkpoint_save', NOTE);
  const chosen = await client.call('switch_project', { project: second });
  const saved = await client.call('checkpoint_save', NOTE);
  const ofFirst = await client.call('checkpoint_list', { project: first });

  expect(lost).toMatchObject({ isError: true, structured: { error_type: 'no_project' } });
  expect(lost.text).toContain('switch_project');
  expect(rootOf(chosen)).toBe(second);
  expect(saved.text).toContain(`(${second}, via switched)`);
  expect(ofFirst.text).toContain('No checkpoint yet');
});

test('R044 project_status says why the working directory of a daemon does not count', async () => {
  const folder = machine();
  const client = await openClient({ ...CLINE, cwd: folder.join('first') });

  const { text } = await client.call('project_status');

  expect(text).toMatch(/cwd .*Cline starts servers from a daemon, which may stand in another project/);
});

test('R013 the working directory of a daemon counts where the user says so with --project-from-cwd', async () => {
  const folder = machine();
  const client = await openClient({ ...CLINE, cwd: folder.join('first'), args: ['--project-from-cwd'] });

  expect(rootOf(await client.call('project_status'))).toBe(folder.join('first'));
});

test("R016 R017 a plugin's own folder names no project, by working directory or PWD; other folders do", async () => {
  const folder = machine();
  const plugin = folder.join('first');
  const env = { CLAUDE_PLUGIN_ROOT: plugin };
  const open = (options: object) => openClient({ kind: 'stdio, version 2, modern', ...options });

  const inPlugin = await (
    await open({ cwd: plugin, env: { ...env, PWD: plugin } })
  ).call('checkpoint_save', NOTE);
  const elsewhere = await (await open({ cwd: folder.join('second'), env })).call('project_status');

  expect(inPlugin).toMatchObject({ isError: true, structured: { error_type: 'no_project' } });
  expect(rootOf(elsewhere)).toBe(folder.join('second'));
});
