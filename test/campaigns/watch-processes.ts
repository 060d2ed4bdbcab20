/** npm run campaign:watch -- --processes 10 --files 5000 --rounds 20 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleEntry } from '../support/bundle-entry.ts';
import { canLimitWatches } from './watch/follower-process.ts';
import { runExhausted, runWatchCampaign } from './watch/watch-campaign.ts';

const { values } = parseArgs({
  options: {
    processes: { type: 'string', default: '10' },
    files: { type: 'string', default: '5000' },
    rounds: { type: 'string', default: '20' },
  },
});
const [processes, files, rounds] = [values.processes, values.files, values.rounds].map(Number);
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'waymark-watch-')));
const bundle = await bundleEntry('test/campaigns/watch/follower-program.ts');
const rows: (readonly [what: string, measured: number, limit: string, isMet: boolean])[] = [];

function percentile(list: readonly number[], share: number): number {
  return Math.round(list.toSorted((a, b) => a - b)[Math.ceil(share * list.length) - 1] ?? Number.NaN);
}

try {
  for (const name of ['many', 'exhausted']) mkdirSync(join(folder, name));
  const program = bundle.absPath;
  const many = await runWatchCampaign({
    program,
    folder: join(folder, 'many'),
    processes: processes ?? 10,
    files: files ?? 5000,
    rounds: rounds ?? 20,
  });
  const slowest = Math.max(...many.seenMs);
  rows.push(
    ['processes', processes ?? 10, '', true],
    ['most leaders at once', Math.max(...many.leaders), '= 1', many.leaders.every((count) => count === 1)],
    ['processes that indexed changes', many.indexers, '= 1', many.indexers === 1],
    ['errors and warnings', many.complaints.length, '= 0', many.complaints.length === 0],
    ['a change is seen, p50 (ms)', percentile(many.seenMs, 0.5), '', true],
    ['a change is seen, p95 (ms)', percentile(many.seenMs, 0.95), '', true],
    ['a change is seen by the last (ms)', Math.round(slowest), '≤ 2000', slowest <= 2000],
    ['after the leader was killed (ms)', Math.round(many.takeOverMs), '≤ 2000', many.takeOverMs <= 2000],
  );
  for (const complaint of many.complaints) process.stderr.write(`${complaint}\n`);
  if (canLimitWatches()) {
    const options = { program, folder: join(folder, 'exhausted'), files: files ?? 5000, watches: 10 };
    const { by, warnings, seenMs } = await runExhausted({ ...options, rounds: 3 });
    const latest = Math.max(...seenMs);
    rows.push(
      ['10 watches left: looks instead', by === 'looking' ? 1 : 0, '= 1', by === 'looking'],
      ['10 watches left: warnings', warnings, '= 1', warnings === 1],
      ['10 watches left: a change is seen (ms)', Math.round(latest), '≤ 30000', latest <= 30_000],
    );
  } else process.stdout.write('No user namespaces here: watches are taken away in npm test only.\n\n');
} finally {
  bundle.remove();
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`| what | measured | limit | |\n| --- | --- | --- | --- |\n`);
for (const [what, measured, limit, isMet] of rows)
  process.stdout.write(`| ${what} | ${measured} | ${limit} | ${isMet ? 'ok' : 'MISSED'} |\n`);
if (rows.some(([, , , isMet]) => !isMet)) process.exitCode = 1;
