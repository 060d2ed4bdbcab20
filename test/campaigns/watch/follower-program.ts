/**
 * A process that uses a project as a server does, with Waymark's own wiring. It is told what to do line by line:
 * `find PATH NAME` says when the index knows that name in that file, `status` who it is, `fresh` when the index is at the files, `end` closes
 * everything, `leave` closes nothing and merely stops listening.
 */
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { createApp } from '../../../src/app.ts';
import { readEnvironment, resolveConfig } from '../../../src/config/index.ts';
import { systemClock } from '../../../src/platform/index.ts';
import { openIndexStore } from '../../../src/storage/index.ts';
import { silentLogger } from '../../../src/text/index.ts';

const LOOK_EVERY_MS = 10;

const [root = ''] = process.argv.slice(2);
const { config } = resolveConfig({ env: readEnvironment() });
const app = createApp({ config });
// As in a process that serves: others follow nothing.
await app.servers();
const { following } = app.indexing;
const reader = await openIndexStore({
  cacheDir: config.cacheDir,
  root,
  clock: systemClock,
  logger: silentLogger,
});

function say(line: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

async function untilFound(path: string, name: string): Promise<void> {
  while (!(await reader.definitionsOf(path)).some((one) => one.name === name)) await delay(LOOK_EVERY_MS);
  say({ found: name, at: performance.timeOrigin + performance.now() });
}

async function untilFresh(): Promise<void> {
  while ((await following.catchUp(root, 1_000)).kind !== 'fresh') await delay(LOOK_EVERY_MS);
  say({ fresh: true });
}

following.follow(root);
const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const [command = '', path = '', name = ''] = line.split(' ');
  if (command === 'find') void untilFound(path, name);
  else if (command === 'fresh') void untilFresh();
  else if (command === 'status') say({ pid: process.pid, ...following.status(root) });
  else if (command === 'leave' || command === 'end') {
    lines.close();
    process.stdin.destroy();
    if (command === 'end') void reader.close().then(() => app.close());
  }
});
