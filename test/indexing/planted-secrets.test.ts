/** `npm run campaign:secrets` plants more. */
import { expect, test } from 'vitest';
import { runPlaces } from '../campaigns/secrets/place-campaign.ts';
import { runSecrets } from '../campaigns/secrets/secret-campaign.ts';

test('none of more than 200 planted secrets of 60 kinds reaches any file or output of ours, in any form', async () => {
  const report = await runSecrets({ perTemplate: 1, seed: 1 });

  expect(report.findings).toEqual([]);
  expect(report.planted).toBeGreaterThanOrEqual(200);
  expect(report.kinds).toBeGreaterThanOrEqual(60);
  expect(report.filesIndexed).toBeGreaterThan(40);
});

test('in every place where a string can enter a store, plain, in JSON and with line numbers, secrets are taken out (R182)', async () => {
  const report = await runPlaces({ every: 40 });

  expect(report.recall).toBeGreaterThanOrEqual(0.98);
  expect(report.places).toBeGreaterThanOrEqual(28);
  expect(report.planted).toBeGreaterThanOrEqual(400);
}, 120_000);
