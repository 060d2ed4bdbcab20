/**
 * What it costs to know that an index is fresh, beside a plain lstat of the same files in the same run; and how long a saved
 * file takes until it is committed while a server runs, beside a bare watch that reads the file.
 * npm run bench:fresh -- [rounds] [files ...]
 */
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { createAnalyzer, createFollowing, createIndexer, type Following } from '../src/indexing/index.ts';
import { systemClock } from '../src/platform/index.ts';
import { createIndexStores } from '../src/storage/index.ts';
import { silentLogger } from '../src/text/index.ts';
import { startFollower } from '../test/campaigns/watch/follower-process.ts';
import { letters, plantProject } from '../test/campaigns/watch/watch-campaign.ts';
import { bundleEntry } from '../test/support/bundle-entry.ts';

const [rounds = 25, ...given] = process.argv.slice(2).map(Number);
const sizes = given.length > 0 ? given : [1_000, 5_000, 20_000];
const SAVES = 40;
const CHECK_GOAL_MS = 20;
const SAVE_GOAL_MS = 150;
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'waymark-fresh-')));
let isMissed = false;

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? Number.NaN;
}

async function time(work: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

interface Opened {
  readonly following: Following;
  close(): Promise<void>;
}

async function open(root: string, cacheDir: string): Promise<Opened> {
  const indexes = createIndexStores({ cacheDir, clock: systemClock, logger: silentLogger });
  const store = await indexes.open(root);
  const tryLock = () => indexes.tryWriterLock(root);
  const analyzer = createAnalyzer(undefined);
  const common = { openStore: async () => store, tryLock, analyzer: () => analyzer };
  const indexer = createIndexer({ ...common, clock: systemClock, logger: silentLogger });
  const following = createFollowing({
    ...common,
    tryFollow: () => indexes.tryFollowerLock(root),
    scopeOf: () => ({}),
    run: (_root, options) => indexer.run(root, options),
    mayFollow: () => true,
    clock: systemClock,
    logger: silentLogger,
  });
  return {
    following,
    async close() {
      await following.close();
      await store.close();
    },
  };
}

async function untilFresh({ following }: Opened, root: string): Promise<void> {
  while ((await following.catchUp(root, 60_000)).kind !== 'fresh');
}

async function measureChecks(files: number): Promise<void> {
  const root = plantProject(join(folder, `p${files}`), files);
  const paths = Array.from({ length: files }, (_, n) =>
    join(root, 'src', `m${Math.floor(n / 20)}`, `f${n}.ts`),
  );
  const cacheDir = join(folder, `c${files}`);
  const looking = await open(root, cacheDir);
  await untilFresh(looking, root);
  const took: Record<'lstat' | 'look' | 'watched', number[]> = { lstat: [], look: [], watched: [] };
  for (let round = 0; round < rounds; round++) {
    took.lstat.push(await time(() => paths.forEach((path) => lstatSync(path, { throwIfNoEntry: false }))));
    took.look.push(await time(() => looking.following.check(root)));
  }
  looking.following.follow(root);
  // The watch begins in turns of the event loop, which being fresh does not wait for.
  while (looking.following.status(root)?.by !== 'events') await setImmediate();
  await untilFresh(looking, root);
  for (let round = 0; round < rounds; round++)
    took.watched.push(await time(() => looking.following.check(root)));
  await looking.close();
  const base = percentile(took.lstat, 0.5);
  for (const [label, list] of [
    ['plain lstat of the files', took.lstat],
    ['check by looking', took.look],
    ['check with a watch', took.watched],
  ] as const) {
    const p50 = percentile(list, 0.5);
    row([files, label, p50.toFixed(2), percentile(list, 0.95).toFixed(2), (p50 / base).toFixed(2)]);
    if (files === 5_000 && list !== took.lstat && p50 > CHECK_GOAL_MS) isMissed = true;
  }
}

/** A watch on one folder that reads what it is told of: nothing that follows files can be quicker. */
async function bareWatch(): Promise<readonly number[]> {
  const place = join(folder, 'bare');
  mkdirSync(place);
  const absPath = join(place, 'f.ts');
  const took: number[] = [];
  for (let save = 0; save < SAVES; save++) {
    await new Promise<void>((resolve) => {
      const startedAt = performance.now();
      const watcher = watch(place, () => {
        if (!readFileSync(absPath, 'utf8').includes(letters(save))) return;
        took.push(performance.now() - startedAt);
        watcher.close();
        resolve();
      });
      writeFileSync(absPath, `export function ${letters(save)}() {}\n`);
    });
  }
  return took;
}

async function measureSaves(files: number): Promise<void> {
  const root = plantProject(join(folder, 'served'), files);
  const home = join(folder, 'home');
  mkdirSync(home);
  const bundle = await bundleEntry('test/campaigns/watch/follower-program.ts');
  const server = startFollower({ program: bundle.absPath, root, home });
  try {
    await server.fresh();
    const took: number[] = [];
    for (let save = 0; save < SAVES; save++) {
      const word = `save${letters(save)}`;
      const path = `src/m${save}/f${save * 20}.ts`;
      const found = server.find(path, word);
      await server.status();
      const savedAt = performance.timeOrigin + performance.now();
      writeFileSync(join(root, path), `export function ${word}() {}\n`);
      took.push((await found) - savedAt);
    }
    server.end();
    await server.ended;
    const bare = await bareWatch();
    const base = percentile(bare, 0.5);
    for (const [label, list] of [
      ['bare watch of one folder, file read', bare],
      ['saved to findable, server running', took],
    ] as const) {
      const p50 = percentile(list, 0.5);
      row([files, label, p50.toFixed(2), percentile(list, 0.95).toFixed(2), (p50 / base).toFixed(2)]);
    }
    if (percentile(took, 0.5) > SAVE_GOAL_MS) isMissed = true;
  } finally {
    server.kill();
    bundle.remove();
  }
}

function row(cells: readonly (string | number)[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

try {
  row(['files', 'what', 'p50 ms', 'p95 ms', 'ratio']);
  row(['---', '---', '---', '---', '---']);
  for (const files of sizes) await measureChecks(files);
  await measureSaves(sizes.includes(5_000) ? 5_000 : (sizes[0] ?? 1_000));
  process.stdout.write(
    `\nGoals: a check of 5,000 files ≤ ${CHECK_GOAL_MS} ms, a save findable within ${SAVE_GOAL_MS} ms (p50): ${isMissed ? 'MISSED' : 'met'}\n`,
  );
  if (isMissed) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
