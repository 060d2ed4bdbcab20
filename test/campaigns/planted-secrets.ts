/**
 * node scripts/run-ts.mjs test/campaigns/planted-secrets.ts [--per-template 1] [--seed 1] [--every 1]
 * First in the files of a project: one of each template must not leak at all. Of many, some cannot be told from a name: they
 * count. Then in every place where a string can enter a store, in three forms; `--every 10` takes a tenth of the vectors.
 */
import { parseArgs } from 'node:util';
import { runPlaces } from './secrets/place-campaign.ts';
import { runSecrets } from './secrets/secret-campaign.ts';

const { values } = parseArgs({
  options: {
    'per-template': { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    every: { type: 'string', default: '1' },
  },
});
const MOST_LEAKED_SHARE = 0.005;
const LEAST_RECALL = 0.98;
const perTemplate = Number(values['per-template']);
const { findings, ...counts } = await runSecrets({
  perTemplate,
  seed: Number(values.seed),
});
for (const finding of findings) process.stdout.write(`${JSON.stringify(finding)}\n`);
process.stdout.write(`${JSON.stringify({ node: process.version, ...counts, findings: findings.length })}\n`);
const allowed = perTemplate === 1 ? 0 : counts.planted * MOST_LEAKED_SHARE;

const { rows, recall, ...sizes } = await runPlaces({
  every: Number(values.every),
  seed: Number(values.seed),
});
process.stdout.write('| place | planted | found in the clear | recall |\n|---|---|---|---|\n');
for (const { place, planted, leaked } of rows) {
  const share = planted === 0 ? 1 : 1 - leaked.length / planted;
  process.stdout.write(`| ${place} | ${planted} | ${leaked.length} | ${(100 * share).toFixed(1)} % |\n`);
}
for (const words of rows.flatMap(({ leaked }) => leaked)) process.stdout.write(`${JSON.stringify(words)}\n`);
const isMet = recall >= LEAST_RECALL;
process.stdout.write(`${JSON.stringify(sizes)}\n`);
process.stdout.write(
  `recall ${(100 * recall).toFixed(2)} %, at least ${100 * LEAST_RECALL} %: ${isMet ? 'met' : 'missed'}\n`,
);
process.exitCode = counts.leaked <= allowed && isMet ? 0 : 1;
