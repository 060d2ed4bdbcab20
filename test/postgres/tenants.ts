/** Tenants of one database, with the same repository: a short version of `npm run campaign:tenants`. */
import { expect, test } from 'vitest';
import { runTenantFuzz } from '../campaigns/tenants/fuzz.ts';
import { makeWorld, type Push } from '../campaigns/tenants/world.ts';
import type { PostgresServer } from '../support/postgres-server.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { emptyHome, run, serve } from '../support/waymark.ts';

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
    const { port, url } = await serve(
      ['--require-token', '--rest', '--metrics', '--data-dir', dataDir, ...places],
      { home, env: { WAYMARK_STORAGE: await serverOf().newDatabase() } },
    );

    const push: Push = async ({ root, token }, branch) => {
      const sent = await run(['push', root, '--server', url, '--branch', branch], {
        env: { WAYMARK_TOKEN: token },
      });
      if (sent.code !== 0) throw new Error(sent.stderr);
    };

    const report = await runTenantFuzz({ port, world, calls: 220, seed: 162, push });

    expect(report.leaks).toEqual([]);
    expect(report.compared).toBeGreaterThan(5);
    expect(report.byStatus['200']).toBeGreaterThan(60);
  });
}
