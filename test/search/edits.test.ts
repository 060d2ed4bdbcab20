/** Some seconds of edits; `npm run campaign:edits` has ten minutes. */
import { expect, test } from 'vitest';
import { runEdits } from '../campaigns/edits/edits-campaign.ts';
import { BIN } from '../support/waymark.ts';

test('whatever is shown was on disk between question and answer, and every last version is found', async () => {
  const report = await runEdits({ bin: BIN, seconds: 6, files: 40, seed: 2_026 });

  expect(report.findings).toEqual([]);
  expect(report.lost).toEqual([]);
  expect(report.edits).toBeGreaterThan(10);
  expect(report.shownLines).toBeGreaterThan(10);
}, 120_000);
