/** npm run crash:power -- [--points 200] [--saves 300]; needs strace, which records what reaches the disk. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleEntry } from '../support/bundle-entry.ts';
import { hasStrace, runPowerLoss } from './memory/power-campaign.ts';

const { values } = parseArgs({
  options: { points: { type: 'string', default: '200' }, saves: { type: 'string', default: '300' } },
});
if (!hasStrace()) throw new Error('This campaign needs strace: install it and run the command again.');
const folder = mkdtempSync(join(tmpdir(), 'waymark-power-'));
const writer = await bundleEntry('test/campaigns/memory/writer.ts');
try {
  const report = await runPowerLoss({
    program: writer.absPath,
    folder,
    points: Number(values.points),
    saves: Number(values.saves),
    random: Math.random,
  });
  process.stdout.write(`${JSON.stringify({ node: process.version, ...report }, null, 2)}\n`);
  if (report.lost > 0 || report.unsound > 0 || report.failures.length > 0) process.exitCode = 1;
} finally {
  writer.remove();
  rmSync(folder, { recursive: true, force: true });
}
