/** Tries a row of cases in a process that may be killed: `fuzz-child KIND SEED FROM TO FOLDER [counted]`. Each line on stdout is one `Said`. */
import { writeSync } from 'node:fs';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../../src/core/index.ts';
import { createRandom } from '../http/seeded-random.ts';
import { recordCoverage } from './coverage.ts';
import type { FuzzCase } from './fuzz-kind.ts';
import { KINDS } from './kinds.ts';
import type { Said } from './said.ts';

const [kindName = '', seedText = '', fromText = '', toText = '', folder = '', countedText = ''] =
  process.argv.slice(2);
const [seed, from, to] = [Number(seedText), Number(fromText), Number(toText)];
const isAlone = to - from === 1;
const isCounted = countedText === 'counted';
const kind = KINDS.find(({ name }) => name === kindName);
if (kind === undefined) throw new Error(`There is no kind ${kindName}.`);

/** Straight to the descriptor: what is known when the process dies must be out. */
const say = (said: Said): void => void writeSync(1, `${JSON.stringify(said)}\n`);
const peakMb = (): number => process.resourceUsage().maxRSS / 1024;
/** From here on the code is compiled and the heap has its size. */
const WARM_UP = 300;
const SWEEP_MS = 200;
/** Before a case that is tried alone. */
const OTHERS_FIRST = 20;

async function wrongWith(tried: FuzzCase): Promise<string | undefined> {
  try {
    return await tried.run();
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code !== 'internal') return undefined;
    const { message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
    return `an error that is not foreseen: ${message.slice(0, 300)} ${stack?.split('\n')[1]?.trim() ?? ''}`;
  }
}

// Counting makes it a third slower: the first row counts, and a case that is tried again for its time does not.
const coverage = isCounted ? recordCoverage(fileURLToPath(import.meta.url), kind.rooms) : undefined;
const ground = await kind.open(folder);
// Of a process that has done nothing yet, the first case takes a second and 90 MB, whatever it is.
if (isAlone)
  for (let index = to; index < to + OTHERS_FIRST; index++) {
    await wrongWith(ground.make(createRandom(seed, index), index));
    await ground.restore?.();
  }
let warmMb: number | undefined;
for (let index = from; index < to; index++) {
  const tried = ground.make(createRandom(seed, index), index);
  const before = { ms: performance.now(), cpu: process.cpuUsage(), mb: peakMb() };
  say({ kind: 'at', index });
  const wrong = await wrongWith(tried);
  const { user, system } = process.cpuUsage(before.cpu);
  // Other work on the machine makes everything slow; what waits for another process is measured by the clock on the wall.
  const cpuMs = kind.waits === true ? Infinity : (user + system) / 1_000;
  const [ms, grownMb] = [Math.min(cpuMs, performance.now() - before.ms), peakMb() - before.mb];
  say({
    kind: 'done',
    index,
    name: tried.name,
    ms,
    grownMb,
    wrong,
    bytes: wrong === undefined && !isAlone ? undefined : Buffer.from(tried.bytes).toString('base64'),
  });
  await ground.restore?.();
  // Memory outside of the heap is given back between turns of the event loop, which no program lives without.
  await nextTurn();
  if (index - from === WARM_UP) warmMb = await restingMb();
}
const endMb = await restingMb();
await ground.close();
say({ kind: 'end', grownMb: endMb - (warmMb ?? endMb), coverage: coverage?.take() ?? { lines: 0, ran: [] } });

/** Buffers that a collection finds dead are freed beside it, and empty pages given back by the next one. */
async function restingMb(): Promise<number> {
  for (let turn = 0; turn < 2; turn++) {
    globalThis.gc?.();
    await wait(SWEEP_MS);
  }
  return process.memoryUsage.rss() / 1024 / 1024;
}
