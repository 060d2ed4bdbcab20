/** What an operator does with a shared database: tables of two releases side by side, tenants, and copies of one tenant's memory. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { createApiToken } from '../../src/auth/index.ts';
import { systemClock, systemIds } from '../../src/platform/index.ts';
import { createPostgresStorage } from '../../src/storage/index.ts';
import { createDatabase } from '../../src/storage/postgres/database.ts';
import { migrate, prepareDatabase, readSchema } from '../../src/storage/postgres/migrate.ts';
import type { SchemaStep } from '../../src/storage/postgres/schema-step.ts';
import { SCHEMA_STEPS, SCHEMA_VERSION } from '../../src/storage/postgres/schema.ts';
import { silentLogger } from '../../src/text/index.ts';
import type { PostgresServer } from '../support/postgres-server.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildNextRelease } from '../campaigns/rolling/next-release.ts';
import { runRolling } from '../campaigns/rolling/rolling-campaign.ts';
import { emptyHome, run } from '../support/waymark.ts';
import { indexedFile } from '../storage/index-contract.ts';
import { makeEntry, OPEN_GATE, PLAIN_KEYS } from '../storage/memory-entries.ts';

const SPACE = 'shop-0123456789abcdef';

export function describeAdministering(serverOf: () => PostgresServer): void {
  const open = (url: string, tenant: string) => {
    const storage = createPostgresStorage({
      url,
      tenant,
      nameOf: (root) => ({ project: root, tree: root }),
      keyMaker: () => PLAIN_KEYS,
      gate: OPEN_GATE,
      workFolder: tempFolder().path,
      keepsSource: false,
      clock: systemClock,
      logger: silentLogger,
    });
    onTestFinished(() => storage.close());
    return storage;
  };

  describe('R165 tables of two releases', () => {
    const ahead: SchemaStep = {
      version: SCHEMA_VERSION + 1,
      name: 'a column of the next release',
      up: "ALTER TABLE tree ADD COLUMN note text NOT NULL DEFAULT ''; CREATE TABLE later (id integer)",
    };
    const destructive: SchemaStep = {
      version: SCHEMA_VERSION + 2,
      name: 'without the catalogue',
      contracts: SCHEMA_VERSION + 1,
      up: 'DROP TABLE known_project',
    };

    test('a release goes on, and begins, with a schema one step ahead; a destructive step waits until it is asked for', async () => {
      const url = await serverOf().newDatabase();
      const database = createDatabase(url, silentLogger);
      onTestFinished(() => database.close());
      const [before, after] = [open(url, 'a'), open(url, 'a')];
      const early = await before.memory.open(SPACE);
      await early.save(makeEntry('one'));
      const steps = [...SCHEMA_STEPS, ahead, destructive];

      await prepareDatabase(database, 'a', steps);
      const waiting = (await readSchema(database, steps)).waiting.map(({ version }) => version);
      await early.save(makeEntry('two'));
      const late = await after.memory.open(SPACE);
      const store = await after.indexes.open('/shop');
      await store.commit({ written: [indexedFile('a.ts', ['word'])] });

      expect(waiting).toEqual([destructive.version]);
      expect((await late.list({ limit: 9 })).map(({ entry }) => entry.id).toSorted()).toEqual(['one', 'two']);
      expect(await (await after.catalog()).list({ limit: 1 })).toEqual([]);
    });

    test('a destructive step is refused while an older release is connected, which is refused once it is done', async () => {
      const url = await serverOf().newDatabase();
      const steps = [...SCHEMA_STEPS, ahead, destructive];
      const next = createDatabase(url, silentLogger, { version: destructive.version });
      onTestFinished(() => next.close());
      const old = open(url, 'a');
      const kept = await old.memory.open(SPACE);
      await prepareDatabase(next, 'a', steps);

      const early = migrate(next, { steps, contract: true });
      await expect(early).rejects.toMatchObject({
        code: 'storage_busy',
        message: 'An older Waymark is still connected to the database, from 127.0.0.1.',
      });
      await kept.save(makeEntry('one'));
      await old.close();
      await expect
        .poll(() =>
          migrate(next, { steps, contract: true })
            .then((done) => done.map(({ version }) => version))
            .catch(() => []),
        )
        .toEqual([destructive.version]);

      await expect(open(url, 'b').memory.list()).rejects.toMatchObject({ code: 'storage_newer' });
      expect((await readSchema(next, steps)).waiting).toEqual([]);
    });

    test('a server is seen as one that lives though it is asked nothing', async () => {
      const url = await serverOf().newDatabase();
      const steps = [...SCHEMA_STEPS, destructive];
      const next = createDatabase(url, silentLogger, { version: destructive.version });
      onTestFinished(() => next.close());
      await migrate(next);
      const idle = open(url, 'a');

      await idle.warmUp();
      const listening = `SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%LISTEN%'`;
      await expect.poll(async () => (await next.all(listening))[0]?.['n']).toBeGreaterThan(1);
      // What else is connected ends after half a minute without a question.
      await next.all(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query NOT LIKE '%LISTEN%' AND pid <> pg_backend_pid()`,
      );

      await expect(migrate(next, { steps, contract: true })).rejects.toMatchObject({ code: 'storage_busy' });
    });

    test('a step that waits for a table lets others go on with it', async () => {
      const url = await serverOf().newDatabase();
      const database = createDatabase(url, silentLogger);
      onTestFinished(() => database.close());
      await migrate(database);
      const waits: number[] = [];
      let isMigrating = true;
      let migrated: Promise<unknown> = Promise.resolve();

      await database.snapshot(async (queries) => {
        // It holds the table as long as a large index is written.
        await queries.all('SELECT 1 FROM tree');
        migrated = migrate(database, { steps: [...SCHEMA_STEPS, ahead] }).finally(
          () => (isMigrating = false),
        );
        const until = performance.now() + 2_000;
        while (performance.now() < until) {
          const since = performance.now();
          await database.all('SELECT 1 FROM tree');
          waits.push(performance.now() - since);
        }
        expect(isMigrating).toBe(true);
      });

      expect(await migrated).toMatchObject([{ version: ahead.version }]);
      expect(Math.max(...waits)).toBeLessThan(1_500);
      expect(waits.length).toBeGreaterThan(10);
    });

    test('several instances that start at once migrate once, and those that find all done wait for no lock', async () => {
      const url = await serverOf().newDatabase();
      const many = Array.from({ length: 5 }, () => open(url, 'a'));
      await Promise.all(many.map((one) => one.memory.list()));
      const holder = createDatabase(url, silentLogger);
      onTestFinished(() => holder.close());

      const told = await holder.write(async (queries) => {
        await queries.run('SELECT pg_advisory_xact_lock(7411001)');
        return open(url, 'a').memory.list();
      });

      expect(told).toEqual([]);
      expect((await readSchema(holder)).version).toBe(SCHEMA_VERSION);
    });
  });

  test('R165 servers are replaced by those of the next release and back, under load, and no call fails', async () => {
    const next = await buildNextRelease();
    onTestFinished(() => next.remove());

    const outcome = await runRolling({
      server: serverOf(),
      before: 'dist/main.js',
      after: next.absPath,
      instances: 1,
      clients: 4,
      besideMs: 300,
    });

    expect(outcome).toMatchObject({ failures: [], lost: 0, doubled: 0, ends: [], replaced: 3 });
    expect(outcome.saved).toBeGreaterThan(5);
    expect(outcome.contracted).toContain('done:');
    expect(outcome.turnedAway).toContain('The database was made for a newer Waymark.');
  });

  test('R165 R162 `waymark admin` migrates, lists and removes tenants with their tokens, and moves one memory alone', async () => {
    const storage = await serverOf().newDatabase();
    const home = emptyHome();
    const dataDir = home.folder.join('data');
    const admin = (...args: readonly string[]) =>
      run(['admin', ...args, '--data-dir', dataDir], { home, env: { WAYMARK_STORAGE: storage } });
    const migrated = await admin('migrate');
    await admin('tenants', '--add', 'globex');
    const acme = await open(storage, 'acme').memory.open(SPACE);
    await acme.save(makeEntry('a', { content: 'alpha' }));
    await (
      await open(storage, 'acme').indexes.open('/shop')
    ).commit({ written: [indexedFile('a.ts', ['w'])] });
    await (await open(storage, 'globex').memory.open(SPACE)).save(makeEntry('g'));
    for (const tenant of ['acme', 'globex'])
      createApiToken(
        dataDir,
        { name: tenant, scopes: ['search'], tenant, expiresAt: undefined },
        { ids: systemIds, clock: systemClock },
      );
    const copy = home.folder.join('copy');

    const listed = await admin('tenants');
    const saved = await admin('backup', copy, '--tenant', 'acme', '--space', SPACE);
    const unsure = await admin('tenants', '--remove', 'acme');
    const removed = await admin('tenants', '--remove', 'acme', '--yes');
    const [after, tokens] = [await admin('tenants'), await admin('tokens')];
    const restored = await admin('restore', copy, '--tenant', 'initech');

    expect(migrated.stdout).toContain(`The tables are of version ${SCHEMA_VERSION}.`);
    expect(listed.stdout).toContain('acme: 1 project, 1 indexed file, 1 memory with 1 entry');
    expect(listed.stdout).toContain('globex: 0 projects, 0 indexed files, 1 memory with 1 entry');
    expect(saved.stdout).toContain('1 memory is in');
    expect([unsure.code === 0, unsure.stderr.includes('This deletes acme: 1 project')]).toEqual([
      false,
      true,
    ]);
    expect(removed.stdout).toContain(
      'acme is gone: 1 project, 1 indexed file, 1 memory with 1 entry, and 1 token',
    );
    expect(after.stdout).not.toContain('acme');
    expect(tokens.stdout).toMatch(/^globex {2}\w+ {2}globex: search\s*$/);
    expect(restored.stdout).toContain('1 memory was restored');
    const moved = await open(storage, 'initech').memory.open(SPACE);
    expect((await moved.list({ limit: 9 })).map(({ entry }) => entry.content)).toEqual(['alpha']);
  });

  test('`waymark admin` without a database says what is missing', async () => {
    const { code, stderr } = await run(['admin', 'tenants'], {});

    expect(code).not.toBe(0);
    expect(stderr).toContain('WAYMARK_STORAGE');
  });
}
