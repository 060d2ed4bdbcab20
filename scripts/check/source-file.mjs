/** One parsed source file: its place in the house, its syntax tree and its comments. */
import { parseSync, visitorKeys } from 'oxc-parser';

/** @typedef {{ type: string, start: number, end: number, [key: string]: any }} Node */
/** @typedef {{ value: string, start: number, end: number }} Comment */

/**
 * @typedef {object} SourceFile
 * @property {string} path  Relative to the root, with forward slashes: `src/search/fuse.ts`.
 * @property {string} text
 * @property {string} area  First folder: src, test, scripts, bench or web.
 * @property {string | undefined} room  The room of a file in src/; undefined for root files and other areas.
 * @property {boolean} isTest
 * @property {readonly Comment[]} comments
 * @property {string | undefined} syntaxError
 * @property {number} lineCount
 * @property {(offset: number) => number} lineAt  1-based line of an offset.
 * @property {(...types: string[]) => readonly Node[]} nodes  Every node of these types, in source order.
 * @property {readonly Node[]} body  Top-level statements.
 */

/**
 * @param {string} path
 * @param {string} text
 * @returns {SourceFile}
 */
export function parseSource(path, text) {
  const { program, comments, errors } = parseSync(path, text);
  const [area = '', room, ...rest] = path.split('/');
  const lineStarts = findLineStarts(text);
  /** @type {Node[] | undefined} */
  let all;
  return {
    path,
    text,
    area,
    room: area === 'src' && rest.length > 0 ? room : undefined,
    isTest: /\.test\.\w+$/.test(path),
    comments,
    syntaxError: errors[0]?.message,
    lineCount: text.endsWith('\n') ? lineStarts.length - 1 : lineStarts.length,
    lineAt: (offset) => lineOf(lineStarts, offset),
    nodes: (...types) => {
      all ??= collectNodes(program);
      return all.filter((node) => types.includes(node.type));
    },
    body: program.body,
  };
}

/** @param {string} text */
function findLineStarts(text) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/**
 * @param {readonly number[]} lineStarts
 * @param {number} offset
 */
function lineOf(lineStarts, offset) {
  let low = 0;
  let high = lineStarts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((lineStarts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

/**
 * @param {Node} node
 * @param {Node[]} into
 * @returns {Node[]}
 */
function collectNodes(node, into = []) {
  into.push(node);
  for (const key of visitorKeys[node.type] ?? []) {
    for (const child of [node[key]].flat()) if (child) collectNodes(child, into);
  }
  return into;
}
