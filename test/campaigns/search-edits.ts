/** npm run campaign:edits -- 10 (minutes) --files 300 --seed 7 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runEdits } from './edits/edits-campaign.ts';
import { atLeast, atMost, none, printVerdict, shown } from './memory/verdict.ts';

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
printVerdict(
  [
    shown('minutes', minutes),
    atLeast('edits', report.edits, 1),
    atLeast('queries', report.queries, 1),
    atLeast('lines shown', report.shownLines, 1),
    none('lines that were not on disk, failed answers', report.findings.length),
    none('files whose last version is not found', report.lost.length),
    shown('slowest answer, ms', report.slowestMs),
    shown('most RSS, MB', report.rssMb),
    atMost('RSS growth of the low marks, MB', report.rssGrowthMb, 30),
  ],
  [...report.findings, ...report.lost],
);
