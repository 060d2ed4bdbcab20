/** npm run crash:damage -- [--copies 1000] */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runDamage } from './memory/damage-campaign.ts';

const { values } = parseArgs({ options: { copies: { type: 'string', default: '1000' } } });
const folder = mkdtempSync(join(tmpdir(), 'waymark-damage-'));
try {
  const report = await runDamage(folder, Number(values.copies));
  process.stdout.write(`${JSON.stringify({ node: process.version, ...report }, null, 2)}\n`);
  const failed =
    report.crashes.length > 0 ||
    report.notKept > 0 ||
    report.wrong > 0 ||
    report.othersTouched > 0 ||
    report.salvagedShare < 0.99;
  if (failed) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
