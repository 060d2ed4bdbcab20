/** The other process of the kill campaign: opens an index, looks at all of it, prints what it saw. `inspector CACHE ROOT` */
import { systemClock } from '../../../src/platform/index.ts';
import { openIndexStore } from '../../../src/storage/index.ts';
import { createLogger } from '../../../src/text/index.ts';
import { dumpIndex } from '../../support/dump-index.ts';

const [cacheDir = '', root = ''] = process.argv.slice(2);
const logger = createLogger({
  level: 'warn',
  format: 'json',
  clock: systemClock,
  write: (line) => void process.stderr.write(`${line}\n`),
});
const store = await openIndexStore({ cacheDir, root, clock: systemClock, logger });
const sound = await store.isSound();
const { generation } = await store.stats();
const dump = await dumpIndex(store);
await store.close();
process.stdout.write(`${JSON.stringify({ sound, generation, dump })}\n`);
