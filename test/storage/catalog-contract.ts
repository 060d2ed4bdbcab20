/** What every engine's catalogue has to do. Knows the port only. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { CatalogStore } from '../../src/storage/index.ts';

export interface CatalogEngine {
  /** A catalogue with nothing in it. */
  empty(): Promise<CatalogStore>;
  /** Another handle on the same catalogue, as a later process would get. */
  reopen(): Promise<CatalogStore>;
}

export function describeCatalog(name: string, createEngine: () => CatalogEngine): void {
  async function catalog(engine = createEngine()): Promise<CatalogStore> {
    const store = await engine.empty();
    onTestFinished(() => store.close());
    return store;
  }

  describe(`catalogue in ${name}`, () => {
    test('knows nothing at first', async () => {
      const store = await catalog();

      expect(await store.list({ limit: 10 })).toEqual([]);
      expect(await store.byName('app')).toEqual([]);
    });

    test('lists the most recently seen first and no more than asked for', async () => {
      const store = await catalog();
      await store.remember({ root: '/old', name: 'old', seenAt: 1000 });
      await store.remember({ root: '/new', name: 'new', seenAt: 3000 });
      await store.remember({ root: '/mid', name: 'mid', seenAt: 2000 });

      expect(await store.list({ limit: 2 })).toEqual([
        { root: '/new', name: 'new', seenAt: 3000 },
        { root: '/mid', name: 'mid', seenAt: 2000 },
      ]);
      expect(await store.list({ limit: 0 })).toEqual([]);
    });

    test('refuses a limit that is no count', async () => {
      const store = await catalog();

      await expect(store.list({ limit: -1 })).rejects.toMatchObject({ code: 'bad_argument' });
      await expect(store.list({ limit: 1.5 })).rejects.toMatchObject({ code: 'bad_argument' });
    });

    test('remembers a project once and moves it up when seen again', async () => {
      const store = await catalog();
      await store.remember({ root: '/a', name: 'a', seenAt: 1000 });
      await store.remember({ root: '/b', name: 'b', seenAt: 2000 });

      await store.remember({ root: '/a', name: 'a', seenAt: 3000 });

      const found = await store.list({ limit: 10 });
      expect(found.map((project) => [project.root, project.seenAt])).toEqual([
        ['/a', 3000],
        ['/b', 2000],
      ]);
    });

    test('finds every project of a name, and only those', async () => {
      const store = await catalog();
      await store.remember({ root: '/code/app', name: 'app', seenAt: 1000 });
      await store.remember({ root: '/home/app', name: 'app', seenAt: 2000 });
      await store.remember({ root: '/home/App', name: 'App', seenAt: 3000 });
      await store.remember({ root: '/home/app%', name: 'app%', seenAt: 4000 });

      const found = await store.byName('app');

      expect(found.map((project) => project.root)).toEqual(['/home/app', '/code/app']);
    });

    test('keeps names and roots exactly as given', async () => {
      const store = await catalog();
      const project = {
        root: `/home/o'brien/"ünï" 📦\n; DROP TABLE project; --`,
        name: `📦'"`,
        seenAt: 1_769_903_999_123,
      };

      await store.remember(project);

      expect(await store.byName(project.name)).toEqual([project]);
    });

    test('forgets a project and says whether it knew it', async () => {
      const store = await catalog();
      await store.remember({ root: '/a', name: 'a', seenAt: 1000 });

      expect(await store.forget('/a')).toBe(true);
      expect(await store.forget('/a')).toBe(false);
      expect(await store.list({ limit: 10 })).toEqual([]);
    });

    test('is there again after it was closed, and for others while it is open', async () => {
      const engine = createEngine();
      const first = await catalog(engine);
      await first.remember({ root: '/a', name: 'a', seenAt: 1000 });

      const second = await engine.reopen();
      onTestFinished(() => second.close());
      await first.close();

      expect(await second.list({ limit: 10 })).toEqual([{ root: '/a', name: 'a', seenAt: 1000 }]);
    });

    test('closes twice without complaint and then refuses work', async () => {
      const store = await catalog();
      await store.close();
      await store.close();

      await expect(store.list({ limit: 1 })).rejects.toMatchObject({ code: 'internal' });
    });
  });
}
