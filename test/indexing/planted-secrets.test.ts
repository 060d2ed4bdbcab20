/** `npm run campaign:secrets` plants more. */
import { expect, test } from 'vitest';
import { runSecrets } from '../campaigns/secrets/secret-campaign.ts';

test('none of more than 200 planted secrets of 60 kinds reaches any file or output of ours, in any form', async () => {
  const report = await runSecrets({ perTemplate: 1, seed: 1 });

  expect(report.findings).toEqual([]);
  expect(report.planted).toBeGreaterThanOrEqual(200);
  expect(report.kinds).toBeGreaterThanOrEqual(60);
  expect(report.filesIndexed).toBeGreaterThan(40);
});
