/** node scripts/run-ts.mjs test/campaigns/storage-kills.ts --kills 50 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleEntry } from '../support/bundle-entry.ts';
import { runKills } from './storage-kill-campaign.ts';

const { values } = parseArgs({ options: { kills: { type: 'string', default: '50' } } });
const folder = mkdtempSync(join(tmpdir(), 'waymark-kills-'));
const writer = await bundleEntry('test/campaigns/storage-writer.ts');
try {
  const absPath = join(folder, 'notes.db');
  const report = await runKills({ program: writer.absPath, absPath, kills: Number(values.kills) });
  process.stdout.write(`${JSON.stringify({ node: process.version, ...report })}\n`);
  if (report.missing > 0 || report.unsound > 0 || report.unacknowledged > report.kills) process.exitCode = 1;
} finally {
  writer.remove();
  rmSync(folder, { recursive: true, force: true });
}
