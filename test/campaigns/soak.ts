/** npm run campaign:soak -- [--minutes 60] [--clients 64] [--sample 30] [--every 1] */
import { parseArgs } from 'node:util';
import { atLeast, none, printVerdict, shown } from './memory/verdict.ts';
import { runSoak } from './soak/soak-campaign.ts';
import { isFlat, renderTrend } from './soak/trend.ts';

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    clients: { type: 'string', default: '64' },
    /** Seconds between two looks at the server. */
    sample: { type: 'string', default: '30' },
    /** Seconds between two calls of one client. */
    every: { type: 'string', default: '1' },
  },
});
const { trends, ...report } = await runSoak({
  minutes: Number(values.minutes),
  clients: Number(values.clients),
  sampleEveryMs: Number(values.sample) * 1_000,
  callEveryMs: Number(values.every) * 1_000,
});
/** What an hour may add without being seen: 1 MB in ten minutes, a handle or a thread in an hour. */
const LEAST = { rssMb: 0.1, heapMb: 0.1, handles: 1 / 60, threads: 1 / 60 } as const;
const lines = (['rssMb', 'heapMb', 'handles', 'threads'] as const).map((of) => ({
  of,
  isFlat: isFlat(trends[of], LEAST[of]),
  text: `${of}: ${renderTrend(trends[of])}`,
}));
printVerdict(
  [
    shown('minutes', Number(values.minutes)),
    shown('clients', Number(values.clients)),
    atLeast('calls', report.calls, 1),
    atLeast('edits of the tree', report.edits, 1),
    none('calls that failed', report.failed.length),
    atLeast('acknowledged entries', report.acknowledged, 1),
    none('of them missing at the end', report.missing.length),
    none('there twice', report.doubled.length),
    shown('samples after the start', report.samples),
    ...lines.map(({ of, isFlat: ok }) => none(`${of} grows by more than noise`, ok ? 0 : 1)),
  ],
  [...lines.map(({ text }) => text), ...[...new Set(report.failed)].slice(0, 10)],
);
