/** What every engine does with the indexes of several projects. Written against the port only. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { IndexStores } from '../../src/storage/index.ts';
import { chunksWith } from '../support/indexed-words.ts';
import { indexedFile } from './index-contract.ts';

export interface IndexesEngine {
  /** No index at all. */
  empty(): Promise<IndexStores>;
  /** The same indexes, as another process sees them. */
  other(): Promise<IndexStores>;
}

const SHOP = '/home/me/web-shop';

export function describeIndexes(name: string, createEngine: () => IndexesEngine): void {
  describe(`indexes in ${name}`, () => {
    test('an index is there once it was opened, and asking makes none', async () => {
      const indexes = await createEngine().empty();
      const before = [await indexes.exists(SHOP), await indexes.list()];
      const store = await indexes.open(SHOP);
      onTestFinished(() => store.close());
      await store.commit({ written: [indexedFile('a.ts', ['word'])] });

      const [listed, ...more] = await indexes.list();

      expect(before).toEqual([false, []]);
      expect([await indexes.exists(SHOP), await indexes.exists('/home/me/other')]).toEqual([true, false]);
      expect(more).toEqual([]);
      expect(listed).toMatchObject({ key: indexes.keyOf(SHOP), kind: 'current' });
      expect(listed?.sizeBytes).toBeGreaterThan(0);
      expect(Math.abs(Date.now() - (listed?.modifiedAt ?? 0))).toBeLessThan(3_600_000);
    });

    test('what one holder commits is seen by another that has the index open', async () => {
      const engine = createEngine();
      const [first, second] = [await engine.empty(), await engine.other()];
      const writer = await first.open(SHOP);
      onTestFinished(() => writer.close());
      const reader = await second.open(SHOP);
      onTestFinished(() => reader.close());
      const before = await reader.generation();

      const { generation } = await writer.commit({ written: [indexedFile('a.ts', ['word'])] });

      await expect.poll(() => reader.generation(), { timeout: 1_000, interval: 5 }).toBe(generation);
      expect(before).toBeLessThan(generation);
      expect(await chunksWith(reader, 'word')).toHaveLength(1);
    });

    test('one writer and one follower at a time; each lock is free again once it is released', async () => {
      const engine = createEngine();
      const [first, second] = [await engine.empty(), await engine.other()];
      const locks = [await first.tryWriterLock(SHOP), await first.tryFollowerLock(SHOP)];
      const refused = [
        await second.tryWriterLock(SHOP),
        await second.tryFollowerLock(SHOP),
        await first.tryWriterLock(SHOP),
        await first.tryFollowerLock(SHOP),
      ];
      const elsewhere = await second.tryWriterLock('/home/me/other');
      await elsewhere?.release();

      for (const lock of locks) await lock?.release();
      await locks[0]?.release();
      const again = [await second.tryWriterLock(SHOP), await second.tryFollowerLock(SHOP)];
      for (const lock of again) await lock?.release();

      expect(locks.every((lock) => lock?.lost.aborted === false)).toBe(true);
      expect(refused).toEqual([undefined, undefined, undefined, undefined]);
      expect(elsewhere).toBeDefined();
      expect(again.every((lock) => lock !== undefined)).toBe(true);
    });

    test('the holder of the lock commits, and keeps views when it has let go', async () => {
      const indexes = await createEngine().empty();
      const store = await indexes.open(SHOP);
      onTestFinished(() => store.close());
      const lock = await indexes.tryWriterLock(SHOP);

      const { generation } = await store.commit({ written: [indexedFile('a.ts', ['word'])] });
      const parts = [Uint8Array.of(1, 2, 3)];
      const whileHeld = await store.keepView({ generation, parts });
      await lock?.release();

      expect([whileHeld, await store.keepView({ generation, parts })]).toEqual([false, true]);
      expect(await chunksWith(store, 'word')).toHaveLength(1);
    });

    test('an index that is removed is gone, and another stays', async () => {
      const indexes = await createEngine().empty();
      for (const root of [SHOP, '/home/me/other']) {
        const store = await indexes.open(root);
        await store.commit({ written: [indexedFile('a.ts', ['word'])] });
        await store.close();
      }

      const removed = [await indexes.remove(SHOP), await indexes.remove(SHOP)];

      expect(removed).toEqual([true, false]);
      expect([await indexes.exists(SHOP), await indexes.exists('/home/me/other')]).toEqual([false, true]);
      expect((await indexes.list()).map(({ key }) => key)).toEqual([indexes.keyOf('/home/me/other')]);
    });

    test('an index goes by the id that its list gives', async () => {
      const indexes = await createEngine().empty();
      await (await indexes.open(SHOP)).close();
      const [listed] = await indexes.list();

      expect(await indexes.removeById(listed?.id ?? '')).toBe(true);
      expect(await indexes.list()).toEqual([]);
    });
  });
}
