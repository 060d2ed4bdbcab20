/** Memory and files, in docs/benchmarks.md. */

/** @typedef {import('../read-figures.mjs').FigureSource} FigureSource */
/** @typedef {import('../benchmark-tables.mjs').Line} Line */

/** What a recorded session is asked for; of the sets that are printed the first counts, which is held out. */
const SESSION = ['files touched', 'commands that failed', 'decisions', 'open ends'];

/** @param {FigureSource} f @param {string} column */
function recalls(f, column) {
  return ['changed', 'half', 'topic']
    .map((name) => f.shown('memory', name, column, { digits: 2 }))
    .join(' / ');
}

/** @type {readonly Line[]} */
export const memoryLines = [
  {
    file: 'memory',
    cells: (f) => [
      'recall, shown or named: other numbers / half of the words / only the topic',
      recalls(f, 'Waymark, shown or named'),
    ],
  },
  { file: 'memory', cells: (f) => ['recall, shown with its text', recalls(f, 'shown in full')] },
  {
    file: 'memory',
    cells: (f) => [
      '200 questions that have no answer in the memory: those that show an entry',
      f.cell('memory', 'in a memory of', 'show an entry'),
    ],
  },
  {
    file: 'memory',
    cells: (f) => [
      'what hooks keep of sessions that are held out: files / commands that were mended / decisions / open ends',
      SESSION.every((row) => f.holds('memory', row, 'kept'))
        ? SESSION.map((row) => f.shown('memory', row, 'kept', { digits: 2 })).join(' / ')
        : '',
    ],
  },
  {
    file: 'memory',
    cells: (f) => [
      'search among 50,000 entries, p95 of its processor time',
      `${f.shown('memory', 'the same, time of the processor', 'p95 ms', { digits: 1 })} ms`,
      `by the clock ${f.shown('memory', 'Waymark, 50000 entries', 'p95 ms', { digits: 0 })} ms; the raw data says how busy the machine was`,
    ],
  },
  {
    file: 'save',
    cells: (f) => [
      '`checkpoint_save` in a watched project of 15,000 files, p50 / p95',
      `${f.cell('save', '15000 + watched', 'p50 ms')} / ${f.cell('save', '15000 + watched', 'p95 ms')} ms`,
      `100 files: ${f.cell('save', '100 + watched', 'p50 ms')} / ${f.cell('save', '100 + watched', 'p95 ms')} ms`,
    ],
  },
  {
    file: 'save',
    cells: (f) => [
      'the same as the first call of a new process, a second after its handshake, p95',
      `${f.shown('save', '15000 + new process', 'p95 ms', { digits: 0 })} ms`,
      `100 files: ${f.shown('save', '100 + new process', 'p95 ms', { digits: 0 })} ms`,
    ],
  },
];

/** @type {readonly Line[]} */
export const filesLines = [
  {
    file: 'ignore',
    cells: (f) => [
      `ignore rules, ${f.shown('ignore', 'trees', 'measured', { digits: 0 })} generated trees, ${f.shown('ignore', 'paths', 'measured', { digits: 0 })} paths: different from git`,
      f.cell('ignore', 'mismatches', 'measured'),
      'git',
    ],
  },
];
