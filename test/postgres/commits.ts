/** What becomes of a write whose connection is lost at its commit. */
import { expect, onTestFinished, test } from 'vitest';
import { systemIds } from '../../src/platform/index.ts';
import { isCommitted, markCommit } from '../../src/storage/postgres/commit-mark.ts';
import { connectAs } from '../../src/storage/postgres/release.ts';
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
}
