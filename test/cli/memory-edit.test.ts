/** `waymark memory edit` in a terminal, with editors that are shell scripts. */
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { memoryProject, openMemoryClient, type MemoryProject } from '../support/memory-client.ts';
import { playTerminal } from '../support/terminal.ts';
import { BIN, run } from '../support/waymark.ts';

const CONTENT = 'First line.\nSecond line.';

async function savedCheckpoint(): Promise<{ readonly project: MemoryProject; readonly id: string }> {
  const project = memoryProject();
  const client = await openMemoryClient('stdio, version 2, modern', project, project.folder.path);
  const { structured } = await client.call('checkpoint_save', { content: CONTENT, name: 'a day' });
  await client.close();
  return { project, id: String(structured['id']) };
}

/** Edits the entry with this script as the editor; temporary files are kept where the test can look. */
async function editWith({ home, folder }: MemoryProject, id: string, script: string) {
  home.folder.write({ 'bin/editor': `#!/bin/sh\n${script}\n`, 'tmp/.keep': '' });
  chmodSync(home.folder.join('bin/editor'), 0o755);
  const played = await playTerminal([process.execPath, BIN, 'memory', 'edit', id], {
    cwd: folder.path,
    env: {
      ...home.env,
      EDITOR: `${home.folder.join('bin/editor')} --wait`,
      TMPDIR: home.folder.join('tmp'),
      SEEN: home.folder.join('seen'),
    },
    typed: [],
  });
  const drafts = readdirSync(home.folder.join('tmp')).filter((name) => name.startsWith('waymark-edit-'));
  return { ...played, drafts };
}

async function shown({ home, folder }: MemoryProject, id: string) {
  const { stdout } = await run(['memory', 'show', id, '--json'], { home, cwd: folder.path });
  return JSON.parse(stdout);
}

test('opens the editor on a private file with the text, and keeps what it saves', async () => {
  const { project, id } = await savedCheckpoint();
  const script =
    'stat -c %a "$2" > "$SEEN"; cat "$2" >> "$SEEN"; echo "Third line, key AKIAZ3Q7R5T9X2C4V6B8." >> "$2"';

  const edited = await editWith(project, id, script);

  expect(edited.screen).toContain(`${id} is at version 2 now.`);
  expect(edited).toMatchObject({ code: 0, drafts: [] });
  expect(readFileSync(project.home.folder.join('seen'), 'utf8')).toBe(`600\n${CONTENT}\n`);
  const entry = await shown(project, id);
  expect(entry).toMatchObject({ version: 2, name: 'a day', provenance: { origin: 'typed' } });
  expect(entry.content).toContain(`${CONTENT}\nThird line`);
  expect(entry.content).not.toContain('AKIAZ3Q7R5T9X2C4V6B8');
});

test('text that comes back as it was makes no new version', async () => {
  const { project, id } = await savedCheckpoint();

  const edited = await editWith(project, id, 'true');
  const renamed = await run(['memory', 'edit', id, '--name', 'a day'], {
    home: project.home,
    cwd: project.folder.path,
  });

  expect(edited.screen).toContain(`Nothing was changed: ${id} stays at version 1.`);
  expect(renamed.stdout).toBe(`Nothing was changed: ${id} stays at version 1.\n`);
  expect(edited.drafts).toEqual([]);
  expect(await shown(project, id)).toMatchObject({ version: 1, content: CONTENT });
});

test('an editor that fails, and a text that cannot be saved, lose nothing', async () => {
  const { project, id } = await savedCheckpoint();

  const failed = await editWith(project, id, 'echo half > "$2"; exit 3');
  const empty = await editWith(project, id, 'echo "   " > "$2"');
  const [draft = ''] = failed.drafts;

  expect(failed.code).toBe(1);
  expect(failed.screen).toContain('The editor did not finish: it ended with exit code 3.');
  expect(failed.screen.replaceAll(/\s/g, '')).toContain(project.home.folder.join('tmp', draft, 'text.md'));
  expect(readFileSync(project.home.folder.join('tmp', draft, 'text.md'), 'utf8')).toBe('half\n');
  expect(empty.screen).toContain('`content` is empty');
  expect(empty.drafts).toHaveLength(2);
  expect(await shown(project, id)).toMatchObject({ version: 1, content: CONTENT });
});

test('without a terminal or an editor it says what to do, and makes no new version', async () => {
  const { project, id } = await savedCheckpoint();
  const { home, folder } = project;

  const piped = await run(['memory', 'edit', id], { home, cwd: folder.path, env: { EDITOR: 'vi' } });
  const bare = await playTerminal([process.execPath, BIN, 'memory', 'edit', id], {
    cwd: folder.path,
    env: home.env,
    typed: [],
  });

  expect(piped).toMatchObject({ code: 2, stdout: '' });
  expect(piped.stderr).toContain(`hint: waymark memory edit ${id} --content - < FILE`);
  expect(bare.code).toBe(2);
  expect(bare.screen).toContain('No editor is set.');
  expect(await shown(project, id)).toMatchObject({ version: 1 });
  expect(existsSync(home.folder.join('tmp'))).toBe(false);
});

test('an editor that removes the file changes nothing, and no text is promised where none is', async () => {
  const { project, id } = await savedCheckpoint();

  const edited = await editWith(project, id, 'rm "$2"');

  expect(edited.screen).toContain('The editor left no text behind.');
  expect(edited.screen).not.toContain('your text is in');
  expect(await shown(project, id)).toMatchObject({ version: 1, content: CONTENT });
});
