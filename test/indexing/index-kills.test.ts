/** A few kills; `npm run campaign:index-kills` has 200. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runIndexKills } from '../campaigns/kills/index-kill-campaign.ts';
import { bundleEntry, type BundledEntry } from '../support/bundle-entry.ts';

let inspector: BundledEntry | undefined;
beforeAll(async () => {
  inspector = await bundleEntry('test/campaigns/kills/index-inspector.ts');
});
afterAll(() => inspector?.remove());

test('killed while it indexes, the next run heals: sound, nothing claimed that is not there, the same as a fresh index', async () => {
  const report = await runIndexKills({
    inspector: inspector?.absPath ?? '',
    kills: 3,
    files: 250,
    seed: 20_261,
  });

  expect(report.findings).toEqual([]);
  expect(report).toMatchObject({ kills: 3 });
  expect(report.healed).toBeGreaterThan(0);
}, 180_000);
