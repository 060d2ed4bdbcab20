/** Short versions of the campaigns; `npm run fuzz:http` and `npm run campaign:sessions` are the long ones. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runAbandoned } from '../campaigns/http/abandoned-campaign.ts';
import { runCanaries } from '../campaigns/http/canary-campaign.ts';
import { runFuzz } from '../campaigns/http/fuzz-campaign.ts';
import { MOST_GROWTH_MB, runHostile } from '../campaigns/http/hostile-campaign.ts';
import { serveBinary, serveProgram, type ServedProcess } from '../campaigns/http/served-process.ts';
import { runStreams } from '../campaigns/http/streams-campaign.ts';
import { bundleEntry, type BundledEntry } from '../support/bundle-entry.ts';

let program: BundledEntry | undefined;
beforeAll(async () => {
  program = await bundleEntry('test/campaigns/http/campaign-server.ts');
});
afterAll(() => program?.remove());

async function started(starting: Promise<ServedProcess>): Promise<ServedProcess> {
  const server = await starting;
  onTestFinished(() => server.stop());
  return server;
}

function campaignServer(settings: Readonly<Record<string, string>> = {}): Promise<ServedProcess> {
  return serveProgram(program?.absPath ?? '', settings);
}

describe('mutated requests', () => {
  test('600 of them bring the server neither to a crash nor to a 5xx, a hang or an answer that is none', async () => {
    const server = await started(serveBinary());

    const report = await runFuzz({ server, seed: 20_260_728, requests: 600 });

    expect(report.findings).toEqual([]);
    expect(server.exit()).toBeUndefined();
    expect(report.rssGrowthMb).toBeLessThan(50);
    expect(report.rawGrowthMb).toBeLessThan(50);
  });

  test('a planted crash among them answers 500 with a reference, in both eras (F25)', async () => {
    const server = await started(campaignServer());

    const report = await runFuzz({ server, seed: 7, requests: 60, crashes: 10 });

    expect(report.findings).toEqual([]);
    expect(report.crashesSeen).toBe(10);
  });
});

describe('sessions and streams', () => {
  test('abandoned sessions are gone after the idle time, and their memory with them (R069)', async () => {
    const server = await started(campaignServer({ WAYMARK_SESSION_IDLE_SECONDS: '1' }));

    const report = await runAbandoned({ server, idleMs: 1000, sessions: 200 });

    expect(report.statusAfterwards).toBe(404);
    expect(report.heapGrowthMb).toBeLessThan(30);
    expect(report.heapLeftMb).toBeLessThan(3);
  });

  test('a hundred streams are held at once and all of them work', async () => {
    const server = await started(campaignServer());

    expect(await runStreams({ server, streams: 100 })).toMatchObject({
      opened: 100,
      answered: 100,
      stillOpen: 100,
    });
  });

  test('no client of either era ever hears another, though their request ids are the same', async () => {
    const server = await started(campaignServer());

    const report = await runCanaries({ server, clients: 32, ms: 1500 });

    expect(report).toMatchObject({ foreign: 0, errors: 0, firstError: '' });
    // Each of them asks four questions at once, at least one time.
    expect(report.calls).toBeGreaterThanOrEqual(32 * 4);
  });
});

/**
 * The campaign gives each a server of its own. Here they share one, and each still takes little more than was there before it.
 * How long each holds up the loop is for the long campaign to say, on a machine that does nothing else.
 */
test('F22 one hostile request of 3.8 MB takes little memory and gets its answer', async () => {
  const expected = [
    ['list of 950,000 strings', 413],
    ['nested 1,900,000 deep', 413],
    ['one string of escapes', 200],
    ['9,900 arguments', 200],
    ['batch of 2,400', 413],
    ['long method name', 200],
    ['search_code: 9,000 globs', 200],
    ['search_code: 50 globs', 200],
    ['search_code: one long symbol', 200],
    ['checkpoint_save: names and values', 200],
  ] as const;

  const server = await started(campaignServer());

  const reports = await runHostile({
    start: async () => ({ ...server, stop: async () => {} }),
    kinds: expected.map(([kind]) => kind),
    rounds: 1,
  });

  expect(reports.map(({ kind, status }) => [kind, status])).toEqual(expected);
  for (const report of reports) expect(report.rssGrowthMb).toBeLessThan(MOST_GROWTH_MB);
});
