/** node scripts/run-ts.mjs test/campaigns/hostile-repositories.ts [--family NAME] [--only FIXTURE] [--short] */
import { parseArgs } from 'node:util';
import { FAMILIES } from './hostile/families.ts';
import { runHostileRepositories } from './hostile/hostile-campaign.ts';

const { values } = parseArgs({
  options: {
    family: { type: 'string' },
    only: { type: 'string' },
    short: { type: 'boolean', default: false },
  },
});
const families = FAMILIES.filter(({ name }) => values.family === undefined || name === values.family).map(
  ({ name, fixtures }) => ({
    name,
    fixtures: fixtures.filter((fixture) => values.only === undefined || fixture.name === values.only),
  }),
);
if (families.every(({ fixtures }) => fixtures.length === 0)) throw new Error('no such fixture');
const report = await runHostileRepositories({
  families,
  isLong: !values.short,
  onReport(family, fixture, { findings, ms, indexed, skipped }) {
    const verdict = findings.length === 0 ? 'ok' : 'BAD';
    process.stdout.write(
      `${verdict}  ${family.name}: ${fixture.name}: ${indexed} indexed, ${skipped} left out, ${ms} ms\n`,
    );
    for (const finding of findings) process.stdout.write(`     ${JSON.stringify(finding)}\n`);
  },
});
const { findings, ...counts } = report;
process.stdout.write(`${JSON.stringify({ node: process.version, ...counts, findings: findings.length })}\n`);
process.exitCode = findings.length === 0 ? 0 : 1;
