/** npm run campaign:postgres -- --kills 500 --cuts 500 --stops 50 --fenced 200 --instances 4 */
import { parseArgs } from 'node:util';
import { bundleEntry } from '../support/bundle-entry.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { runPostgresCampaign } from './postgres/campaign.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '500' },
    cuts: { type: 'string', default: '500' },
    stops: { type: 'string', default: '50' },
    fenced: { type: 'string', default: '200' },
    instances: { type: 'string', default: '4' },
  },
});
const [kills = 0, cuts = 0, stops = 0, fenced = 0, instances = 0] = [
  values.kills,
  values.cuts,
  values.stops,
  values.fenced,
  values.instances,
].map(Number);
const server = await startPostgres();
const bundle = await bundleEntry('test/campaigns/postgres/instance-program.ts');
try {
  const outcome = await runPostgresCampaign({
    server,
    program: bundle.absPath,
    instances,
    kills,
    cuts,
    stops,
    fenced,
  });
  const sorted = outcome.takeOverMs.toSorted((a, b) => a - b);
  const p95 = Math.round(sorted[Math.ceil(0.95 * sorted.length) - 1] ?? 0);
  const rows: readonly (readonly [what: string, measured: number, limit: string, isMet: boolean])[] = [
    ['saves that were acknowledged', outcome.acknowledged, '', true],
    ['of these lost', outcome.lost, '= 0', outcome.lost === 0],
    ['of these doubled', outcome.doubled, '= 0', outcome.doubled === 0],
    ['commits of an index', outcome.commits, '', true],
    ['looks that saw half a commit', outcome.torn, '= 0', outcome.torn === 0],
    ['looks', outcome.looks, '', true],
    ['leaders killed or cut off', sorted.length, '', true],
    ['one leads again, p95 (ms)', p95, '≤ 1000', p95 <= 1_000],
    ['at most (ms)', Math.round(sorted.at(-1) ?? 0), '', true],
    ['writers whose lock was cut', fenced, '', true],
    ['of these committed', outcome.unfenced, '= 0', outcome.unfenced === 0],
  ];
  for (const [what, measured, limit, isMet] of rows)
    process.stdout.write(
      `${isMet ? '    ' : 'FAIL'} ${what.padEnd(32)} ${String(measured).padStart(8)} ${limit}\n`,
    );
  process.exitCode = rows.every(([, , , isMet]) => isMet) ? 0 : 1;
} finally {
  bundle.remove();
  await server.remove();
}
