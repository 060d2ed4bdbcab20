/** The raw data of docs/figures, looked up by file, row and column. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {import('./record.mjs').Figures} Figures */

/**
 * @typedef {object} Place
 * @property {number} [digits]  Of the fraction; as printed by the benchmark otherwise.
 * @property {number} [part]  Which number of a cell like `2.0 / 5.2`; the first is 0.
 * @property {number} [times]  What a number is multiplied by: 0.001 makes seconds of milliseconds.
 */

/** @typedef {(file: string, row: string, column: string, place?: Place) => number} FigureOf */

/** @param {string} root */
export function openFigures(root) {
  /** @type {Map<string, Figures>} */
  const opened = new Map();
  /** @param {string} file */
  const pathOf = (file) => join(root, 'docs', 'figures', `${file}.json`);

  /** @param {string} file @returns {Figures} */
  const read = (file) => {
    const known = opened.get(file);
    if (known !== undefined) return known;
    const path = pathOf(file);
    if (!existsSync(path)) throw new Error(`docs/figures/${file}.json is not there`);
    const figures = JSON.parse(readFileSync(path, 'utf8'));
    opened.set(file, figures);
    return figures;
  };

  /**
   * A row is named by its first cell, by how that begins, or by several cells joined with ` + `; `#2` is the second such row, `#-1` the last.
   *
   * @param {string} file @param {string} row @param {string} column
   */
  const find = (file, row, column) => {
    const [, name = row, nth = '1'] = /^(.*?)(?:#(-?\d+))?$/s.exec(row) ?? [];
    for (const { head, rows } of read(file).tables) {
      const at = head.indexOf(column);
      if (at === -1) continue;
      const keys = rows.map((cells) => cells.join(' + '));
      const exact = rows.filter((cells) => cells[0] === name);
      const found = exact.length > 0 ? exact : rows.filter((_, index) => keys[index]?.startsWith(name));
      const chosen = found.at(Number(nth) > 0 ? Number(nth) - 1 : Number(nth))?.[at];
      if (chosen !== undefined && chosen !== '') return chosen;
    }
    return undefined;
  };

  /** @param {string} file @param {string} row @param {string} column */
  const cell = (file, row, column) => {
    const found = find(file, row, column);
    if (found !== undefined) return found;
    throw new Error(`docs/figures/${file}.json has nothing in the row "${row}" of a column "${column}"`);
  };

  /** @type {FigureOf} */
  const number = (file, row, column, { part = 0, times = 1 } = {}) => {
    const text = cell(file, row, column);
    const found = text.replaceAll(/(?<=\d),(?=\d{3})/g, '').match(/-?\d*\.?\d+/g)?.[part];
    if (found === undefined) throw new Error(`docs/figures/${file}.json: "${text}" of "${row}" is no number`);
    return Number(found) * times;
  };

  return {
    has: (/** @type {string} */ file) => existsSync(pathOf(file)),
    read,
    holds: (/** @type {string} */ file, /** @type {string} */ row, /** @type {string} */ column) =>
      find(file, row, column) !== undefined,
    cell,
    number,
    /** As it is shown. @param {string} file @param {string} row @param {string} column @param {Place} [place] */
    shown: (file, row, column, place = {}) => {
      const { digits, part, times } = place;
      if (digits === undefined && part === undefined && times === undefined) return cell(file, row, column);
      return withCommas(number(file, row, column, place), digits);
    },
    /** What a benchmark said outside of its tables. @param {string} file @param {RegExp} pattern */
    said: (file, pattern) => {
      for (const line of read(file).lines) {
        const found = pattern.exec(line)?.[1];
        if (found !== undefined) return found;
      }
      throw new Error(`docs/figures/${file}.json has no line like ${pattern}`);
    },
  };
}

/** @typedef {ReturnType<typeof openFigures>} FigureSource */

/** @param {number} value @param {number | undefined} digits */
export function withCommas(value, digits) {
  const fixed = digits === undefined ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return value.toLocaleString('en-US', fixed);
}
