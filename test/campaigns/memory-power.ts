/** npm run crash:power -- [--points 200] [--saves 300]; needs strace, which records what reaches the disk. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleEntry } from '../support/bundle-entry.ts';
import { hasStrace, runPowerLoss } from './memory/power-campaign.ts';
import { atLeast, none, printVerdict, shown } from './memory/verdict.ts';

const { values } = parseArgs({
  options: { points: { type: 'string', default: '200' }, saves: { type: 'string', default: '300' } },
});
if (!hasStrace()) throw new Error('This campaign needs strace: install it and run the command again.');
const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'waymark-power-'));
const writer = await bundleEntry('test/campaigns/memory/writer.ts');
try {
  const report = await runPowerLoss({
    program: writer.absPath,
    folder,
    points: Number(values.points),
    saves: Number(values.saves),
    random: Math.random,
  });
  printVerdict(
    [
      atLeast('points the power was cut at', report.points, Number(values.points)),
      shown('saves', report.saves),
      shown('waits for the disk', report.syncs),
      none('acknowledged entries that were lost', report.lost),
      none('memories not sound afterwards', report.unsound),
      none('memories that could not be opened', report.failures.length),
    ],
    report.failures,
  );
} finally {
  writer.remove();
  rmSync(folder, { recursive: true, force: true });
}
