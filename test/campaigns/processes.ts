/** npm run campaign:processes -- [--minutes 60] [--processes 10] [--kill 20] [--seed 1] */
import { parseArgs } from 'node:util';
import { atLeast, none, printVerdict, shown } from './memory/verdict.ts';
import { runProcesses } from './soak/processes-campaign.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    processes: { type: 'string', default: '10' },
    /** Seconds between two kills. */
    kill: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
  },
});
const report = await runProcesses({
  minutes: Number(values.minutes),
  processes: Number(values.processes),
  callEveryMs: 1_000,
  killEveryMs: Number(values.kill) * 1_000,
  seed: Number(values.seed),
});
printVerdict(
  [
    shown('minutes', Number(values.minutes)),
    shown('processes', Number(values.processes)),
    atLeast('calls', report.calls, 1),
    atLeast('changes of the tree, up to 40 files each', report.changes, 1),
    atLeast('processes killed and started again', report.kills, 1),
    none('calls that failed in a process that was left alone', report.failed.length),
    atLeast('acknowledged entries', report.acknowledged, 1),
    none('of them missing at the end', report.missing.length),
    none('there twice', report.doubled.length),
    none('memory or index not sound, or not as a fresh one', report.unsound.length),
  ],
  [...report.unsound, ...[...new Set(report.failed)].slice(0, 10)],
);
