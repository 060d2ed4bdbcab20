/** npm run crash:memory -- [--kills 1000] [--processes 8] [--saves 1000] */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleEntry } from '../support/bundle-entry.ts';
import { runMemoryKills, runMemoryRace } from './memory/crash-campaign.ts';

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
const rows: (readonly [what: string, measured: number, limit: string, ok: boolean])[] = [];

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
  const aloneLimit = 2 * race.fsyncMs + 3;
  const raceLimit = Math.max(250, 40 * race.fsyncMs);
  rows.push(
    ['kills', kills.kills, `≥ ${values.kills}`, kills.kills >= Number(values.kills)],
    ['acknowledged entries', kills.acknowledged, '≥ 1', kills.acknowledged > 0],
    ['of them missing', kills.missing, '0', kills.missing === 0],
    ['entries that are there twice', kills.doubled, '0', kills.doubled === 0],
    ['sound afterwards', Number(kills.sound), '1', kills.sound],
    [`entries by ${values.processes} processes`, race.acknowledged, '≥ 1', true],
    ['of them missing', race.missing, '0', race.missing === 0],
    ['twice', race.doubled, '0', race.doubled === 0],
    ['errors, of locks or others', race.complaints.length, '0', race.complaints.length === 0],
    ['fsync of a page, p50 ms (baseline)', race.fsyncMs, '', true],
    [
      'a save alone, p50 ms',
      race.aloneP50Ms,
      `≤ ${aloneLimit.toFixed(1)} (2 × fsync + 3)`,
      race.aloneP50Ms <= aloneLimit,
    ],
    ['a save among all, p50 ms', race.raceP50Ms, '', true],
    [
      'a save among all, p99 ms',
      race.raceP99Ms,
      `≤ ${raceLimit.toFixed(0)} (40 × fsync)`,
      race.raceP99Ms <= raceLimit,
    ],
  );
  process.stdout.write(`Node ${process.version}\n| what | measured | limit | |\n|---|---|---|---|\n`);
  for (const [what, measured, limit, ok] of rows)
    process.stdout.write(
      `| ${what} | ${Math.round(measured * 100) / 100} | ${limit} | ${ok ? 'ok' : 'FAILED'} |\n`,
    );
  for (const complaint of race.complaints) process.stdout.write(`${complaint}\n`);
  if (rows.some(([, , , ok]) => !ok)) process.exitCode = 1;
} finally {
  writer.remove();
  rmSync(folder, { recursive: true, force: true });
}
