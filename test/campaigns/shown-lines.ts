/** npm run campaign:lines -- --repos DIR [--hits 2000] [--seed 1]: every shown line is the file's line of that number, but for secrets. */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkLines } from './lines/lines-campaign.ts';

const { values } = parseArgs({
  options: {
    repos: { type: 'string' },
    hits: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
  },
});
if (values.repos === undefined) {
  process.stderr.write(
    'error: --repos is needed\nhint: npm run campaign:lines -- --repos DIR [--hits 2000]\n',
  );
  process.exit(2);
}
const folder = resolve(values.repos);
const repositories = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const each = Math.ceil(Number(values.hits) / Math.max(1, repositories.length));
const total = { hits: 0, lines: 0, redacted: 0, escaped: 0, cut: 0, findings: 0 };
for (const { name } of repositories) {
  const report = await checkLines({
    bin: resolve('dist/main.js'),
    root: join(folder, name),
    hits: each,
    seed: Number(values.seed),
  });
  for (const finding of report.findings) process.stderr.write(`${name}: ${finding}\n`);
  total.hits += report.hits;
  total.lines += report.lines;
  total.redacted += report.redacted;
  total.escaped += report.escaped;
  total.cut += report.cut;
  total.findings += report.findings.length;
}
process.stdout.write(`${JSON.stringify({ repositories: repositories.length, ...total })}\n`);
process.exitCode = total.findings === 0 && total.hits >= Number(values.hits) ? 0 : 1;
