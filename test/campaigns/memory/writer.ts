/** The saving process of the campaigns: `writer.mjs MODE DATADIR [COUNT] [WHO]`. A line on stdout is an acknowledgement. */
import { writeSync } from 'node:fs';
import { AppError } from '../../../src/core/index.ts';
import { AUTHOR, openPlainMemory, ROOT } from '../../support/plain-memory.ts';
import { campaignText } from './campaign-text.ts';
import { QUICK_ENCODER } from './quick-encoder.ts';

const [mode = '', dataDir = '', count = '0', who = ''] = process.argv.slice(2);

// Straight to the descriptor: a buffered line could be lost with the process although its entry was committed, or the reverse.
const say = (line: string): void => void writeSync(1, `${line}\n`);

async function saveOne(
  memory: ReturnType<typeof openPlainMemory>,
  number: number,
  key: string,
): Promise<string> {
  const draft = { kind: 'checkpoint', name: key, content: campaignText(number) } as const;
  const { entry } = await memory.save(ROOT, AUTHOR, draft, { saveKey: key });
  return entry.id;
}

/** Saves until it is killed or has saved so many; every line is the key of an entry that is on disk. */
async function save(most: number): Promise<void> {
  const memory = openPlainMemory(dataDir, QUICK_ENCODER);
  for (let number = 0; number < most; number++) {
    const key = `${who || process.pid}-${number}`;
    await saveOne(memory, number, key);
    say(key);
  }
  await memory.close();
}

/** Waits for the word, then saves and says how long each save took. */
async function race(times: number): Promise<void> {
  // As a server saves: here the time counts.
  const memory = openPlainMemory(dataDir);
  await memory.storeOf(ROOT);
  say('ready');
  await new Promise<void>((resolve) => {
    process.stdin.once('data', () => {
      process.stdin.destroy();
      resolve();
    });
  });
  const tookMs: number[] = [];
  for (let number = 0; number < times; number++) {
    const before = performance.now();
    await saveOne(memory, number, `${who}-${number}`);
    tookMs.push(Math.round((performance.now() - before) * 1000) / 1000);
  }
  await memory.close();
  say(JSON.stringify(tookMs));
}

/** Opens after whatever happened, looks at everything, and reports the keys that are there. */
async function report(written: 'raced' | 'killed'): Promise<void> {
  const memory = written === 'raced' ? openPlainMemory(dataDir) : openPlainMemory(dataDir, QUICK_ENCODER);
  const store = await memory.storeOf(ROOT);
  const entries = await store.list({ limit: 10_000_000 });
  say(JSON.stringify({ sound: await store.verify(), names: entries.map(({ entry }) => entry.name) }));
  await memory.close();
}

const MODES: Readonly<Record<string, () => Promise<void>>> = {
  save: () => save(count === '0' ? Number.MAX_SAFE_INTEGER : Number(count)),
  race: () => race(Number(count)),
  report: () => report(count === 'raced' ? 'raced' : 'killed'),
};
const run = MODES[mode];
if (run === undefined) throw new AppError('bad_argument', `There is no mode ${mode}.`);
await run();
