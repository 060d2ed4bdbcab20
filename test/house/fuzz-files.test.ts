/** A short version of `npm run fuzz:files`, of every kind. */
import { expect, test } from 'vitest';
import { runFuzz } from '../campaigns/fuzz/fuzz-campaign.ts';
import { KINDS } from '../campaigns/fuzz/kinds.ts';
import { tempFolder } from '../support/temp-folder.ts';

const CASES: Readonly<Record<string, number>> = { backups: 40, imports: 20 };

test.each(KINDS.map(({ name }) => name))(
  'damaged and forged input, %s: no crash, no hang, no growth, no wrong answer',
  async (kind) => {
    const cases = CASES[kind] ?? 100;
    const report = await runFuzz({ kind, seed: 20, cases, folder: tempFolder().path });

    expect(report.findings).toEqual([]);
    expect(report.cases).toBe(cases);
    expect(report.linesRun).toBeGreaterThanOrEqual(0.2 * report.lines);
  },
  60_000,
);
