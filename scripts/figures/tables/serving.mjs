/** The server, in docs/benchmarks.md. */

/** @typedef {import('../read-figures.mjs').FigureSource} FigureSource */
/** @typedef {import('../benchmark-tables.mjs').Line} Line */

/** @param {FigureSource} f @param {string} row */
const pings = (f, row) =>
  `${[1, 2].map((part) => f.cell('loop', row, 'ping').split('/')[part]?.trim()).join(' / ')} ms`;

/** @param {FigureSource} f @param {string} row */
function starts(f, row) {
  return [20, 22, 24].map((major) => f.cell('start', nodeRow(f, major, row), 'p50 ms')).join(' / ');
}

/** Rows begin with a version: `v20.20.2: node -e 0`. @param {FigureSource} f @param {number} major @param {string} row */
function nodeRow(f, major, row) {
  const labels = f.read('start').tables.flatMap(({ rows }) => rows.map(([label = '']) => label));
  return labels.find((label) => label.startsWith(`v${major}`) && label.endsWith(row)) ?? row;
}

/** The least and the most of all rows that begin so. @param {FigureSource} f @param {string} file @param {string} start @param {string} column */
function range(f, file, start, column) {
  const values = f.read(file).tables.flatMap(({ head, rows }) =>
    rows
      .filter(([name = '']) => name.startsWith(start))
      .flatMap((cells) => (cells[head.indexOf(column)] ?? '').match(/\d+\.?\d*/g) ?? [])
      .map(Number),
  );
  return `${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)}`;
}

/** @type {readonly Line[]} */
export const serverLines = [
  {
    file: 'start',
    cells: (f) => [
      'installed `waymark mcp`, start to its first answer, p50: Node 20 / 22 / 24',
      `${starts(f, 'start → initialize, later')} ms`,
      `bare Node: ${starts(f, 'node -e 0')} ms`,
    ],
  },
  {
    file: 'loop',
    cells: (f) => [
      '`ping` of one client while another indexes 61 MB with the exact pass, p99 / max',
      pings(f, '(d)'),
      `idle server: ${pings(f, 'idle')}`,
    ],
  },
  {
    file: 'loop',
    cells: (f) => [
      '`ping` beside 100 regular expressions in one batch over 38 MB, p99 / max; memory of the server',
      `${pings(f, '(b)')}; ${f.cell('loop', '(b)', 'peak MB')} MB`,
      `idle: ${pings(f, 'idle')}; ${f.cell('loop', 'idle', 'peak MB')} MB`,
    ],
  },
  {
    file: 'loop',
    cells: (f) => [
      '`ping` beside a save that waits 6 s for a lock of another process, p99 / max',
      pings(f, '(a)'),
      `idle: ${pings(f, 'idle')}`,
    ],
  },
  {
    file: 'http',
    cells: (f) => [
      'server CPU per tool call, modern / with a session',
      `${f.shown('http', 'Waymark modern', '× baseline', { digits: 2 })} × / ${f.shown('http', 'Waymark legacy session', '× baseline', { digits: 2 })} ×`,
      'bare SDK: 1',
    ],
  },
  {
    file: 'project',
    cells: (f) => [
      'what finding the project adds to a call, p50',
      `${range(f, 'project', 'found by', 'added at p50')} ms`,
    ],
  },
  {
    file: 'conformance',
    cells: (f) => [
      'scored scenarios of the official suite',
      ['2025-11-25', '2026-07-28']
        .map((revision) => `${f.cell('conformance', revision, 'scored scenarios passed')} (${revision})`)
        .join(', '),
    ],
  },
  {
    file: 'fuzz-http',
    cells: (f) => [
      `${f.shown('fuzz-http', 'requests', 'measured', { digits: 0 })} mutated requests: crashes / wrong answers`,
      `${f.cell('fuzz-http', 'crashes', 'measured')} / ${f.cell('fuzz-http', 'wrong answers', 'measured')}`,
    ],
  },
];
