/** R141, R142: facts merge, take places and go along with the person; recall ranks everything together. In one process. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadStaticEncoder } from '../../src/embedding/index.ts';
import { changeEntry, saveFact, type FactDraft, type Memory } from '../../src/memory/index.ts';
import { memoryDirectory } from '../../src/storage/index.ts';
import { loadDriver } from '../../src/storage/sqlite/driver.ts';
import { AUTHOR, openPlainMemory, ROOT } from '../support/plain-memory.ts';
import { collectEnds, tempFolder } from '../support/temp-folder.ts';

const { onEnd, end } = collectEnds();
afterAll(end);
const encoder = loadStaticEncoder();
const KINDS = ['checkpoint', 'remediation', 'skill', 'fact', 'guide'] as const;
const OTHER = '/another';
const guide = {
  category: 'testing',
  name: 'ledger',
  text: '# Ledger tests\n\nEach ledger test builds its own accounts and closes them again.',
};

function open(dataDir = tempFolder({}, onEnd).path): Memory {
  const memory = openPlainMemory(dataDir, encoder, {
    readGuides: (root) => (root === ROOT ? [guide] : []),
    placeOf: (root) => ({ root, name: root.slice(1), identity: root, folder: '', branch: 'main' }),
  });
  onEnd(() => memory.close());
  return memory;
}

const save = (memory: Memory, text: string, more: Partial<FactDraft> = {}, root = ROOT) =>
  saveFact(memory, root, AUTHOR, { text, scope: 'project', ...more });

async function facts(memory: Memory, root = ROOT): Promise<readonly string[]> {
  const found = await memory.list(root, { kinds: ['fact'], limit: 50 });
  return found.map(({ entry }) => entry.content);
}

test('R142 a fact that says the same merges: its tags come along, and nothing is written for one that adds none', async () => {
  const memory = open();
  const first = await save(memory, 'The build needs Node 22.', { tags: ['setup'] });

  const same = await save(memory, 'the build needs node 22');
  const tagged = await save(memory, 'The build needs Node 22', { tags: ['ci'] });

  expect(same).toMatchObject({ repeated: true, entry: { id: first.entry.id, version: 1 } });
  expect(tagged).toMatchObject({ revised: true, entry: { id: first.entry.id, tags: ['setup', 'ci'] } });
  expect(await facts(memory)).toEqual(['The build needs Node 22.']);
});

test('R142 a fact of the same subject takes the place of the older one, which is kept as a version and comes back', async () => {
  const memory = open();
  const { entry } = await save(memory, 'Packages are installed with npm.', { subject: 'package manager' });

  const later = await save(memory, 'pnpm installs packages.', { subject: 'Package managers' });
  const versions = await (await memory.storeOf(ROOT)).versions(entry.id);

  expect(later).toMatchObject({
    revised: true,
    before: 'Packages are installed with npm.',
    entry: { id: entry.id, version: 2 },
  });
  expect(versions.map(({ content }) => content)).toEqual(['Packages are installed with npm.']);
  await changeEntry(memory, ROOT, AUTHOR, entry.id, { action: 'undo' });
  expect(await facts(memory)).toEqual(['Packages are installed with npm.']);
});

test('R142 facts of which both may hold stand side by side, and the near one is named', async () => {
  const memory = open();
  const { entry } = await save(memory, 'The login page is slow in Firefox.');

  const other = await save(memory, 'The login page is tested in Firefox.');

  expect(await facts(memory)).toHaveLength(2);
  expect(other.near.map(({ id }) => id)).toEqual([entry.id]);
});

test('R142 eight savers of one fact leave one', async () => {
  const dataDir = tempFolder({}, onEnd).path;
  const memories = Array.from({ length: 8 }, () => open(dataDir));

  await Promise.all(memories.map((memory) => save(memory, 'Never push to main.')));

  expect(await facts(memories[0] ?? open(dataDir))).toEqual(['Never push to main.']);
});

test('R142 what is known of the person is recalled in every project; a fact of a project is not', async () => {
  const memory = open();
  await save(memory, 'The user prefers tabs over spaces.', { scope: 'person' });
  await save(memory, 'Invoices are rounded to tabs of five cents.');

  const { hits } = await memory.recall(OTHER, {
    text: 'tabs or spaces for indentation',
    kinds: KINDS,
    limit: 5,
  });

  expect(hits.map(({ entry, ofPerson }) => [entry.content, ofPerson])).toEqual([
    ['The user prefers tabs over spaces.', true],
  ]);
  expect(await facts(memory, OTHER)).toEqual([]);
});

test('R142 an entry of the person is revised, forgotten and taken back from any project', async () => {
  const memory = open();
  const { entry } = await save(memory, 'Answers are in English.', { scope: 'person', subject: 'language' });
  const { id } = entry;

  await changeEntry(memory, OTHER, AUTHOR, id, {
    action: 'revise',
    edit: { content: 'Answers are in French.' },
  });
  await changeEntry(memory, OTHER, AUTHOR, id, { action: 'forget' });
  const forgotten = await memory.recall(ROOT, { text: 'language of answers', kinds: ['fact'], limit: 5 });
  await changeEntry(memory, OTHER, AUTHOR, id, { action: 'undo' });
  const back = await memory.recall(ROOT, {
    text: 'language of answers in French',
    kinds: ['fact'],
    limit: 5,
  });
  await changeEntry(memory, OTHER, AUTHOR, id, { action: 'undo' });

  expect(forgotten.hits).toEqual([]);
  expect(back.hits.map((hit) => hit.entry.content)).toEqual(['Answers are in French.']);
  expect((await memory.get(ROOT, id)).entry.content).toBe('Answers are in English.');
});

describe('R141 one recall', () => {
  const memory = open();
  const ask = async (text: string) =>
    (await memory.recall(ROOT, { text, kinds: KINDS, limit: 3 })).hits.map(({ entry }) => entry.kind);

  test('ranks checkpoints, fixes, skills, facts and guides together', async () => {
    await memory.save(ROOT, AUTHOR, {
      kind: 'checkpoint',
      content: 'Retries of failed uploads back off with jitter.',
    });
    await memory.save(ROOT, AUTHOR, {
      kind: 'remediation',
      content: 'Stop the old dev server.',
      fields: { error: 'EADDRINUSE: address already in use :::3000' },
    });
    await memory.save(ROOT, AUTHOR, {
      kind: 'skill',
      name: 'cut-a-release',
      content: 'npm test, tag, push the tag.',
    });
    await save(memory, 'Commits are signed with the key of the release team.');

    expect((await ask('retry of failed uploads'))[0]).toBe('checkpoint');
    expect((await ask('Error: listen EADDRINUSE: address already in use 0.0.0.0:8080'))[0]).toBe(
      'remediation',
    );
    expect((await ask('how do we cut a release'))[0]).toBe('skill');
    expect((await ask('which key are commits signed with'))[0]).toBe('fact');
    expect((await ask('how is a ledger test written'))[0]).toBe('guide');
  });

  test('shows nothing for a question that nothing answers', async () => {
    expect(await ask('chocolate tempering machine in a bakery')).toEqual([]);
  });

  test('finds the guides of a project that has no memory yet, and makes none by asking', async () => {
    const bare = open();

    const { hits } = await bare.recall(ROOT, { text: 'ledger tests and accounts', kinds: KINDS, limit: 3 });

    expect(hits.map(({ entry }) => entry.id)).toEqual(['.waymark/guides/testing/ledger.md']);
    expect(await bare.spaces.list()).toEqual([]);
  });
});

test('R142 a memory of the release before opens with all it holds, and a copy of it is kept', async () => {
  const dataDir = tempFolder({}, onEnd).path;
  const before = open(dataDir);
  const { entry } = await before.save(ROOT, AUTHOR, { kind: 'checkpoint', content: 'Where it stood.' });
  const [space = ''] = await before.spaces.list();
  const file = join(memoryDirectory(dataDir), `${space}.db`);
  await before.close();
  const plain = (await loadDriver()).connect(file, { readOnly: false, timeout: 0 });
  plain.exec('PRAGMA user_version = 2');
  plain.close();

  const memory = open(dataDir);
  await save(memory, 'Facts are kept now.');

  expect((await memory.get(ROOT, entry.id)).entry).toEqual(entry);
  expect(await facts(memory)).toEqual(['Facts are kept now.']);
  expect(readdirSync(join(dataDir, 'backups', 'migrations'))).toHaveLength(1);
});
