/** node scripts/run-ts.mjs test/campaigns/index-kills.ts --kills 200 [--files 600] [--seed 1] */
import { parseArgs } from 'node:util';
import { bundleEntry } from '../support/bundle-entry.ts';
import { runIndexKills } from './kills/index-kill-campaign.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    files: { type: 'string', default: '600' },
    seed: { type: 'string', default: '1' },
  },
});
const inspector = await bundleEntry('test/campaigns/kills/index-inspector.ts');
try {
  const { findings, ...counts } = await runIndexKills({
    inspector: inspector.absPath,
    kills: Number(values.kills),
    files: Number(values.files),
    seed: Number(values.seed),
  });
  for (const finding of findings) process.stdout.write(`${finding}\n`);
  process.stdout.write(
    `${JSON.stringify({ node: process.version, seed: values.seed, ...counts, findings: findings.length })}\n`,
  );
  process.exitCode = findings.length === 0 ? 0 : 1;
} finally {
  inspector.remove();
}
