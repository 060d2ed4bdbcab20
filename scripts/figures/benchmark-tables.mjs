/** The tables of docs/benchmarks.md, each cell from raw data. A row whose file is not there is left out; a cell that is not there is an error. */
import { filesLines, memoryLines } from './tables/remembering.mjs';
import { indexLines, searchLines } from './tables/searching.mjs';
import { serverLines } from './tables/serving.mjs';
import { structureLines } from './tables/structure.mjs';
import { teamLines } from './tables/team.mjs';

/**
 * @typedef {object} Line
 * @property {string} file  In docs/figures; its command is the row's.
 * @property {(f: import('./read-figures.mjs').FigureSource) => readonly [what: string, measured: string, baseline?: string]} cells
 */

/** @type {Readonly<Record<string, readonly Line[]>>} */
export const TABLES = {
  search: searchLines,
  index: indexLines,
  server: serverLines,
  team: teamLines,
  structure: structureLines,
  memory: memoryLines,
  files: filesLines,
};
