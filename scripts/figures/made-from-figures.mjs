/** Every file that is made from docs/figures, with its text: charts, and pages whose figures stand between marks. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderBars } from './bars.mjs';
import { CHARTS } from './charts.mjs';
import { PAGES, withFigures } from './marked.mjs';
import { openFigures } from './read-figures.mjs';

/**
 * @param {string} root
 * @returns {readonly { readonly path: string, readonly text: string }[]}
 */
export function madeFromFigures(root) {
  const figures = openFigures(root);
  const charts = Object.entries(CHARTS).flatMap(([name, make]) =>
    /** @type {const} */ (['light', 'dark']).map((theme) => ({
      path: `docs/charts/${name}-${theme}.svg`,
      text: renderBars(make(figures), theme),
    })),
  );
  const pages = PAGES.map((path) => ({
    path,
    text: withFigures(readFileSync(join(root, path), 'utf8'), figures, root),
  }));
  return [...charts, ...pages];
}
