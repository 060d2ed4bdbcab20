/** File and folder names say what is inside. That files are in kebab-case is oxlint's `filename-case`. */
import { posix } from 'node:path';

/** @typedef {import('./finding.mjs').Finding} Finding */

const EMPTY_WORDS = new Set([
  'util',
  'utils',
  'helper',
  'helpers',
  'common',
  'misc',
  'manager',
  'data',
  'info',
  'impl',
]);

/**
 * @param {import('./source-tree.mjs').SourceTree} tree
 * @returns {Finding[]}
 */
export function checkNames(tree) {
  /** @type {Map<string, Finding>} A folder with many files is reported once. */
  const byPlace = new Map();
  for (const { path } of tree.files) {
    for (let place = path; place !== '.'; place = posix.dirname(place)) {
      const message = checkName(posix.basename(place));
      if (message !== undefined) byPlace.set(place, { path: place, line: 1, message });
    }
  }
  return [...byPlace.values()];
}

/**
 * @param {string} name
 * @returns {string | undefined}
 */
function checkName(name) {
  const word = name.split(/[.-]/).find((part) => EMPTY_WORDS.has(part));
  return word === undefined
    ? undefined
    : `"${word}" in a name says nothing and collects everything. Name the one idea inside, or move each part to the room that uses it.`;
}
