/** The saving process of the campaigns: `writer.mjs MODE DATADIR [COUNT] [WHO]`. A line on stdout is an acknowledgement. */
import { writeSync } from 'node:fs';
import { AppError } from '../../../src/core/index.ts';
import { saveCapture, saveFact } from '../../../src/memory/index.ts';
import { AUTHOR, openPlainMemory, ROOT } from '../../support/plain-memory.ts';
import { campaignText, keysIn, markOf } from './campaign-text.ts';
import { QUICK_ENCODER } from './quick-encoder.ts';

const [mode = '', dataDir = '', count = '0', who = ''] = process.argv.slice(2);

// Straight to the descriptor: a buffered line could be lost with the process although its entry was committed, or the reverse.
const say = (line: string): void => void writeSync(1, `${line}\n`);

type PlainMemory = ReturnType<typeof openPlainMemory>;

async function saveOne(memory: PlainMemory, number: number, key: string): Promise<void> {
  const draft = { kind: 'checkpoint', name: key, content: `${markOf(key)} ${campaignText(number)}` } as const;
  await memory.save(ROOT, AUTHOR, draft, { saveKey: key });
}

/** Each session of a client is captured so many times, and grows. */
const CAPTURES_OF_ONE = 4;

/** One of every kind that is saved, in turn; a session that is captured says all that it said before. */
async function saveMixed(memory: PlainMemory, number: number, run: string): Promise<void> {
  const key = `${run}-${number}`;
  const saveKey = key;
  const text = `${markOf(key)} ${campaignText(number)}`;
  switch (number % 6) {
    case 0:
      return saveOne(memory, number, key);
    case 1:
      await saveFact(
        memory,
        ROOT,
        AUTHOR,
        { text: `${markOf(key)} holds.`, subject: key, scope: 'project' },
        { saveKey },
      );
      return;
    case 2: {
      const fields = { error: `Error: ${campaignText(number).slice(0, 200)}` };
      await memory.save(ROOT, AUTHOR, { kind: 'remediation', content: text, fields }, { saveKey });
      return;
    }
    case 3:
      await memory.save(ROOT, AUTHOR, { kind: 'skill', name: `skill ${key}`, content: text }, { saveKey });
      return;
    default: {
      const turn = Math.floor(number / 6) * 2 + (number % 6) - 4;
      const session = Math.floor(turn / CAPTURES_OF_ONE);
      const earlier = Array.from({ length: number + 1 }, (_, at) => at).filter(
        (at) =>
          at % 6 >= 4 && Math.floor((Math.floor(at / 6) * 2 + (at % 6) - 4) / CAPTURES_OF_ONE) === session,
      );
      const words = earlier.map((at) => markOf(`${run}-${at}`)).join(' ');
      await saveCapture(
        memory,
        ROOT,
        { origin: 'captured', client: 'codex', tool: 'hook' },
        {
          session: `${run}-${session}`,
          name: key,
          text: `${words} ${campaignText(number)}`,
          files: [],
          fixes: [],
          readAt: number,
        },
      );
    }
  }
}

/** Saves until it is killed or has saved so many; every line is the key of an entry that is on disk. */
async function save(most: number): Promise<void> {
  const memory = openPlainMemory(dataDir, QUICK_ENCODER);
  for (let number = 0; number < most; number++) {
    const run = who || String(process.pid);
    await saveMixed(memory, number, run);
    say(`${run}-${number}`);
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
  const names = entries.flatMap(({ entry }) => keysIn(entry.content));
  say(JSON.stringify({ sound: await store.verify(), names }));
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
