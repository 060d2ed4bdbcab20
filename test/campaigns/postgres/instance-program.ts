/**
 * An instance on a shared database, which saves and indexes without a pause until it is killed. It prints what was acknowledged:
 * `saved ID`, `leads`, `lost` (the lead), `committed MARK`.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { createPostgresStorage, type IndexStores, type MemorySpaces } from '../../../src/storage/index.ts';
import { systemClock } from '../../../src/platform/index.ts';
import { silentLogger } from '../../../src/text/index.ts';
import { indexedFile } from '../../storage/index-contract.ts';
import { makeEntry, OPEN_GATE, PLAIN_KEYS } from '../../storage/memory-entries.ts';
import { FILES, ROOT, SPACE, TENANT } from './campaign.ts';

const [url = '', name = ''] = process.argv.slice(2);
const WRITERS = 3;
const RETRY_MS = 50;
/** As the followers of a server do. */
const TAKE_OVER_EVERY_MS = 500;
const REST_MS = 20;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const storage = createPostgresStorage({
  url,
  tenant: TENANT,
  nameOf: (root) => ({ project: root, tree: root }),
  keyMaker: () => PLAIN_KEYS,
  gate: OPEN_GATE,
  keepsSource: false,
  workFolder: '',
  clock: systemClock,
  logger: silentLogger,
});

async function save(memory: MemorySpaces, writer: number): Promise<void> {
  const store = await memory.open(SPACE);
  for (let turn = 0; ; turn += 1) {
    const id = `e-${name}-${writer}-${turn}`;
    // A client whose call failed makes it again with the same key.
    await untilDone(() => store.save(makeEntry(id), { saveKey: id }));
    say(`saved ${id}`);
  }
}

async function follow(indexes: IndexStores): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    const follower = await indexes.tryFollowerLock(ROOT).catch(() => undefined);
    if (follower === undefined) {
      await delay(TAKE_OVER_EVERY_MS);
      continue;
    }
    say('leads');
    follower.lost.addEventListener('abort', () => say('lost'), { once: true });
    while (!follower.lost.aborted) {
      await commit(indexes, `${name}-${turn++}`).catch(() => {});
      await delay(REST_MS);
    }
    await follower.release();
    await delay(RETRY_MS);
  }
}

/** Every file of a commit has its mark: a reader that sees two of them sees half a commit. */
async function commit(indexes: IndexStores, mark: string): Promise<void> {
  const store = await indexes.open(ROOT);
  const lock = await indexes.tryWriterLock(ROOT);
  if (lock === undefined) return;
  try {
    await store.commit({
      written: Array.from({ length: FILES }, (_, at) => ({
        ...indexedFile(`f${at}.ts`, ['word']),
        hash: mark,
      })),
    });
    say(`committed ${mark}`);
  } finally {
    await lock.release();
  }
}

async function untilDone(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch {
      await delay(RETRY_MS);
    }
  }
}

await Promise.all([
  follow(storage.indexes),
  ...Array.from({ length: WRITERS }, (_, writer) => save(storage.memory, writer)),
]);
