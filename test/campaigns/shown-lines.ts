/** npm run campaign:lines -- --repos DIR [--hits 2000] [--seed 1]: every shown line is the file's line of that number, but for secrets. */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkLines, type LinesReport } from './lines/lines-campaign.ts';
import { atLeast, none, printVerdict, shown } from './memory/verdict.ts';

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
const reports: LinesReport[] = [];
for (const { name } of repositories) {
  const report = await checkLines({
    bin: resolve('dist/main.js'),
    root: join(folder, name),
    hits: each,
    seed: Number(values.seed),
  });
  reports.push({ ...report, findings: report.findings.map((finding) => `${name}: ${finding}`) });
}
const sum = (of: 'hits' | 'lines' | 'redacted' | 'escaped' | 'cut'): number =>
  reports.reduce((total, report) => total + report[of], 0);
const findings = reports.flatMap((report) => report.findings);
printVerdict(
  [
    atLeast('hits', sum('hits'), Number(values.hits)),
    shown('lines', sum('lines')),
    shown('with a secret taken out', sum('redacted')),
    shown('with signs made harmless', sum('escaped')),
    shown('cut', sum('cut')),
    none("lines that are not the file's", findings.length),
  ],
  findings,
);
