/** Search and index, in docs/benchmarks.md. */
import { withCommas } from '../read-figures.mjs';

/** @typedef {import('../read-figures.mjs').FigureSource} FigureSource */
/** @typedef {import('../benchmark-tables.mjs').Line} Line */

/** @param {FigureSource} f @param {string} row */
function issueCells(f, row) {
  const parts = f.cell('issues', row, 'Acc@1 / 3 / 5 / 10').split('/');
  return [0, 2, 3].map((at) => Math.round(Number(parts[at]))).join(' / ');
}

/** @param {FigureSource} f @param {string} column @param {number} times @param {number} digits */
const searches = (f, column, times = 1, digits = 1) =>
  ['real#-2', 'real#-1'].map((row) => f.shown('search', row, column, { times, digits })).join(' / ');

/** @param {FigureSource} f */
const realChunks = (f) =>
  ['real#-2', 'real#-1']
    .map((row) => withCommas(Math.round(f.number('search', row, 'chunks') / 1000) * 1000, 0))
    .join(' / ');

/** @param {FigureSource} f @param {string} row */
const seconds = (f, row) => f.shown('index', 'mean of', row, { times: 0.001, digits: 2 });

/** @param {FigureSource} f @param {string} row */
const sooner = (f, row) => `codegraph: ${f.shown('index', row, 'measured', { digits: 1 })} × as long`;

/** @type {readonly Line[]} */
export const searchLines = [
  {
    file: 'relevance',
    cells: (f) => [
      `NDCG@10, ${f.said('relevance', /(\d+) questions/)} labelled questions, ${f.said('relevance', /(\d+) repositories/)} repositories`,
      f.shown('relevance', 'mean over', 'Waymark', { digits: 3 }),
      `without vectors ${f.shown('relevance', 'mean over', 'without vectors', { digits: 3 })}, plain FTS5 ${f.shown('relevance', 'mean over', 'plain FTS5', { digits: 3 })}`,
    ],
  },
  {
    file: 'relevance',
    cells: (f) => [
      'tokens until the first right hit, line numbers included',
      f.shown('relevance', 'snippets', 'to the first hit', { digits: 0 }),
    ],
  },
  {
    file: 'relevance',
    cells: (f) => [
      'right hits within 500 / 1,000 / 2,000 tokens',
      f.cell('relevance', 'snippets', 'recall within 500 / 1000 / 2000'),
    ],
  },
  {
    file: 'issues',
    cells: (f) => [
      `bug reports, pasted as they are: every edited file within the first 1 / 5 / 10, ${f.said('issues', /(\d+) reports/)} reports ([what and how](decisions/0033-pasted-texts.md))`,
      `${issueCells(f, 'Waymark, all files')} %`,
      `BM25 over whole source files ${issueCells(f, 'BM25 over whole')} %`,
    ],
  },
  {
    file: 'floor',
    cells: (f) => [
      `${f.said('floor', /(\d+) questions without/)} questions that have no answer in the project: those that show code`,
      f.cell('floor', '**as built in**', 'code shown without an answer'),
    ],
  },
  {
    file: 'lines',
    cells: (f) => [
      `shown lines that differ from the file's line of that number, of ${f.shown('lines', 'lines', 'measured', { digits: 0 })}`,
      f.cell('lines', 'findings', 'measured'),
    ],
  },
  {
    file: 'search',
    cells: (f) => [
      `one search, ${realChunks(f)} chunks of real code, p50`,
      `${searches(f, 'p50 ms')} ms`,
      `ripgrep, same words: ${searches(f, 'ripgrep ms', 1, 0)} ms`,
    ],
  },
  { file: 'search', cells: (f) => ['the same, p95', `${searches(f, 'p95 ms')} ms`] },
  { file: 'search', cells: (f) => ['the same over stdio, p50', `${searches(f, 'stdio p50')} ms`] },
  {
    file: 'search',
    cells: (f) => [
      'the same as a command, from the start of its process',
      `${searches(f, 'command ms', 0.001, 2)} s`,
    ],
  },
  {
    file: 'search',
    cells: (f) => [
      `one search, ${withCommas(f.number('search', 'generated#-1', 'chunks'), 0)} generated chunks, p50 / p95`,
      `${f.shown('search', 'generated#-1', 'p50 ms', { digits: 0 })} / ${f.shown('search', 'generated#-1', 'p95 ms', { digits: 0 })} ms`,
      `ripgrep: ${f.shown('search', 'generated#-1', 'ripgrep ms', { digits: 0 })} ms`,
    ],
  },
];

/** @type {readonly Line[]} */
export const indexLines = [
  {
    file: 'index',
    cells: (f) => [
      `until a repository is searchable, ${f.cell('index', 'mean of', 'repository')} (${f.shown('index', 'mean of', 'MB', { digits: 1 })} MB each), a process that runs`,
      `${seconds(f, 'running ms')} s`,
      sooner(f, 'times sooner than the command of codegraph'),
    ],
  },
  {
    file: 'index',
    cells: (f) => [
      'the same, a server that was just started',
      `${seconds(f, 'just started ms')} s`,
      sooner(f, 'times sooner than codegraph, by a server that was just started'),
    ],
  },
  {
    file: 'index',
    cells: (f) => [
      'the same, from the start of `waymark search`',
      `${seconds(f, 'search command ms')} s`,
      sooner(f, 'times sooner than codegraph, from the start of each process'),
    ],
  },
  {
    file: 'index',
    cells: (f) => [
      'parsed exactly, from the start of `waymark index --exact`',
      '',
      sooner(f, 'times sooner complete than codegraph, from the start'),
    ],
  },
  {
    file: 'index',
    cells: (f) => [
      `all as one, ${f.shown('index', 'all of them as one', 'MB', { digits: 0 })} MB: searchable / peak memory of all processes`,
      `${f.shown('index', 'all of them as one', 'running ms', { times: 0.001, digits: 1 })} s / ${f.shown('index', 'peak RSS in MB', 'measured', { digits: 0 })} MB`,
    ],
  },
  {
    file: 'index',
    cells: (f) => ['index size ÷ source size', f.shown('index', 'index ÷ source', 'measured', { digits: 2 })],
  },
  {
    file: 'fresh',
    cells: (f) => [
      'a saved file is found by a running server',
      `${f.shown('fresh', '5000 + saved to findable', 'p50 ms', { digits: 0 })} ms`,
    ],
  },
  {
    file: 'fresh',
    cells: (f) => [
      'a check of 5,000 files without a watch',
      `${f.shown('fresh', '5000 + check by looking', 'p50 ms', { digits: 0 })} ms`,
      `plain \`lstat\` of each: ${f.shown('fresh', '5000 + plain lstat', 'p50 ms', { digits: 0 })} ms`,
    ],
  },
];
