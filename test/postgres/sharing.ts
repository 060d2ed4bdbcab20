/** What an engine that is shared has to do: fence who lost a lock, keep what was acknowledged, keep tenants apart. */
import { readdirSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/platform/index.ts';
import { createMemorySpaces, openIndexStore, type IndexStore } from '../../src/storage/index.ts';
import { createDatabase, type Database } from '../../src/storage/postgres/database.ts';
import { silentLogger } from '../../src/text/index.ts';
import { bundleEntry } from '../support/bundle-entry.ts';
import type { PostgresServer } from '../support/postgres-server.ts';
import { createRandom } from '../support/random.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { runPostgresCampaign } from '../campaigns/postgres/campaign.ts';
import { indexedFile } from '../storage/index-contract.ts';
import { makeEntry, OPEN_GATE, PLAIN_KEYS } from '../storage/memory-entries.ts';
import { newTenant } from './new-tenant.ts';

const SHOP = '/home/me/web-shop';
const SPACE = 'shop-0123456789abcdef';

export function describeSharing(serverOf: () => PostgresServer): void {
  /** The database itself, to look at it and to cut connections. */
  const admin = (): Database => {
    const database = createDatabase(serverOf().url, silentLogger);
    onTestFinished(() => database.close());
    return database;
  };
  const count = async (sql: string): Promise<number> => Number((await admin().all(sql))[0]?.['n']);
  const onDatabase = async (url: string, sql: string): Promise<void> => {
    const database = createDatabase(url, silentLogger);
    onTestFinished(() => database.close());
    await database.all(sql);
  };
  /** Those of trees: locks of one number. Each connection has one of two. */
  const cutLocks = (): Promise<number> =>
    count(`SELECT count(pg_terminate_backend(pid)) AS n FROM (
      SELECT DISTINCT pid FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1) held`);
  const cutAll = (): Promise<number> =>
    count(`SELECT count(pg_terminate_backend(pid)) AS n FROM pg_stat_activity
      WHERE application_name = 'waymark' AND pid <> pg_backend_pid()`);

  test('R161 instances are killed and cut off, and the database dies: nothing acknowledged is lost, doubled or torn', async () => {
    const bundle = await bundleEntry('test/campaigns/postgres/instance-program.ts');
    onTestFinished(() => bundle.remove());

    const outcome = await runPostgresCampaign({
      server: serverOf(),
      program: bundle.absPath,
      instances: 2,
      kills: 3,
      cuts: 3,
      stops: 1,
      fenced: 10,
    });

    expect(outcome).toMatchObject({ lost: 0, doubled: 0, torn: 0, unfenced: 0 });
    expect(outcome.acknowledged).toBeGreaterThan(40);
    expect(Math.min(outcome.commits, outcome.looks)).toBeGreaterThan(0);
  });

  describe('an engine that several instances share', () => {
    test('R161 a writer whose lock was cut commits nothing, and another takes over at once', async () => {
      const tenant = newTenant(serverOf().url);
      const [one, two] = [tenant.open(), tenant.open()];
      const store = await one.indexes.open(SHOP);
      const other = await two.indexes.open(SHOP);
      const lock = await one.indexes.tryWriterLock(SHOP);
      const { generation } = await store.commit({ written: [indexedFile('a.ts', ['word'])] });

      await cutLocks();
      const refused = await Promise.allSettled([
        store.commit({ written: [indexedFile('b.ts', ['word'])] }),
        store.keepHistory({ maker: 'm', tips: ['t'], commits: 1, packed: Uint8Array.of(1) }),
      ]);
      const since = performance.now();
      const taken = await two.indexes.tryWriterLock(SHOP);
      const tookMs = performance.now() - since;
      await other.commit({ written: [indexedFile('c.ts', ['word'])] });

      expect(lock?.lost.aborted).toBe(true);
      expect(refused.map((one) => one.status === 'rejected' && one.reason)).toMatchObject([
        { code: 'storage_busy' },
        { code: 'storage_busy' },
      ]);
      expect(taken).toBeDefined();
      expect(tookMs).toBeLessThan(1_000);
      expect((await other.manifest()).map(({ path }) => path)).toEqual(['a.ts', 'c.ts']);
      expect(await other.generation()).toBe(generation + 1);
      await lock?.release();
      await taken?.release();
    });

    test('R161 a writer that does not know yet that another one has the lock is refused by its epoch', async () => {
      const tenant = newTenant(serverOf().url);
      const storage = tenant.open();
      const store = await storage.indexes.open(SHOP);
      const lock = await storage.indexes.tryWriterLock(SHOP);
      onTestFinished(() => lock?.release());

      await admin().all('UPDATE tree SET epoch = epoch + 1');

      await expect(store.commit({ written: [indexedFile('a.ts', ['word'])] })).rejects.toMatchObject({
        code: 'storage_busy',
      });
      expect(await store.manifest()).toEqual([]);
    });

    test('no two unique indexes of a table begin with the same column', async () => {
      await newTenant(serverOf().url).open().memory.list();

      const alike = await admin().all(
        `SELECT indrelid::regclass::text AS "table", count(*) AS n FROM pg_index JOIN pg_class c ON c.oid = indrelid
         WHERE indisunique AND c.relnamespace = 'public'::regnamespace GROUP BY indrelid, indkey[0] HAVING count(*) > 1`,
      );

      expect(alike).toEqual([]);
    });

    test('R163 instances sign with the same key, which is made anew after a month', async () => {
      const url = await serverOf().newDatabase();
      const [one, two] = [newTenant(url).open(), newTenant(url).open()];

      const both = await Promise.all([one.sharedKeys('state', 'a'), two.sharedKeys('state', 'b')]);
      await onDatabase(url, 'UPDATE shared_key SET made_at = 0');
      const later = await Promise.all([one.sharedKeys('state', 'c'), two.sharedKeys('state', 'd')]);

      expect(['a', 'b']).toContain(both[0]?.current);
      expect(both[1]).toEqual(both[0]);
      expect(['c', 'd']).toContain(later[0]?.current);
      expect(later).toEqual(Array.from({ length: 2 }, () => ({ ...later[0], previous: both[0]?.current })));
    });

    test('R161 a follower hears that its lock is lost, and gets it again', async () => {
      const { indexes } = newTenant(serverOf().url).open();
      const lock = await indexes.tryFollowerLock(SHOP);
      const told = new Promise((resolve) => lock?.lost.addEventListener('abort', resolve));

      await cutLocks();
      await told;
      const again = await indexes.tryFollowerLock(SHOP);

      expect(again?.lost.aborted).toBe(false);
      await again?.release();
    });

    test('R161 saves while connections are cut and the database dies: each is there once, in the order of its number', async () => {
      const tenant = newTenant(serverOf().url);
      const stores = [await tenant.open().memory.open(SPACE), await tenant.open().memory.open(SPACE)];
      const saved: string[] = [];
      let isOver = false;
      const writers = stores.flatMap((store, instance) =>
        [0, 1, 2].map(async (writer) => {
          for (let turn = 0; !isOver; turn += 1) {
            const id = `e-${instance}-${writer}-${turn}`;
            const named = { kind: 'skill', name: `skill ${turn % 3}` } as const;
            // Every other one takes the long way, over a transaction.
            if (turn % 2 === 0) await store.save(makeEntry(id), { saveKey: id });
            else
              await store.save(makeEntry(id, named), {
                saveKey: id,
                replaces: (old, entry) => ({ ...entry, id: old.id }),
              });
            saved.push(id);
          }
        }),
      );
      for (let turn = 0; turn < 4; turn += 1) {
        await cutAll();
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      await serverOf().stop('immediate');
      await serverOf().start();
      const before = saved.length;
      await expect.poll(() => saved.length, { timeout: 20_000 }).toBeGreaterThan(before + 20);
      isOver = true;
      await Promise.all(writers);

      const [store] = stores;
      const listed = (await store?.list({ limit: 100_000 })) ?? [];
      const plain = saved.filter((id) => Number(id.split('-')[3]) % 2 === 0);
      const found = listed.map(({ entry }) => entry.id);
      const log = (await store?.log(100_000)) ?? [];
      expect(found).toEqual(expect.arrayContaining(plain));
      expect(new Set(found).size).toBe(found.length);
      // One line of the log for each that was acknowledged, and no more.
      expect(log).toHaveLength(saved.length);
      expect(await store?.verify()).toBe(true);
      const space = `FROM space s JOIN tenant t ON t.id = s.tenant_id ORDER BY s.id DESC LIMIT 1`;
      const worded = await count(`SELECT worded AS n ${space}`);
      expect(worded).toBe(listed.length);
    });

    test('a hundred saves at once from two instances have a hundred numbers', async () => {
      const tenant = newTenant(serverOf().url);
      const [one, two] = [await tenant.open().memory.open(SPACE), await tenant.open().memory.open(SPACE)];
      const storeAt = (at: number) => (at % 2 === 0 ? one : two);

      const outcomes = await Promise.all(
        Array.from({ length: 100 }, (_, at) =>
          storeAt(at).save(makeEntry(`e-${at}`), { saveKey: `key ${at % 50}` }),
        ),
      );

      const first = outcomes.filter(({ repeated }) => !repeated);
      expect(first).toHaveLength(50);
      expect(new Set(first.map(({ stored }) => stored.seq)).size).toBe(50);
      expect(await one.list({ limit: 1_000 })).toHaveLength(50);
      expect((await two.vectorsAfter(0)).rows).toHaveLength(50);
    });

    test('R162 nothing of one tenant is told to another', async () => {
      const [ours, theirs] = [newTenant(serverOf().url).open(), newTenant(serverOf().url).open()];
      const store = await theirs.indexes.open(SHOP);
      await store.commit({ written: [indexedFile('secret.ts', ['word'])] });
      await (await theirs.memory.open(SPACE)).save(makeEntry('a'));
      await theirs.memory.link({ identity: '/x', space: SPACE });
      await (await theirs.catalog()).remember({ root: SHOP, name: 'web-shop', seenAt: 1 });
      const before = [await ours.indexes.exists(SHOP), await ours.indexes.list(), await ours.memory.list()];

      const ownStore = await ours.indexes.open(SHOP);
      const ownMemory = await ours.memory.open(SPACE);

      expect(before).toEqual([false, [], []]);
      expect([await ownStore.manifest(), await ownMemory.list({ limit: 9 })]).toEqual([[], []]);
      expect([await ours.memory.links(), await (await ours.catalog()).list({ limit: 9 })]).toEqual([[], []]);
      expect(await ours.indexes.tryWriterLock(SHOP)).toBeDefined();
      expect(await theirs.indexes.tryWriterLock(SHOP)).toBeDefined();
      expect((await ours.indexes.list()).map(({ sizeBytes }) => sizeBytes)).toEqual([0]);
    });

    test('two checkouts of a repository share what is made of their files, until neither has one', async () => {
      const nameOf = (root: string) => ({ project: 'git.example/acme/shop', tree: root });
      const { indexes } = newTenant(serverOf().url).open({ nameOf });
      const [a, b] = [await indexes.open('/a'), await indexes.open('/b')];
      const contents = () =>
        count('SELECT count(*) AS n FROM content WHERE tenant_id = (SELECT max(id) FROM tenant)');
      const same = indexedFile('same.ts', ['word']);

      await a.commit({ written: [same, indexedFile('a.ts', ['one'])] });
      await b.commit({ written: [same] });
      const shared = await contents();
      await a.commit({ removed: ['same.ts'] });
      const stillThere = await contents();
      await b.commit({ written: [indexedFile('same.ts', ['other'])] });

      expect([shared, stillThere, await contents()]).toEqual([2, 2, 2]);
      expect((await b.files()).files.map(({ path }) => path)).toEqual(['same.ts']);
      expect(await indexes.remove('/a')).toBe(true);
      expect([await a.manifest(), await contents()]).toEqual([[], 1]);
    });

    test('R160 words find the same entries in the same order as in the embedded engine', async () => {
      const random = createRandom(7);
      const words = Array.from({ length: 40 }, (_, at) => `w${at}`);
      const some = (most: number) =>
        Array.from({ length: 1 + random.below(most) }, () => words[random.below(1 + random.below(40))]).join(
          ' ',
        );
      const local = createMemorySpaces({
        dataDir: tempFolder().path,
        keyMaker: () => PLAIN_KEYS,
        gate: OPEN_GATE,
        clock: systemClock,
        logger: silentLogger,
      });
      onTestFinished(() => local.close());
      const [here, there] = [
        await local.open(SPACE),
        await newTenant(serverOf().url).open().memory.open(SPACE),
      ];
      for (let at = 0; at < 120; at += 1) {
        const entry = makeEntry(`e${at}`, {
          name: some(4),
          content: some(30),
          kind: at % 3 === 0 ? 'skill' : 'checkpoint',
        });
        for (const store of [here, there]) await store.save(entry);
      }

      const asked = Array.from({ length: 60 }, (_, at) => ({
        words: [...new Set(some(5).split(' '))],
        filter: { limit: 5 + random.below(30), ...(at % 2 === 0 ? {} : { kinds: ['skill'] as const }) },
      }));
      for (const { words: question, filter } of asked)
        expect(await there.byWords(question, filter)).toEqual(await here.byWords(question, filter));
      expect(await there.frequencies(words)).toEqual(await here.frequencies(words));
    });

    test('R160 words that are kept in memory follow what other instances save, change, delete, purge and restore', async () => {
      const tenant = newTenant(serverOf().url);
      const [one, two] = [await tenant.open().memory.open(SPACE), await tenant.open().memory.open(SPACE)];
      const copy = tempFolder().join('copy.db');
      for (let at = 0; at < 6; at += 1) await one.save(makeEntry(`e${at}`, { content: `common word${at}` }));
      await one.backupTo(copy);
      const found = async (word: string) => {
        const seqs = await two.byWords([word], { limit: 9 });
        expect((await two.frequencies([word])).counts.get(word) ?? 0).toBe(seqs.length);
        return (await two.bySeqs(seqs)).map(({ entry }) => entry.id).toSorted();
      };
      const steps: readonly (readonly [
        step: () => Promise<unknown>,
        word: string,
        ids: readonly string[],
      ])[] = [
        [() => one.save(makeEntry('f', { content: 'fresh' })), 'fresh', ['f']],
        [() => one.revise('f', (entry) => ({ ...entry, content: 'common' })), 'fresh', []],
        [() => one.remove(['e0', 'e1'], 'me'), 'common', ['e2', 'e3', 'e4', 'e5', 'f']],
        [() => one.undo('e1', 'me'), 'word1', ['e1']],
        [() => one.purge({ ids: ['e0'] }, 'me'), 'common', ['e1', 'e2', 'e3', 'e4', 'e5', 'f']],
        [() => two.remove(['e2'], 'me'), 'word2', []],
        [() => one.restoreFrom(copy), 'common', ['e0', 'e1', 'e2', 'e3', 'e4', 'e5']],
      ];
      // From the first few questions on they are in memory.
      for (let turn = 0; turn < 8; turn += 1) await found('common');

      for (const [step, word, ids] of steps) {
        await step();
        await expect.poll(() => found(word), { interval: 10 }).toEqual(ids);
      }
    });

    test('a memory moves to the embedded engine by a backup, history and all', async () => {
      const folder = tempFolder();
      const shared = await newTenant(serverOf().url).open().memory.open(SPACE);
      await shared.save(makeEntry('a', { content: 'alpha' }), { saveKey: 'key' });
      await shared.revise('a', (entry) => ({ ...entry, content: 'beta' }));
      await shared.save(makeEntry('b'));
      await shared.remove(['b'], 'me');
      await shared.backupTo(folder.join('copy.db'));
      const written = readdirSync(folder.path);
      const local = createMemorySpaces({
        dataDir: folder.path,
        keyMaker: () => PLAIN_KEYS,
        gate: OPEN_GATE,
        clock: systemClock,
        logger: silentLogger,
      });
      onTestFinished(() => local.close());
      const store = await local.open(SPACE);

      expect(await store.restoreFrom(folder.join('copy.db'))).toBe(2);
      expect(written).toEqual(['copy.db']);

      expect((await store.list({ limit: 9 })).map(({ entry }) => entry.content)).toEqual(['beta']);
      expect((await store.versions('a')).map(({ content }) => content)).toEqual(['alpha']);
      expect(await store.list({ limit: 9, inBin: true })).toHaveLength(1);
      expect((await store.save(makeEntry('z'), { saveKey: 'key' })).repeated).toBe(true);
      expect(await store.log(9)).toEqual(await shared.log(9));
    });

    test('R160 an index holds byte for byte what the embedded one holds', async () => {
      const local = await openIndexStore({
        cacheDir: tempFolder().path,
        root: SHOP,
        clock: systemClock,
        logger: silentLogger,
      });
      onTestFinished(() => local.close());
      const shared = await newTenant(serverOf().url).open().indexes.open(SHOP);
      const dump = async (store: IndexStore) => {
        const { files } = await store.files();
        const ids = new Map(files.map(({ id, path }) => [id, path]));
        const named = async (rows: Promise<readonly { readonly fileId: number }[]>) =>
          new Map((await rows).map(({ fileId, ...row }) => [ids.get(fileId), row]));
        return {
          files: files.map((file) => ({ ...file, id: 0 })),
          contents: await named(store.contents([...ids.keys()])),
          facts: await named(store.facts([...ids.keys()])),
          trigrams: new Map([...(await store.trigrams())].map(([id, row]) => [ids.get(id), row])),
          stats: await store.stats(),
          outlines: await store.outlinesOf(files.map(({ path }) => path)),
        };
      };
      const facts = Uint8Array.of(1, 2, 3);
      const note = { parser: 'p', failure: undefined, errorShare: 0.25 };
      for (const store of [local, shared]) {
        const file = indexedFile('b.ts', ['one', 'two']);
        await store.commit({ written: [file, indexedFile('a/ä.ts', ['three'])] });
        const { path, hash, analysis } = file;
        await store.commit({
          parsed: [{ path, hash, analysis, note, definitions: [], rows: undefined, facts }],
        });
      }

      expect(await dump(shared)).toEqual(await dump(local));
    });
  });
}
