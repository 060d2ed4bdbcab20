/** A short version of `npm run campaign:backups`. */
import { expect, test } from 'vitest';
import { runBackups } from '../campaigns/backups/backup-campaign.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { BIN } from '../support/waymark.ts';

test('R181 damaged and forged backups and imports are refused or taken whole, and nothing that was there is lost', async () => {
  const report = await runBackups({ folder: tempFolder().path, program: BIN, cases: 60, seed: 1 });

  expect(report).toMatchObject({ cases: 60, lost: [], internal: [], believed: [] });
  expect(report.refused).toBeGreaterThan(30);
  expect(report.taken).toBeGreaterThan(2);
});
