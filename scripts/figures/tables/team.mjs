/** A team's server on PostgreSQL, in docs/benchmarks.md. */

/** @typedef {import('../read-figures.mjs').FigureSource} FigureSource */
/** @typedef {import('../benchmark-tables.mjs').Line} Line */

const CALLS = ['search', 'recall', 'save'];

/** One table for each size. @param {FigureSource} f @param {'sqlite' | 'postgres'} engine @param {string} column */
const bySize = (f, engine, column) =>
  f
    .read('postgres')
    .tables.map(({ head, rows }) => rows.find(([name]) => name === engine)?.[head.indexOf(column)])
    .join(' / ');

/** @param {FigureSource} f */
const sizes = (f) =>
  f
    .read('postgres')
    .tables.map(({ head: [first = ''] }) => Number(first.split(' ')[0]).toLocaleString('en-US'))
    .join(' / ');

/** @type {readonly Line[]} */
export const teamLines = [
  {
    file: 'postgres',
    cells: (f) => [
      `one search, ${sizes(f)} chunks, p50; 500 questions, the same answers`,
      `${bySize(f, 'postgres', 'query p50 ms')} ms`,
      `files: ${bySize(f, 'sqlite', 'query p50 ms')} ms`,
    ],
  },
  {
    file: 'postgres',
    cells: (f) => [
      'indexing the same',
      `${bySize(f, 'postgres', 'index s')} s`,
      `files: ${bySize(f, 'sqlite', 'index s')} s`,
    ],
  },
  {
    file: 'team',
    cells: (f) => [
      `${f.said('team', /^(\d+ clients on \d+ instances)/)}: search / recall / save, p95`,
      `${CALLS.map((call) => f.cell('team', call, 'p95 ms')).join(' / ')} ms`,
      `${f.said('team', /(\d+) failed/)} failed`,
    ],
  },
  {
    file: 'cold',
    cells: (f) => [
      `${f.said('cold', /^(\d+) projects/)} projects: the first question to one that is not in memory, p50 / p95`,
      ['p50', 'p95'].map((row) => f.cell('cold', row, 'ms')).join(' / ') + ' ms',
    ],
  },
  {
    file: 'push',
    cells: (f) => [
      'first push of a repository, beside indexing it; what a second person sends; content of all branches',
      ['as often as indexing', 'share of the first', 'as much as of one']
        .map((row) => f.cell('push', row, 'measured'))
        .join(' / '),
    ],
  },
];
