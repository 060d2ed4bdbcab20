/**
 * npm run campaign:rolling -- --rounds 5 --instances 2 --clients 20 --beside 3000 --before MAIN.js
 *
 * Without `--before`, the `dist/main.js` of an installed release, this build is the release before, and the same with a schema ahead the next.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../support/postgres-server.ts';
import { buildNextRelease } from './rolling/next-release.ts';
import { runRolling } from './rolling/rolling-campaign.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    instances: { type: 'string', default: '2' },
    clients: { type: 'string', default: '20' },
    beside: { type: 'string', default: '3000' },
    before: { type: 'string', default: resolve('dist/main.js') },
  },
});
const server = await startPostgres();
const next = await buildNextRelease();
try {
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    const outcome = await runRolling({
      server,
      before: resolve(values.before),
      after: next.absPath,
      instances: Number(values.instances),
      clients: Number(values.clients),
      besideMs: Number(values.beside),
    });
    const isRefused = /older Waymark is still connected/.test(outcome.refused);
    const isDone = /done: \d+ without the table/.test(outcome.contracted);
    const isTurnedAway = /made for a newer Waymark/.test(outcome.turnedAway);
    const rows: readonly (readonly [what: string, measured: unknown, isMet: boolean])[] = [
      ['servers replaced', outcome.replaced, outcome.replaced > 0],
      ['calls', outcome.calls, outcome.calls > 0],
      ['of these failed', outcome.failures.length, outcome.failures.length === 0],
      ['the slowest (ms)', Math.round(outcome.slowestMs), true],
      ['saves that were acknowledged', outcome.saved, outcome.saved > 0],
      ['of these lost', outcome.lost, outcome.lost === 0],
      ['of these doubled', outcome.doubled, outcome.doubled === 0],
      ['servers that did not end in order', outcome.ends.length, outcome.ends.length === 0],
      ['destructive step beside old ones', isRefused ? 'refused' : outcome.refused, isRefused],
      ['the same once none is left', isDone ? 'done' : outcome.contracted, isDone],
      ['an old one after it', isTurnedAway ? 'refused' : outcome.turnedAway, isTurnedAway],
    ];
    process.stdout.write(`round ${round}\n`);
    for (const [what, measured, isMet] of rows)
      process.stdout.write(`${isMet ? '    ' : 'FAIL'} ${what.padEnd(34)} ${String(measured)}\n`);
    for (const said of [...outcome.failures.slice(0, 3), ...outcome.ends.slice(0, 3)])
      process.stdout.write(`${said}\n`);
    if (rows.some(([, , isMet]) => !isMet)) process.exitCode = 1;
  }
} finally {
  next.remove();
  await server.remove();
}
