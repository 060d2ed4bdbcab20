/** node scripts/run-ts.mjs test/campaigns/storage-contention.ts --transactions 2000 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleEntry } from '../support/bundle-entry.ts';
import { runContention } from './storage-contention-campaign.ts';

const { values } = parseArgs({ options: { transactions: { type: 'string', default: '2000' } } });
const folder = mkdtempSync(join(tmpdir(), 'waymark-contention-'));
const writer = await bundleEntry('test/campaigns/storage-writer.ts');
try {
  const absPath = join(folder, 'notes.db');
  const transactions = Number(values.transactions);
  const report = await runContention({ program: writer.absPath, absPath, transactions });
  process.stdout.write(`${JSON.stringify({ node: process.version, ...report })}\n`);
  const lost = report.counted !== report.expected || report.rows !== report.expected;
  if (lost || !report.sound || report.complaints.length > 0) process.exitCode = 1;
} finally {
  writer.remove();
  rmSync(folder, { recursive: true, force: true });
}
