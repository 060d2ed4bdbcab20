/** R144 a memory as Markdown in the repository: both sides equal after each run, whatever happened on either, and nothing is lost. */
import { afterAll, expect, test } from 'vitest';
import { loadStaticEncoder } from '../../src/embedding/index.ts';
import {
  changeEntry,
  deleteEntries,
  saveFact,
  syncFiles,
  type LinkFolder,
  type Memory,
} from '../../src/memory/index.ts';
import { AUTHOR, openPlainMemory, ROOT } from '../support/plain-memory.ts';
import { createRandom } from '../campaigns/http/seeded-random.ts';
import { collectEnds, tempFolder } from '../support/temp-folder.ts';

const { onEnd, end } = collectEnds();
afterAll(end);
const encoder = loadStaticEncoder();

function open(): Memory {
  const memory = openPlainMemory(tempFolder({}, onEnd).path, encoder);
  onEnd(() => memory.close());
  return memory;
}

/** A folder in memory; `failAfter` ends a run in the middle, as a kill would. */
function folderOf(files: Map<string, string>, failAfter = Infinity): LinkFolder {
  let left = failAfter;
  const step = (): void => {
    left -= 1;
    if (left < 0) throw new Error('killed');
  };
  return {
    exists: () => true,
    list: () => [...files.keys()],
    read: (path) => files.get(path),
    write(path, text) {
      step();
      files.set(path, text);
    },
    remove(path) {
      step();
      files.delete(path);
    },
  };
}

const contents = async (memory: Memory): Promise<readonly string[]> =>
  (await memory.list(ROOT, { limit: 1_000 })).map(({ entry }) => entry.content).toSorted();

const bodies = (files: ReadonlyMap<string, string>): readonly string[] =>
  [...files.values()].map((text) => text.replace(/^---\n[\s\S]*?\n---\n/, '').trim()).toSorted();

async function linked() {
  const memory = open();
  const files = new Map<string, string>();
  const { entry } = await saveFact(memory, ROOT, AUTHOR, { text: 'Ports start at 4000.', scope: 'project' });
  await memory.save(ROOT, AUTHOR, { kind: 'skill', name: 'release', content: '1. npm test\n2. tag' });
  await syncFiles(memory, ROOT, folderOf(files));
  const [path = ''] = [...files.keys()].filter((name) => name.includes(entry.id));
  return { memory, files, id: entry.id, path, sync: () => syncFiles(memory, ROOT, folderOf(files)) };
}

test('R144 an entry is a file that people can read, and a run that finds both in step changes nothing', async () => {
  const { files, path, sync } = await linked();
  const before = new Map(files);

  const report = await sync();

  expect(files.get(path)).toMatch(
    /^---\nid: "?fact-[0-9a-f]{12}"?\nkind: fact\n---\n\nPorts start at 4000\.\n$/,
  );
  expect(files).toEqual(before);
  expect(report).toEqual({ written: 0, taken: 0, deleted: 0, conflicts: 0 });
});

test('R144 an edit by a person is a new version, also where the entry changed meanwhile; the other text is kept as a version', async () => {
  const { memory, files, id, path, sync } = await linked();
  files.set(path, (files.get(path) ?? '').replace('4000', '5000'));
  await changeEntry(memory, ROOT, AUTHOR, id, {
    action: 'revise',
    edit: { content: 'Ports start at 6000.' },
  });

  await sync();

  const versions = (await (await memory.storeOf(ROOT)).versions(id)).map(({ content }) => content);
  expect((await memory.get(ROOT, id)).entry).toMatchObject({
    content: 'Ports start at 5000.',
    provenance: { origin: 'typed' },
  });
  expect(versions).toEqual(['Ports start at 6000.', 'Ports start at 4000.']);
  expect(bodies(files)).toEqual(await contents(memory));
});

test('a file that is deleted takes its entry to the bin, an entry that is forgotten takes its file; an edit outlives both', async () => {
  const { memory, files, id, path, sync } = await linked();
  const text = files.get(path) ?? '';
  files.delete(path);
  await sync();
  expect((await memory.get(ROOT, id)).deletedAt).toBeDefined();

  await changeEntry(memory, ROOT, AUTHOR, id, { action: 'undo' });
  await sync();
  expect(files.get(path)).toBe(text);

  await deleteEntries(memory, ROOT, [id], 'x');
  files.set(path, text.replace('4000', '7000'));
  await sync();
  expect((await memory.get(ROOT, id)).deletedAt).toBeUndefined();
  expect(await contents(memory)).toContain('Ports start at 7000.');

  await deleteEntries(memory, ROOT, [id], 'x');
  await sync();
  expect(files.has(path)).toBe(false);
});

