/** Tenants of one database, with the same repository: a short version of `npm run campaign:tenants`. */
import { expect, test } from 'vitest';
import { runTenantFuzz } from '../campaigns/tenants/fuzz.ts';
import { makeWorld } from '../campaigns/tenants/world.ts';
import type { PostgresServer } from '../support/postgres-server.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { emptyHome, serve } from '../support/waymark.ts';

export function describeTenants(serverOf: () => PostgresServer): void {
  test('R162 tenants are told nothing of each other by any tool, resource, completion, address, error or figure', async () => {
    const home = emptyHome();
    const folder = tempFolder({ 'own/.keep': '', 'tenants/.keep': '' });
    const dataDir = home.folder.join('data');
    const world = makeWorld({ tenants: 2, folder, dataDir });
    const places = [
      '--allow-project-root',
      folder.join('own'),
      '--tenant-project-root',
      folder.join('tenants'),
    ];
    const { port } = await serve(
      ['--require-token', '--rest', '--metrics', '--data-dir', dataDir, ...places],
      { home, env: { WAYMARK_STORAGE: await serverOf().newDatabase() } },
    );

    const report = await runTenantFuzz({ port, world, calls: 250, seed: 162 });

    expect(report.leaks).toEqual([]);
    expect(report.compared).toBeGreaterThan(5);
    expect(report.byStatus['200']).toBeGreaterThan(60);
  });
}
