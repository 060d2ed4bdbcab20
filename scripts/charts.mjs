/** `npm run charts`: charts and the figures of the pages, made from the raw data in docs/figures. Twice gives the same bytes. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { madeFromFigures } from './figures/made-from-figures.mjs';
import { root } from './setup.mjs';

for (const { path, text } of madeFromFigures(root)) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  process.stdout.write(`${path}\n`);
}