test('R144 a branch without the folder forgets nothing and gets no files; back on the other one both are in step', async () => {
  const { memory, files, sync } = await linked();
  const before = await contents(memory);
  const empty = new Map<string, string>();

  const report = await syncFiles(memory, ROOT, { ...folderOf(empty), exists: () => false });

  expect(report).toEqual({ written: 0, taken: 0, deleted: 0, conflicts: 0 });
  expect(empty.size).toBe(0);
  expect(await contents(memory)).toEqual(before);
  await sync();
  expect(bodies(files)).toEqual(before);
});

test('R144 a text beyond the limit, and a file that cannot be read, stay as the person left them', async () => {
  const { memory, files, id, path, sync } = await linked();
  const long = (files.get(path) ?? '').replace('4000.', `4000.\n${'more '.repeat(1_000)}THE END`);
  files.set(path, long);

  await sync();
  const unreadable = {
    ...folderOf(files),
    read: (name: string) => (name === path ? undefined : files.get(name)),
  };
  await syncFiles(memory, ROOT, unreadable);

  expect(files.get(path)).toBe(long);
  expect(await memory.get(ROOT, id)).toMatchObject({
    entry: { content: 'Ports start at 4000.' },
    deletedAt: undefined,
  });
});

test('R144 what stands above the text of a file is edited like the text', async () => {
  const { memory, files, id, path, sync } = await linked();
  files.set(path, (files.get(path) ?? '').replace('kind: fact\n', 'kind: fact\nsubject: ports\n'));

  await sync();

  expect((await memory.get(ROOT, id)).entry.fields).toMatchObject({ subject: 'ports' });
  expect(files.get(path)).toContain('subject: ports');
});

test('a file that git could not merge becomes two entries: neither side is lost', async () => {
  const { memory, files, path, sync } = await linked();
  const text = files.get(path) ?? '';
  files.set(
    path,
    text.replace(
      'Ports start at 4000.',
      '<<<<<<< HEAD\nPorts start at 4100.\n=======\nPorts start at 4200.\n>>>>>>> branch',
    ),
  );

  const report = await sync();

  expect(report).toMatchObject({ conflicts: 1 });
  expect(await contents(memory)).toEqual([
    '1. npm test\n2. tag',
    'Ports start at 4100.',
    'Ports start at 4200.',
  ]);
  expect(bodies(files)).toEqual(await contents(memory));
});

test('R144 a how-to that shows the marks of a conflict in fenced code is one text; a conflict around a fence is two', async () => {
  const { memory, files, sync } = await linked();
  const shown = '```\n<<<<<<< HEAD\nmine\n=======\nyours\n>>>>>>> branch\n```';
  const howTo = `Settle a conflict:\n\n${shown}\n\n    <<<<<<< HEAD\n\nDraw =======\n=======\nbelow a title.`;
  files.set('facts/how-to.md', `${howTo}\n`);
  files.set(
    'facts/fence.md',
    '<<<<<<< HEAD\n```sh\none\n=======\n```\ntwo\n>>>>>>> 1f3a (a title)\n```\nafter\n',
  );

  const report = await sync();

  expect(report).toMatchObject({ conflicts: 1 });
  expect(await contents(memory)).toEqual(
    [
      '1. npm test\n2. tag',
      'Ports start at 4000.',
      howTo,
      '```sh\none\n```\nafter',
      '```\ntwo\n```\nafter',
    ].toSorted(),
  );
  expect(bodies(files)).toEqual(await contents(memory));
});

test('R144 a file with more tags than an entry can have stays as it is, and keeps no other file from being in step', async () => {
  const { memory, files, path, sync } = await linked();
  const tags = JSON.stringify(Array.from({ length: 100 }, (_, at) => `tag-${at}`));
  const odd = `---\ntags: ${tags}\n---\n\nToo many tags.\n`;
  files.set('facts/a-lot.md', odd);
  files.set(path, (files.get(path) ?? '').replace('kind: fact\n', `kind: fact\ntags: ${tags}\n`));
  files.set('facts/z.md', 'Last of all.\n');

  await sync();

  expect(files.get('facts/a-lot.md')).toBe(odd);
  expect(files.get(path)).toContain('tag-99');
  expect(await contents(memory)).toEqual(['1. npm test\n2. tag', 'Last of all.', 'Ports start at 4000.']);
});

