/** What every engine's memory must do. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { MemoryStore } from '../../src/storage/index.ts';
import { makeEntry } from './memory-entries.ts';

export interface MemoryEngine {
  /** A memory with nothing in it. */
  empty(): Promise<MemoryStore>;
  /** Another handle on the same memory, as a later process would get. */
  reopen(): Promise<MemoryStore>;
  copyPath(): string;
}

export function describeMemory(name: string, createEngine: () => MemoryEngine): void {
  async function memory(engine = createEngine()): Promise<MemoryStore> {
    const store = await engine.empty();
    onTestFinished(() => store.close());
    return store;
  }
  const ids = (found: readonly { entry: { id: string } }[]): readonly string[] =>
    found.map(({ entry }) => entry.id);

  describe(`memory in ${name}`, () => {
    test('gives back exactly what was saved', async () => {
      const store = await memory();
      const entry = makeEntry('a', {
        content: `"ünï" 📦\u0000\n'; DROP TABLE entry; --\ud800`,
        fields: { error: 'E1', stack: 'at x' },
        metadata: { deep: { list: [1, null, 'x'] } },
        files: [{ path: 'src/a.ts', hash: 'abc' }, { path: 'b' }],
        flags: ['instructions'],
        provenance: {
          ...makeEntry('a').provenance,
          source: 's',
          worktree: 'w',
          branch: 'main',
          commit: 'c0ffee',
        },
      });

      await store.save(entry);

      // JSON cannot carry a lone surrogate through UTF-8; everything else comes back as it was.
      const found = await store.get('a');
      expect(found?.entry).toEqual({ ...entry, content: entry.content });
    });

    test('a retried save does not double', async () => {
      const store = await memory();
      const first = await store.save(makeEntry('a'), { saveKey: 'key-1' });

      const second = await store.save(makeEntry('b'), { saveKey: 'key-1' });

      expect([first.repeated, second.repeated, second.stored.entry.id]).toEqual([false, true, 'a']);
      expect(ids(await store.list({ limit: 10 }))).toEqual(['a']);
    });

    test('an entry that replaces its namesake keeps the old one as a version, and is not replaced twice by a retried call', async () => {
      const store = await memory();
      const named = (id: string, content: string) =>
        makeEntry(id, { kind: 'skill', name: 'release', content });
      const save = (id: string, content: string, saveKey?: string) =>
        store.save(named(id, content), { saveKey, replaces: (old) => ({ ...named(old.id, content) }) });

      const first = await save('a', 'alpha');
      const second = await save('b', 'beta', 'key-1');
      const retried = await save('c', 'beta', 'key-1');

      expect([first, second, retried].map(({ repeated, revised }) => ({ repeated, revised }))).toEqual([
        { repeated: false, revised: false },
        { repeated: false, revised: true },
        { repeated: true, revised: false },
      ]);
      expect(retried.stored.entry).toMatchObject({ id: 'a', version: 2, content: 'beta' });
      expect(await store.versions('a')).toMatchObject([{ version: 1, content: 'alpha' }]);
      expect(ids(await store.bySeqs(await store.byWords(['beta'], { limit: 5 })))).toEqual(['a']);
      expect(await store.byWords(['alpha'], { limit: 5 })).toEqual([]);
    });

    test('an entry takes the place of the newest of its kind that matches; where nothing changes, nothing is written', async () => {
      const store = await memory();
      const about = (id: string, content: string) => makeEntry(id, { kind: 'fact', name: id, content });
      const matches = (old: { content: string }, entry: { content: string }): boolean =>
        old.content[0] === entry.content[0];
      const save = (id: string, content: string) =>
        store.save(about(id, content), {
          matches,
          replaces: (old) => (old.content === content ? old : { ...old, content }),
        });
      await save('a', 'ports start at 4000');
      await save('b', 'names are short');

      const moved = await save('c', 'ports start at 5000');
      const same = await save('d', 'ports start at 5000');

      expect([moved, same].map(({ repeated, revised }) => ({ repeated, revised }))).toEqual([
        { repeated: false, revised: true },
        { repeated: true, revised: false },
      ]);
      expect((await store.get('a'))?.entry).toMatchObject({ version: 2, content: 'ports start at 5000' });
      expect(ids(await store.list({ limit: 10 })).toSorted()).toEqual(['a', 'b']);
    });

    test('notes what an entry and its file said when they last agreed, and forgets it', async () => {
      const store = await memory();
      await store.agree('a', 'one');
      await store.agree('b', 'two');

      await store.agree('a', 'three');
      await store.agree('b', undefined);

      expect([...(await store.agreed())]).toEqual([['a', 'three']]);
    });

    test('lists newest first, by kind, in pages', async () => {
      const store = await memory();
      for (const [index, id] of ['a', 'b', 'c', 'd'].entries())
        await store.save(makeEntry(id, { createdAt: index, kind: id === 'b' ? 'skill' : 'checkpoint' }));

      expect(ids(await store.list({ limit: 2 }))).toEqual(['d', 'c']);
      expect(ids(await store.list({ limit: 2, offset: 2 }))).toEqual(['b', 'a']);
      expect(ids(await store.list({ limit: 9, kinds: ['skill'] }))).toEqual(['b']);
      expect((await store.sizes()).filter(({ count }) => count > 0)).toEqual([
        { kind: 'checkpoint', count: 3 },
        { kind: 'skill', count: 1 },
      ]);
      await expect(store.list({ limit: -1 })).rejects.toMatchObject({ code: 'bad_argument' });
    });

    test('lists what was written on one branch, and tells the branches there are', async () => {
      const store = await memory();
      const on = (branch?: string) => ({
        provenance: { ...makeEntry('x').provenance, ...(branch === undefined ? {} : { branch }) },
      });
      for (const [index, branch] of ['main', 'fix/quote"s', 'main', undefined].entries())
        await store.save(makeEntry(`e${index}`, { createdAt: index, ...on(branch) }));
      await store.save(makeEntry('gone', { createdAt: 9, ...on('gone') }));
      await store.remove(['gone'], 'me');

      expect(ids(await store.list({ limit: 9, branch: 'main' }))).toEqual(['e2', 'e0']);
      expect(ids(await store.list({ limit: 1, offset: 1, branch: 'main', kinds: ['checkpoint'] }))).toEqual([
        'e0',
      ]);
      expect(ids(await store.list({ limit: 9, branch: 'gone', inBin: true }))).toEqual(['gone']);
      expect(await store.branches()).toEqual([
        { branch: 'fix/quote"s', count: 1 },
        { branch: 'main', count: 2 },
      ]);
    });

    test('keeps every version of what is edited, and finds only the last', async () => {
      const store = await memory();
      await store.save(makeEntry('a', { content: 'first words' }));

      await store.revise('a', (entry) => ({ ...entry, content: 'second thoughts' }));

      expect((await store.get('a'))?.entry).toMatchObject({ content: 'second thoughts', version: 2 });
      expect((await store.versions('a')).map(({ content }) => content)).toEqual(['first words']);
      expect(ids(await store.bySeqs(await store.byWords(['first'], { limit: 5 })))).toEqual([]);
      expect(ids(await store.bySeqs(await store.byWords(['thoughts'], { limit: 5 })))).toEqual(['a']);
      expect(await store.revise('none', (entry) => entry)).toBeUndefined();
    });

    test('what is deleted goes to the bin, comes back whole, or is purged for good', async () => {
      const store = await memory();
      await store.save(makeEntry('a', { content: 'alpha', fields: { error: 'E' } }));
      await store.save(makeEntry('b', { content: 'alpha' }));

      expect(await store.remove(['a', 'none'], 'me')).toEqual(['a']);
      expect(ids(await store.bySeqs(await store.byWords(['alpha'], { limit: 5 })))).toEqual(['b']);
      expect(await store.byFingerprint('E', 5)).toEqual([]);
      expect(ids(await store.list({ limit: 5, inBin: true }))).toEqual(['a']);

      expect([await store.undo('a', 'me'), await store.undo('a', 'me')]).toEqual([true, false]);
      expect(ids(await store.bySeqs(await store.byFingerprint('E', 5)))).toEqual(['a']);

      await store.remove(['a'], 'me');
      expect(await store.purge({ before: Number.MAX_SAFE_INTEGER }, 'me')).toBe(1);
      expect(await store.get('a')).toBeUndefined();
      expect((await store.log(9)).map(({ action, entryId }) => `${action} ${entryId}`)).toEqual([
        'purge a',
        'delete a',
        'undo a',
        'delete a',
        'save b',
        'save a',
      ]);
    });

    test('finds by rare words before common ones and counts them', async () => {
      const store = await memory();
      for (const id of ['a', 'b', 'c'])
        await store.save(makeEntry(id, { content: `common ${id === 'b' ? 'rare' : ''}` }));

      expect(ids(await store.bySeqs(await store.byWords(['common', 'rare'], { limit: 5 })))[0]).toBe('b');
      expect(ids(await store.bySeqs(await store.byWords(['unknown'], { limit: 5 })))).toEqual([]);
      const { total, counts } = await store.frequencies(['common', 'rare', 'unknown']);
      expect([total, counts.get('common'), counts.get('rare'), counts.get('unknown')]).toEqual([
        3,
        3,
        1,
        undefined,
      ]);
    });

    test('hands out vectors of what is new since the last look', async () => {
      const store = await memory();
      const { stored } = await store.save(makeEntry('abcd'));
      const first = await store.vectorsAfter(0);
      await store.save(makeEntry('wxyz'));

      const second = await store.vectorsAfter(first.mark);

      expect(first.rows).toEqual([{ seq: stored.seq, vector: Int8Array.from([97, 98, 99, 100]) }]);
      expect(second.rows.map(({ vector }) => vector[0])).toEqual([119]);
      expect(ids(await store.bySeqs([stored.seq, 99]))).toEqual(['abcd']);
    });

    test('remembers who shares it', async () => {
      const store = await memory();
      await store.addIdentity({ identity: '/a/.git', name: 'a', since: 1 });
      await store.addIdentity({ identity: '/a/.git', name: 'b', since: 2 });

      expect(await store.identities()).toEqual([{ identity: '/a/.git', name: 'b', since: 2 }]);
      expect([await store.removeIdentity('/a/.git'), await store.removeIdentity('/a/.git')]).toEqual([
        true,
        false,
      ]);
    });

    test('one handle after the other brings it and its files in step; one that waits too long leaves it to the other', async () => {
      const engine = createEngine();
      const first = await memory(engine);
      const second = await engine.reopen();
      onTestFinished(() => second.close());
      const order: string[] = [];
      let finish = (): void => undefined;
      const finished = new Promise<void>((resolve) => (finish = resolve));

      const long = first.inStep(async () => {
        order.push('first');
        // What it does in the memory waits for no turn.
        await first.agree('', 'on');
        expect(await second.inStep(async () => order.push('too early'))).toBeUndefined();
        await finished;
      });
      await vi.waitFor(() => expect(order).toEqual(['first']));
      finish();
      await long;

      expect(await second.inStep(async () => order.push('second'))).toBe(2);
      await expect(second.inStep(async () => Promise.reject(new Error('no')))).rejects.toThrow('no');
      expect(await first.inStep(async () => 'again')).toBe('again');
    });

    test('is restored from a copy as it was', async () => {
      const engine = createEngine();
      const store = await memory(engine);
      await store.save(makeEntry('a', { content: 'alpha' }), { saveKey: 'key' });
      await store.revise('a', (entry) => ({ ...entry, content: 'beta' }));
      await store.backupTo(engine.copyPath());
      await store.save(makeEntry('b'));
      await store.remove(['a'], 'me');

      expect(await store.restoreFrom(engine.copyPath())).toBe(1);

      expect(ids(await store.list({ limit: 9 }))).toEqual(['a']);
      expect((await store.versions('a')).map(({ content }) => content)).toEqual(['alpha']);
      expect(ids(await store.bySeqs(await store.byWords(['beta'], { limit: 5 })))).toEqual(['a']);
      expect((await store.save(makeEntry('z'), { saveKey: 'key' })).repeated).toBe(true);
      expect(await store.verify()).toBe(true);
    });

    test('is there again after it was closed, and for others while it is open', async () => {
      const engine = createEngine();
      const first = await memory(engine);
      await first.save(makeEntry('a'));
      const second = await engine.reopen();
      onTestFinished(() => second.close());
      await first.close();

      expect(ids(await second.list({ limit: 9 }))).toEqual(['a']);
      await first.close();
      await expect(first.list({ limit: 1 })).rejects.toMatchObject({ code: 'internal' });
    });
  });
}
