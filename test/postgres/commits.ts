/** What becomes of a write whose connection is lost at its commit. */
import { expect, onTestFinished, test } from 'vitest';
import { systemIds } from '../../src/platform/index.ts';
import { isCommitted, markCommit } from '../../src/storage/postgres/commit-mark.ts';
import { createDatabase } from '../../src/storage/postgres/database.ts';
import { connectAs } from '../../src/storage/postgres/release.ts';
import { silentLogger } from '../../src/text/index.ts';
import type { PostgresServer } from '../support/postgres-server.ts';
import { newTenant } from './new-tenant.ts';

export function describeCommits(serverOf: () => PostgresServer): void {
  test('R161 a commit whose answer was lost is not believed by its number, which another may have after a crash', async () => {
    await newTenant(serverOf().url).open().memory.open('shop-0123456789abcdef');
    const connection = await connectAs(serverOf().url);
    onTestFinished(() => connection.close());
    await connection.run('BEGIN');
    const before = await markCommit(connection);
    await connection.run('SELECT pg_current_xact_id()');
    const mine = (await markCommit(connection)) ?? { mark: '', id: '' };
    await connection.run('COMMIT');

    const lost = { ...mine, mark: systemIds.uuid() };
    const never = { mark: systemIds.uuid(), id: String(Number(mine.id) + 1_000_000) };

    expect(before).toBeUndefined();
    expect(await isCommitted(connection, mine)).toBe(true);
    expect(await isCommitted(connection, lost)).toBe(false);
    expect(await isCommitted(connection, never)).toBe(false);
  });

  test('R161 a commit that still runs is asked about again later, as when the database is away', async () => {
    await newTenant(serverOf().url).open().memory.open('shop-0123456789abcdef');
    const [running, asking] = [await connectAs(serverOf().url), await connectAs(serverOf().url)];
    onTestFinished(() => {
      running.close();
      asking.close();
    });
    await running.run('BEGIN');
    await running.run('SELECT pg_current_xact_id()');
    const mark = (await markCommit(running)) ?? { mark: '', id: '' };

    await expect(isCommitted(asking, mark)).rejects.toMatchObject({ code: 'storage_unavailable' });

    await running.run('COMMIT');
    expect(await isCommitted(asking, mark)).toBe(true);
  });

  test('R161 a write that is committed neither waits for old marks to be let go nor fails with that', async () => {
    await newTenant(serverOf().url).open().memory.open('shop-0123456789abcdef');
    const database = createDatabase(serverOf().url, silentLogger);
    const holder = await connectAs(serverOf().url);
    onTestFinished(async () => {
      holder.close();
      await database.close();
    });
    const old = systemIds.uuid();
    const marks = () => database.all('SELECT 1 FROM commit_mark WHERE mark = $1::uuid', old);
    await holder.run(`INSERT INTO commit_mark (mark, at) VALUES ($1::uuid, now() - interval '2 hours')`, [
      old,
    ]);
    await holder.run('BEGIN');
    await holder.run('SELECT 1 FROM commit_mark WHERE mark = $1::uuid FOR UPDATE', [old]);

    // One of them lets old marks go, which waits for the lock.
    await Promise.all(Array.from({ length: 1_000 }, () => database.write(() => Promise.resolve())));

    expect(await marks()).toHaveLength(1);
    await holder.run('ROLLBACK');
    await expect.poll(marks, { timeout: 10_000 }).toHaveLength(0);
  });
}
