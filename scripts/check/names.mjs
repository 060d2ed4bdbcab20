/** File and folder names are kebab-case and say what is inside. */
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
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/;

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
  const parts = name.split('.');
  const word = parts.flatMap((part) => part.split('-')).find((part) => EMPTY_WORDS.has(part));
  if (word !== undefined) {
    return `"${word}" in a name says nothing and collects everything. Name the one idea inside, or move each part to the room that uses it.`;
  }
  if (parts.every((part) => KEBAB.test(part))) return undefined;
  return `"${name}" is not kebab-case. Write it like rank-hits.ts, so that names are equal on every file system.`;
}
