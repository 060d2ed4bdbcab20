/** node scripts/run-ts.mjs test/campaigns/http-sessions.ts --sessions 10000 --streams 1000 --clients 64 --seconds 180 */
import { parseArgs } from 'node:util';
import { bundleEntry } from '../support/bundle-entry.ts';
import { runAbandoned } from './http/abandoned-campaign.ts';
import { runCanaries } from './http/canary-campaign.ts';
import { MOST_BLOCKED_MS, MOST_GROWTH_MB, runHostile } from './http/hostile-campaign.ts';
import { isKept, renderLimits, type Limit } from './http/limits.ts';
import { serveProgram, type ServedProcess } from './http/served-process.ts';
import { runStreams } from './http/streams-campaign.ts';

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '10000' },
    streams: { type: 'string', default: '1000' },
    clients: { type: 'string', default: '64' },
    seconds: { type: 'string', default: '180' },
    /** Leaves out everything but the hostile requests. */
    'hostile-only': { type: 'boolean', default: false },
  },
});
const IDLE_SECONDS = 30;
const ROUNDS = 3;
const program = await bundleEntry('test/campaigns/http/campaign-server.ts');
const limits: Limit[] = [];

async function against(
  settings: Readonly<Record<string, string>>,
  run: (server: ServedProcess) => Promise<readonly Limit[]>,
): Promise<void> {
  const server = await serveProgram(program.absPath, settings);
  try {
    limits.push(...(await run(server)));
  } finally {
    await server.stop();
  }
}

async function measureSessions(): Promise<void> {
  await against({ WAYMARK_SESSION_IDLE_SECONDS: String(IDLE_SECONDS) }, async (server) => {
    const report = await runAbandoned({
      server,
      idleMs: IDLE_SECONDS * 1000,
      sessions: Number(values.sessions),
    });
    return [
      {
        what: `heap growth with ${report.sessions} abandoned sessions`,
        measured: report.heapGrowthMb,
        unit: 'MB',
        atMost: 30,
      },
      {
        what: 'heap beyond the baseline after the idle time',
        measured: report.heapLeftMb,
        unit: 'MB',
        atMost: 3,
      },
      {
        what: 'status of an abandoned session',
        measured: report.statusAfterwards,
        atLeast: 404,
        atMost: 404,
      },
    ];
  });
  await against({}, async (server) => {
    const streams = Number(values.streams);
    const report = await runStreams({ server, streams });
    return [
      { what: 'streams open at once', measured: report.stillOpen, atLeast: streams },
      { what: 'of them answered a ping and a call', measured: report.answered, atLeast: streams },
    ];
  });
  await against({}, async (server) => {
    const report = await runCanaries({
      server,
      clients: Number(values.clients),
      ms: Number(values.seconds) * 1000,
    });
    if (report.firstError !== '') process.stdout.write(`first error: ${report.firstError}\n`);
    return [
      {
        what: `calls by ${values.clients} clients in ${values.seconds} s`,
        measured: report.calls,
        atLeast: 1,
      },
      { what: "answers with another client's canary", measured: report.foreign, atMost: 0 },
      { what: 'errors', measured: report.errors, atMost: 0 },
    ];
  });
}

try {
  if (!values['hostile-only']) await measureSessions();
  const start = (): Promise<ServedProcess> => serveProgram(program.absPath);
  const reports = await runHostile({ start, rounds: ROUNDS });
  for (const { kind, status, rssGrowthMb, blockedMs } of reports) {
    limits.push(
      { what: `${kind} (${status}): RSS`, measured: rssGrowthMb, unit: 'MB', atMost: MOST_GROWTH_MB },
      { what: `${kind}: loop blocked`, measured: blockedMs, unit: 'ms', atMost: MOST_BLOCKED_MS },
    );
  }
  const idle = Math.max(...reports.map(({ idleMs }) => idleMs));
  process.stdout.write(
    `an idle loop was held up for up to ${Math.round(idle)} ms by the rest of the machine\n`,
  );
} finally {
  program.remove();
}
process.stdout.write(`node ${process.version}\n\n${renderLimits(limits)}\n`);
if (!limits.every(isKept)) process.exitCode = 1;
