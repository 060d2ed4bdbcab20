/**
 * node scripts/run-ts.mjs test/campaigns/planted-secrets.ts [--per-template 1] [--seed 1]
 * One of each template must not leak at all. Of many, some cannot be told from a name: they count.
 */
import { parseArgs } from 'node:util';
import { runSecrets } from './secrets/secret-campaign.ts';

const { values } = parseArgs({
  options: { 'per-template': { type: 'string', default: '1' }, seed: { type: 'string', default: '1' } },
});
const MOST_LEAKED_SHARE = 0.005;
const perTemplate = Number(values['per-template']);
const { findings, ...counts } = await runSecrets({
  perTemplate,
  seed: Number(values.seed),
});
for (const finding of findings) process.stdout.write(`${JSON.stringify(finding)}\n`);
process.stdout.write(`${JSON.stringify({ node: process.version, ...counts, findings: findings.length })}\n`);
const allowed = perTemplate === 1 ? 0 : counts.planted * MOST_LEAKED_SHARE;
process.exitCode = counts.leaked <= allowed ? 0 : 1;
