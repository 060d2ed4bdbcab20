/** node scripts/run-ts.mjs test/campaigns/storage-openings.ts --rounds 100 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleEntry } from '../support/bundle-entry.ts';
import { runOpenings } from './storage-opening-campaign.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '100' } } });
const folder = mkdtempSync(join(tmpdir(), 'waymark-openings-'));
const writer = await bundleEntry('test/campaigns/storage-writer.ts');
try {
  const report = await runOpenings({ program: writer.absPath, folder, rounds: Number(values.rounds) });
  process.stdout.write(`${JSON.stringify({ node: process.version, ...report })}\n`);
  if (report.complaints.length > 0 || report.lostNotes > 0 || report.wrongCopies > 0) process.exitCode = 1;
} finally {
  writer.remove();
  rmSync(folder, { recursive: true, force: true });
}
