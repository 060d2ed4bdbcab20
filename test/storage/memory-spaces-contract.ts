/** What every engine does with several memories. Written against the port only. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { MemorySpaces } from '../../src/storage/index.ts';
import { makeEntry } from './memory-entries.ts';

export interface SpacesEngine {
  /** No memories at all. */
  empty(): Promise<MemorySpaces>;
  /** Another handle on the same memories, as a later process would get. */
  reopen(): Promise<MemorySpaces>;
}

export function describeSpaces(name: string, createEngine: () => SpacesEngine): void {
  async function opened(engine = createEngine()): Promise<MemorySpaces> {
    const spaces = await engine.empty();
    onTestFinished(() => spaces.close());
    return spaces;
  }

  describe(`memories in ${name}`, () => {
    test('a memory is there once something was saved in it, and asking makes none', async () => {
      const spaces = await opened();
      const space = await spaces.spaceOf('/home/me/shop/.git');
      const before = [await spaces.exists(space), await spaces.list()];

      await (await spaces.open(space)).save(makeEntry('a'));

      expect(before).toEqual([false, []]);
      expect(space).toMatch(/^shop-[0-9a-f]{16}$/);
      expect(spaces.isSpace(space)).toBe(true);
      expect([await spaces.exists(space), await spaces.list()]).toEqual([true, [space]]);
    });

    test('two places have memories of their own until one is linked to the other, and again when it is not', async () => {
      const engine = createEngine();
      const spaces = await opened(engine);
      const [one, two] = ['/a/.git', '/b/.git'];
      const space = await spaces.spaceOf(one);
      const own = await spaces.spaceOf(two);

      await spaces.link({ identity: two, space });
      const later = await engine.reopen();
      onTestFinished(() => later.close());

      expect(own).not.toBe(space);
      expect(await later.spaceOf(two)).toBe(space);
      expect(await later.links()).toEqual([{ identity: two, space }]);
      expect([await later.unlink(two), await later.unlink(two)]).toEqual([true, false]);
      expect(await spaces.spaceOf(two)).toBe(own);
    });

    test('copies what one memory holds into another, history and all, and copies nothing twice', async () => {
      const spaces = await opened();
      const [from, into] = [await spaces.spaceOf('/a'), await spaces.spaceOf('/b')];
      const source = await spaces.open(from);
      await source.save(makeEntry('a', { content: 'alpha' }), { saveKey: 'key' });
      await source.revise('a', (entry) => ({ ...entry, content: 'beta' }));
      const target = await spaces.open(into);
      await target.save(makeEntry('b'));

      const copied = [await spaces.copy({ from, into }), await spaces.copy({ from, into })];

      expect(copied).toEqual([1, 0]);
      expect((await target.get('a'))?.entry).toMatchObject({ content: 'beta', version: 2 });
      expect((await target.versions('a')).map(({ content }) => content)).toEqual(['alpha']);
      expect((await target.save(makeEntry('z'), { saveKey: 'key' })).repeated).toBe(true);
      expect((await target.log(9)).map(({ action }) => action)).toEqual(['edit', 'save', 'save']);
      expect((await source.get('b'))?.entry).toBeUndefined();
    });
  });
}
