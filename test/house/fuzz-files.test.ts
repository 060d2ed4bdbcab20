/** A short version of `npm run fuzz:files`, of every kind. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleFuzzChild, runFuzz } from '../campaigns/fuzz/fuzz-campaign.ts';
import { KINDS } from '../campaigns/fuzz/kinds.ts';
import { tempFolder } from '../support/temp-folder.ts';

let child: Awaited<ReturnType<typeof bundleFuzzChild>> | undefined;
beforeAll(async () => {
  child = await bundleFuzzChild();
});
afterAll(() => child?.remove());

const CASES: Readonly<Record<string, number>> = { backups: 35, imports: 20 };

test.each(KINDS.map(({ name }) => name))(
  'damaged and forged input, %s: no crash, no hang, no growth, no wrong answer',
  async (kind) => {
    const cases = CASES[kind] ?? 60;
    const program = child?.absPath ?? '';
    const report = await runFuzz({ kind, seed: 20, cases, folder: tempFolder().path, program });

    expect(report.findings).toEqual([]);
    expect(report.cases).toBe(cases);
    expect(report.linesRun).toBeGreaterThanOrEqual(0.2 * report.lines);
  },
  60_000,
);
