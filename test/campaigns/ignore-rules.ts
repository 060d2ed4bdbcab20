/** node scripts/run-ts.mjs test/campaigns/ignore-rules.ts --trees 2000 --seed 1 */
import { parseArgs } from 'node:util';
import { compareWithGit } from '../listing/ignore-campaign.ts';

const { values } = parseArgs({
  options: { trees: { type: 'string', default: '2000' }, seed: { type: 'string', default: '1' } },
});
const { mismatches, ...counts } = await compareWithGit(Number(values.seed), Number(values.trees));
for (const mismatch of mismatches.slice(0, 20)) process.stdout.write(`${JSON.stringify(mismatch)}\n`);
process.stdout.write(
  `${JSON.stringify({ node: process.version, ...counts, mismatches: mismatches.length })}\n`,
);
process.exitCode = mismatches.length === 0 ? 0 : 1;
