/** node scripts/run-ts.mjs test/campaigns/http-fuzz.ts --requests 100000 --seed 1; with --only INDEX one request again. */
import { parseArgs } from 'node:util';
import { bundleEntry } from '../support/bundle-entry.ts';
import { runFuzz, type Finding, type FuzzReport } from './http/fuzz-campaign.ts';
import { isKept, renderLimits, type Limit } from './http/limits.ts';
import { serveBinary, serveProgram } from './http/served-process.ts';

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string' },
    only: { type: 'string' },
  },
});
const seed = values.seed === undefined ? Math.floor(Math.random() * 1e9) : Number(values.seed);
const only = values.only === undefined ? undefined : Number(values.only);
const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** Six milliseconds a request, on a loaded machine, and time to start. */
function mostSeconds(requests: number): number {
  return 60 + requests * 0.006;
}

function printFindings(findings: readonly Finding[]): void {
  for (const { index, what, mutant, answers } of findings) {
    print(`\n${what}\n  a ${mutant.label}, seed ${seed}, index ${index}`);
    print(`  again: npm run fuzz:http -- --seed ${seed} --only ${index}`);
    if (only === undefined) continue;
    print(Buffer.concat(mutant.segments).toString('latin1').slice(0, 3000));
    for (const answer of answers) print(`→ ${answer.status} ${answer.body.slice(0, 500)}`);
  }
}

async function fuzzBinary(): Promise<{ readonly report: FuzzReport; readonly crash: string | undefined }> {
  const server = await serveBinary();
  try {
    const report = await runFuzz(
      only === undefined
        ? { server, seed, requests: Number(values.requests) }
        : { server, seed, requests: 1, from: only },
    );
    return { report, crash: server.exit() === undefined ? undefined : server.complaints() };
  } finally {
    await server.stop();
  }
}

async function fuzzWithCrashes(requests: number, crashes: number): Promise<FuzzReport> {
  const program = await bundleEntry('test/campaigns/http/campaign-server.ts');
  const server = await serveProgram(program.absPath);
  try {
    // Beyond the indexes of the first part: other requests than those.
    return await runFuzz({ server, seed, requests, from: 10_000_000, crashes });
  } finally {
    await server.stop();
    program.remove();
  }
}

print(`node ${process.version}, seed ${seed}`);
const { report, crash } = await fuzzBinary();
printFindings(report.findings);
if (crash !== undefined) print(`the server died:\n${crash}`);
const limits: Limit[] = [
  { what: 'requests', measured: report.requests, atLeast: only === undefined ? Number(values.requests) : 1 },
  { what: 'crashes', measured: crash === undefined ? 0 : 1, atMost: 0 },
  { what: 'wrong answers (5xx, hang, no answer, no JSON-RPC)', measured: report.findings.length, atMost: 0 },
  { what: 'slowest', measured: report.slowestMs, unit: 'ms', atMost: 5000 },
  { what: 'RSS growth, raw', measured: report.rawGrowthMb, unit: 'MB', atMost: 50 },
  { what: 'RSS growth, collected', measured: report.rssGrowthMb, unit: 'MB', atMost: 50 },
];
if (only === undefined) {
  const crashes = 200;
  const planted = await fuzzWithCrashes(Math.ceil(Number(values.requests) / 20), crashes);
  printFindings(planted.findings);
  limits.push(
    { what: 'planted crashes that answer 500', measured: planted.crashesSeen, atLeast: crashes },
    { what: 'wrong answers beside them', measured: planted.findings.length, atMost: 0 },
    { what: 'time', measured: report.seconds, unit: 's', atMost: mostSeconds(Number(values.requests)) },
  );
}
print(`\n${renderLimits(limits)}\n`);
print(`RSS growth is over ${report.requests} requests, after ${report.warmUp} others to warm up.`);
print(
  `statuses: ${[...report.statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status} × ${count}`)
    .join(', ')}`,
);
if (!limits.every(isKept)) process.exitCode = 1;