test('R144 where a file cannot be read, no entry is forgotten for want of its file: it may be that one', async () => {
  const { memory, files, id, path, sync } = await linked();
  files.set('notes/mine.md', files.get(path) ?? '');
  files.delete(path);
  await sync();
  const unreadable = {
    ...folderOf(files),
    read: (name: string) => (name === 'notes/mine.md' ? undefined : files.get(name)),
  };

  await syncFiles(memory, ROOT, unreadable);

  expect((await memory.get(ROOT, id)).deletedAt).toBeUndefined();
});

test('a file without an id becomes an entry, one with an id of another clone keeps it, and a copy is an entry of its own', async () => {
  const { memory, files, id, path, sync } = await linked();
  files.set('notes/mine.md', 'We deploy on Tuesdays.\n');
  files.set(
    'facts/theirs.md',
    '---\nid: fact-0123456789ab\nkind: fact\nname: theirs\n---\n\nFrom another clone.\n',
  );
  files.set('facts/copy.md', (files.get(path) ?? '').replace('4000', '4444'));

  await sync();

  expect((await memory.get(ROOT, 'fact-0123456789ab')).entry).toMatchObject({
    content: 'From another clone.',
    provenance: { origin: 'imported' },
  });
  expect(files.get('notes/mine.md')).toContain('kind: fact');
  expect(await contents(memory)).toContain('We deploy on Tuesdays.');
  expect((await memory.get(ROOT, id)).entry.content).toBe('Ports start at 4000.');
  expect(bodies(files)).toEqual(await contents(memory));
});

test('a secret that a person types into a file is taken out of both', async () => {
  const { memory, files, path, sync } = await linked();
  const token = ['gh', 'p_', 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bD1fG3hJ5'].join('');
  files.set(path, (files.get(path) ?? '').replace('4000', token));

  await sync();

  expect(JSON.stringify([...files.values(), ...(await contents(memory))])).not.toContain(token);
});

/** Edits by people and agents, merges and kills in any order. */
test('200 random steps by people, agents, merges and kills: nothing is lost, ids are stable, both sides are equal afterwards', async () => {
  const random = createRandom(7, 0).fraction;
  const memory = open();
  const files = new Map<string, string>();
  const alive = new Set<string>();
  let count = 0;
  const word = (): string => `Marker ${(count += 1)} stands here.`;
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];

  for (let round = 0; round < 40; round++) {
    for (let step = 0; step < 5; step++) {
      const path = pick([...files.keys()]);
      const entry = pick((await memory.list(ROOT, { limit: 500 })).map((stored) => stored.entry));
      const what = Math.floor(random() * 6);
      if (what === 0) {
        const text = word();
        alive.add(text);
        await saveFact(memory, ROOT, AUTHOR, { text, scope: 'project' });
      } else if (what === 1 && path !== undefined) {
        const text = word();
        alive.add(text);
        // A person adds a line: what stood there stays.
        files.set(path, `${files.get(path)?.trimEnd() ?? ''}\n${text}\n`);
      } else if (what === 2) {
        const text = word();
        alive.add(text);
        files.set(`facts/new-${count}.md`, `${text}\n`);
      } else if (what === 3 && path !== undefined) {
        const text = files.get(path) ?? '';
        const [one, two] = [word(), word()];
        if (text.includes('<<<<<<<')) continue;
        alive.add(one).add(two);
        files.set(path, `${text.trimEnd()}\n<<<<<<< HEAD\n${one}\n=======\n${two}\n>>>>>>> other\n`);
      } else if (what === 4 && entry !== undefined) {
        // An agent adds a line; where a person edits the same entry, the person wins and this is a version.
        const text = word();
        alive.add(text);
        await changeEntry(memory, ROOT, AUTHOR, entry.id, {
          action: 'revise',
          edit: { content: `${entry.content}\n${text}` },
        });
      } else await syncFiles(memory, ROOT, folderOf(files, Math.floor(random() * 4))).catch(() => {});
    }
    await syncFiles(memory, ROOT, folderOf(files));
    await syncFiles(memory, ROOT, folderOf(files));
    expect(bodies(files)).toEqual(await contents(memory));
  }

  const store = await memory.storeOf(ROOT);
  const entries = (await store.list({ limit: 10_000 })).map(({ entry }) => entry);
  const told: string[] = [];
  for (const entry of entries)
    told.push(
      entry.content,
      ...(entry.version > 1 ? await store.versions(entry.id) : []).map(({ content }) => content),
    );
  const all = told.join('\n');
  expect([...alive].filter((text) => !all.includes(text))).toEqual([]);
  for (const [path, text] of files)
    expect([path, /\bid: "?(?:fact|guide)-[0-9a-f]{12}/.test(text)]).toEqual([path, true]);
});
