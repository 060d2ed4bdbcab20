/** `sync-program.mjs DATADIR ROOT`: brings a memory and its files in step; the campaign kills it. */
import { join } from 'node:path';
import { syncFiles } from '../../../src/memory/index.ts';
import { openTextFolder } from '../../../src/platform/index.ts';
import { openPlainMemory, ROOT } from '../../support/plain-memory.ts';
import { QUICK_ENCODER } from '../memory/quick-encoder.ts';

const [dataDir = '', root = ''] = process.argv.slice(2);
await syncFiles(
  openPlainMemory(dataDir, QUICK_ENCODER),
  ROOT,
  openTextFolder(join(root, '.waymark', 'memory'), root),
);
