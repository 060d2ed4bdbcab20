/** npm run campaign:edits -- 10 (minutes) --files 300 --seed 7 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runEdits } from './edits/edits-campaign.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { files: { type: 'string', default: '300' }, seed: { type: 'string', default: '7' } },
});
const minutes = Number(positionals[0] ?? 10);
const report = await runEdits({
  bin: resolve('dist/main.js'),
  seconds: minutes * 60,
  files: Number(values.files),
  seed: Number(values.seed),
});
const rows: readonly (readonly [what: string, measured: string, limit: string, isMet: boolean])[] = [
  ['minutes', String(minutes), '', true],
  ['edits', String(report.edits), '> 0', report.edits > 0],
  ['queries', String(report.queries), '> 0', report.queries > 0],
  ['lines shown', String(report.shownLines), '> 0', report.shownLines > 0],
  [
    'lines that were not on disk, failed answers',
    String(report.findings.length),
    '= 0',
    report.findings.length === 0,
  ],
  ['files whose last version is not found', String(report.lost.length), '= 0', report.lost.length === 0],
  ['slowest answer (ms)', report.slowestMs.toFixed(0), '', true],
  ['most RSS (MB)', report.rssMb.toFixed(0), '', true],
  ['RSS growth, low marks (MB)', report.rssGrowthMb.toFixed(1), '≤ 30', report.rssGrowthMb <= 30],
];
for (const [what, measured, limit, isMet] of rows)
  process.stdout.write(
    `${what.padEnd(46)} ${measured.padStart(9)}  ${limit.padEnd(6)} ${isMet ? 'ok' : 'FAILED'}\n`,
  );
for (const finding of [...report.findings, ...report.lost]) process.stderr.write(`${finding}\n`);
process.exitCode = rows.every(([, , , isMet]) => isMet) ? 0 : 1;
