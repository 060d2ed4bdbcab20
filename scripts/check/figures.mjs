/** Charts, and figures between marks in the pages, are what the raw data in docs/figures says. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { madeFromFigures } from '../figures/made-from-figures.mjs';

/**
 * @param {string} root
 * @returns {import('./finding.mjs').Finding[]}
 */
export function checkFigures(root) {
  if (!existsSync(join(root, 'docs', 'figures'))) return [];
  try {
    return madeFromFigures(root).flatMap(({ path, text }) => {
      const found = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '';
      if (found === text) return [];
      const lines = found.split('\n');
      const at = text.split('\n').findIndex((line, index) => line !== lines[index]);
      return [{ path, line: at + 1, message: 'is not what docs/figures says. Run `npm run charts`.' }];
    });
  } catch (error) {
    return [
      { path: 'docs/figures', line: 1, message: error instanceof Error ? error.message : String(error) },
    ];
  }
}
