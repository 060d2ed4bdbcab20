/**
 * A process that uses a project as a server does, with Waymark's own wiring. It is told what to do line by line:
 * `find WORD` says when the word is in the index, `status` who it is, `fresh` when the index is at the files, `end` closes
 * everything, `leave` closes nothing and merely stops listening.
 */
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { createApp } from '../../../src/app.ts';
import { readEnvironment, resolveConfig } from '../../../src/config/index.ts';
import { systemClock } from '../../../src/platform/index.ts';
import { openIndexStore } from '../../../src/storage/index.ts';
import { silentLogger } from '../../../src/text/index.ts';
import { wordsOf } from '../../support/indexed-words.ts';

const LOOK_EVERY_MS = 10;

const [root = ''] = process.argv.slice(2);
const { config } = resolveConfig({ env: readEnvironment() });
const app = createApp({ config });
const { freshness } = app.indexing;
const reader = await openIndexStore({
  cacheDir: config.cacheDir,
  root,
  clock: systemClock,
  logger: silentLogger,
});

function say(line: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

async function untilFound(word: string): Promise<void> {
  while (!(await wordsOf(reader))(word)) await delay(LOOK_EVERY_MS);
  say({ found: word, at: performance.timeOrigin + performance.now() });
}

async function untilFresh(): Promise<void> {
  let state = await freshness.catchUp(root, 1_000);
  while (state.kind !== 'fresh') state = await freshness.catchUp(root, 1_000);
  say({ fresh: true });
}

freshness.follow(root);
const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const [command = '', word = ''] = line.split(' ');
  if (command === 'find') void untilFound(word);
  else if (command === 'fresh') void untilFresh();
  else if (command === 'status') say({ pid: process.pid, ...freshness.status(root) });
  else if (command === 'leave' || command === 'end') {
    lines.close();
    process.stdin.destroy();
    if (command === 'end') void reader.close().then(() => app.close());
  }
});
