/**
 * `sync-program.mjs DATADIR ROOT [hold]`: brings a memory and its files in step, once for every line it is given, and says so; with
 * `hold` it takes the turn and keeps it. The campaign kills it.
 */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { syncFiles } from '../../../src/memory/index.ts';
import { openTextFolder } from '../../../src/platform/index.ts';
import { openPlainMemory, ROOT } from '../../support/plain-memory.ts';
import { QUICK_ENCODER } from '../memory/quick-encoder.ts';

const [dataDir = '', root = '', mode] = process.argv.slice(2);
const memory = openPlainMemory(dataDir, QUICK_ENCODER);
const say = (line: string): void => void writeSync(1, `${line}\n`);

if (mode === 'hold') {
  await (
    await memory.storeOf(ROOT)
  ).inStep(async () => {
    say('held');
    await new Promise(() => setInterval(() => {}, 60_000));
  });
}
say('ready');
for await (const _line of createInterface({ input: process.stdin })) {
  const report = await syncFiles(memory, ROOT, openTextFolder(join(root, '.waymark', 'memory'), root));
  say(report === undefined ? 'left to another' : 'in step');
}
await memory.close();
