/** npm run campaign:tenants -- --calls 100000 --tenants 5 --seed 1 --storage postgres|files */
import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../support/postgres-server.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { serveBinary } from './http/served-process.ts';
import { runTenantFuzz } from './tenants/fuzz.ts';
import { makeWorld, type Push } from './tenants/world.ts';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '100000' },
    tenants: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    storage: { type: 'string', default: 'postgres' },
  },
});
const ends: (() => unknown)[] = [];
const database = values.storage === 'postgres' ? await startPostgres() : undefined;
try {
  const folder = tempFolder({ 'own/.keep': '', 'tenants/.keep': '' }, (end) => void ends.push(end));
  const dataDir = mkdtempSync(join(tmpdir(), 'waymark-tenants-'));
  mkdirSync(dataDir, { recursive: true });
  ends.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const world = makeWorld({ tenants: Number(values.tenants), folder, dataDir });
  const places = [
    '--allow-project-root',
    folder.join('own'),
    '--tenant-project-root',
    folder.join('tenants'),
  ];
  const server = await serveBinary(
    [
      '--require-token',
      '--rest',
      '--metrics',
      '--data-dir',
      dataDir,
      '--cache-dir',
      join(dataDir, 'cache'),
      ...places,
    ],
    database === undefined ? {} : { WAYMARK_STORAGE: database.url },
  );
  ends.push(() => server.stop());
  const push: Push = async ({ root, token }, branch) => {
    const home = mkdtempSync(join(tmpdir(), 'waymark-pusher-'));
    ends.push(() => rmSync(home, { recursive: true, force: true }));
    const args = ['push', root, '--server', `http://127.0.0.1:${server.port}/mcp`, '--branch', branch];
    // Not in one go: connections that the server closes meanwhile have to be noticed.
    await promisify(execFile)(process.execPath, ['dist/main.js', ...args], {
      env: { PATH: process.env['PATH'] ?? '', HOME: home, WAYMARK_TOKEN: token },
    });
  };
  let told = 0;
  const report = await runTenantFuzz({
    port: server.port,
    world,
    calls: Number(values.calls),
    seed: Number(values.seed),
    ...(database === undefined ? {} : { push }),
    onProgress(done) {
      if (done - told < 5_000) return;
      told = done;
      process.stdout.write(`${done} calls\n`);
    },
  });
  for (const leak of report.leaks) process.stdout.write(`${JSON.stringify(leak)}\n`);
  const { calls, compared, byStatus, leaks } = report;
  const statuses = Object.entries(byStatus).map(([status, count]) => `${status}: ${count}`);
  process.stdout.write(
    `${calls} calls (${statuses.join(', ')}), ${compared} compared with names that are not there, ${leaks.length} leaks\n`,
  );
  process.exitCode = leaks.length === 0 ? 0 : 1;
} finally {
  for (const end of ends.toReversed()) await end();
  await database?.remove();
}
