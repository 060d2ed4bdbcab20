/**
 * Figures in Markdown stand between marks and are made from docs/figures: whole tables (`<!-- figures: NAME -->`) and single ones
 * (`<!-- figure FILE | ROW | COLUMN | DIGITS -->`). `npm run charts` writes them, `npm run check` compares.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { TABLES } from './benchmark-tables.mjs';

/** @typedef {import('./read-figures.mjs').FigureSource} FigureSource */

/** Pages that hold figures. */
export const PAGES = ['README.md', 'docs/benchmarks.md'];

const BLOCK = /(<!-- figures: ([\w-]+) -->)[\s\S]*?(<!-- \/figures -->)/g;
const SINGLE = /(<!-- figure ([^>]*?) -->)[^<]*(<!-- \/figure -->)/g;

/** @param {string} page @param {FigureSource} figures @param {string} root */
export function withFigures(page, figures, root) {
  return page
    .replace(
      BLOCK,
      (_, open, name, close) => `${open}\n\n${renderBlock(String(name), figures, root)}\n\n${close}`,
    )
    .replace(SINGLE, (_, open, place, close) => `${open}${renderSingle(String(place), figures)}${close}`);
}

/** @param {string} name @param {FigureSource} figures @param {string} root */
function renderBlock(name, figures, root) {
  if (name === 'sources') return renderSources(figures, root);
  const lines = TABLES[name];
  if (lines === undefined) throw new Error(`scripts/figures/benchmark-tables.mjs has no table "${name}"`);
  const rows = lines
    .filter(({ file }) => figures.has(file))
    .flatMap(({ file, cells }) => {
      const [what, measured, baseline = ''] = cells(figures);
      // Not in this run, and nothing stands beside it.
      if (measured === '' && baseline === '') return [];
      const [command] = figures.read(file).command.split(' -- ');
      return `| ${what} | ${measured} | ${baseline} | [\`${command}\`](figures/${file}.json) |`;
    });
  return [
    '| what | measured | beside it, in the same run | command, raw data |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** @param {FigureSource} figures @param {string} root */
function renderSources(figures, root) {
  const names = readdirSync(join(root, 'docs', 'figures'))
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .sort();
  const rows = names.map((name) => {
    const { command, date, machine } = figures.read(name);
    return `| [${name}](figures/${name}.json) | \`${command}\` | ${date} | ${machine} |`;
  });
  return ['| raw data | command | date | machine |', '|---|---|---|---|', ...rows].join('\n');
}

/** @param {string} place @param {FigureSource} figures */
function renderSingle(place, figures) {
  const [file = '', row = '', column = '', digits, part, times] = place.split('|').map((each) => each.trim());
  return figures.shown(file, row, column, {
    ...(digits ? { digits: Number(digits) } : {}),
    ...(part ? { part: Number(part) } : {}),
    ...(times ? { times: Number(times) } : {}),
  });
}
