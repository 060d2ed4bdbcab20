/** npm run crash:memory -- [--kills 1000] [--processes 8] [--saves 1000] */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleEntry } from '../support/bundle-entry.ts';
import { runMemoryKills, runMemoryRace } from './memory/crash-campaign.ts';
import { atLeast, atMost, none, printVerdict, shown } from './memory/verdict.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    processes: { type: 'string', default: '8' },
    saves: { type: 'string', default: '1000' },
    /** Another disk than that of temporary files. */
    folder: { type: 'string', default: tmpdir() },
  },
});
const folder = mkdtempSync(join(values.folder, 'waymark-memory-'));
const writer = await bundleEntry('test/campaigns/memory/writer.ts');
const program = writer.absPath;

try {
  const killed = join(folder, 'killed');
  const raced = join(folder, 'raced');
  for (const path of [killed, raced]) mkdirSync(path);
  const kills = await runMemoryKills({ program, dataDir: killed, kills: Number(values.kills) });
  const race = await runMemoryRace({
    program,
    dataDir: raced,
    processes: Number(values.processes),
    saves: Number(values.saves),
  });
  printVerdict(
    [
      atLeast('kills', kills.kills, Number(values.kills)),
      atLeast('acknowledged entries', kills.acknowledged, 1),
      none('of them missing after the kills', kills.missing),
      none('there twice after the kills', kills.doubled),
      none('memories not sound after the kills', kills.sound ? 0 : 1),
      atLeast(
        `entries by ${values.processes} processes`,
        race.acknowledged,
        Number(values.processes) * Number(values.saves),
      ),
      none('of them missing', race.missing),
      none('of them twice', race.doubled),
      none('errors, of locks or others', race.complaints.length),
      shown('fsync of a page, p50 ms (baseline)', race.fsyncMs),
      atMost('a save alone, p50 ms', race.aloneP50Ms, 2 * race.fsyncMs + 3, '2 × fsync + 3'),
      shown('a save among all, p50 ms', race.raceP50Ms),
      atMost(
        'a save among all, p99 ms',
        race.raceP99Ms,
        Math.max(250, 40 * race.fsyncMs),
        'the larger of 250 and 40 × fsync',
      ),
    ],
    race.complaints,
  );
} finally {
  writer.remove();
  rmSync(folder, { recursive: true, force: true });
}
