/** The tables of docs/benchmarks.md, each cell from raw data. A row whose file is not there is left out; a cell that is not there is an error. */
import { withCommas } from './read-figures.mjs';

/** @typedef {import('./read-figures.mjs').FigureSource} FigureSource */

/**
 * @typedef {object} Line
 * @property {string} file  In docs/figures; its command is the row's.
 * @property {(f: FigureSource) => readonly [what: string, measured: string, baseline?: string]} cells
 */

/** What a recorded session is asked for. */
const SESSION = ['files touched', 'commands that failed', 'decisions', 'open ends'];
const SIX = ['hono', 'trpc', 'flask', 'starlette', 'chi', 'cobra'];

/** `.929 / .959`, as the field writes such figures; the whole is empty where one is not there. @param {FigureSource} f @param {readonly string[]} names @param {string} column @param {string} [file] */
const shares = (f, names, column, file = 'structure') =>
  names.every((name) => f.holds(file, name, column))
    ? names.map((name) => f.number(file, name, column).toFixed(3).replace(/^0/, '')).join(' / ')
    : '';

/** What stands beside it, as far as it was measured. @param {Readonly<Record<string, string>>} others */
const beside = (others) =>
  Object.entries(others)
    .flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}`]))
    .join('; ');

/** Of one repository each, with the language. */
const LANGUAGES = {
  monolog: 'PHP',
  rack: 'Ruby',
  ripgrep: 'Rust',
  jq: 'C',
  leveldb: 'C++',
  'jackson-databind': 'Java',
  'MessagePack-CSharp': 'C#',
  Alamofire: 'Swift',
};

/** @param {FigureSource} f @param {string} row */
const pings = (f, row) =>
  `${[1, 2].map((part) => f.cell('loop', row, 'ping').split('/')[part]?.trim()).join(' / ')} ms`;

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

/** @type {Readonly<Record<string, readonly Line[]>>} */
export const TABLES = {
  search: [
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
  ],
  index: [
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
      cells: (f) => [
        'index size ÷ source size',
        f.shown('index', 'index ÷ source', 'measured', { digits: 2 }),
      ],
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
  ],
  server: [
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
  ],
  structure: [
    {
      file: 'structure',
      cells: (f) => [
        `callers of 150 symbols, F1: ${SIX.join(' / ')}`,
        shares(f, SIX, 'caller F1'),
        beside({ '`grep -w`': shares(f, SIX, 'grep -w'), codegraph: shares(f, SIX, 'codegraph') }),
      ],
    },
    {
      file: 'structure',
      cells: (f) => [
        'the same, calls only',
        shares(f, SIX, 'calls F1'),
        beside({
          '`grep -w`': shares(f, SIX, 'calls, grep -w'),
          codegraph: shares(f, SIX, 'calls, codegraph'),
        }),
      ],
    },
    {
      file: 'structure',
      cells: (f) => [
        'of the uses that are called sure, those that are right',
        shares(f, SIX, 'sure is right'),
      ],
    },
    {
      file: 'structure-languages',
      cells: (f) => {
        const names = Object.keys(LANGUAGES).filter((name) =>
          f.holds('structure-languages', name, 'caller F1'),
        );
        const told = names.map((name) => `${name} (${Reflect.get(LANGUAGES, name)})`);
        return [
          `callers, F1: ${told.join(' / ')}`,
          shares(f, names, 'caller F1', 'structure-languages'),
          beside({ '`grep -w`': shares(f, names, 'grep -w', 'structure-languages') }),
        ];
      },
    },
    {
      file: 'structure',
      cells: (f) => [
        '"no known use" is right, of names that are defined once',
        shares(f, SIX, 'no known use is right'),
      ],
    },
    {
      file: 'structure',
      cells: (f) => [
        'of the definitions without a use, those that are told to have no known one',
        shares(f, SIX, 'unused that are told'),
      ],
    },
    {
      file: 'structure',
      cells: (f) => [
        'import edges, F1: hono / trpc; dependents through others',
        `${shares(f, ['hono', 'trpc'], 'import edges F1')}; ${shares(f, ['hono', 'trpc'], 'impact F1')}`,
      ],
    },
    {
      file: 'structure',
      cells: (f) => [
        'tokens of an answer, p50 / p95, the largest of these',
        `${f.shown('structure', 'most', 'tokens p50', { digits: 0 })} / ${f.shown('structure', 'most', 'tokens p95', { digits: 0 })}`,
        `\`grep -w\`: ${f.shown('structure', 'most', 'grep p50', { digits: 0 })} / ${f.shown('structure', 'most', 'grep p95', { digits: 0 })}`,
      ],
    },
  ],
  memory: [
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
        'what hooks keep of a session: files / commands that were mended / decisions / open ends',
        SESSION.every((row) => f.holds('memory', row, 'kept'))
          ? SESSION.map((row) => f.shown('memory', row, 'kept', { digits: 2 })).join(' / ')
          : '',
      ],
    },
    {
      file: 'memory',
      cells: (f) => [
        'search among 50,000 entries, p95',
        `${f.shown('memory', 'Waymark, 50000 entries', 'p95 ms', { digits: 0 })} ms`,
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
  ],
  files: [
    {
      file: 'ignore',
      cells: (f) => [
        `ignore rules, ${f.shown('ignore', 'trees', 'measured', { digits: 0 })} generated trees, ${f.shown('ignore', 'paths', 'measured', { digits: 0 })} paths: different from git`,
        f.cell('ignore', 'mismatches', 'measured'),
        'git',
      ],
    },
  ],
};

/** @param {FigureSource} f @param {string} row */
function issueCells(f, row) {
  const parts = f.cell('issues', row, 'Acc@1 / 3 / 5 / 10').split('/');
  return [0, 2, 3].map((at) => Math.round(Number(parts[at]))).join(' / ');
}

/** @param {FigureSource} f @param {string} row */
function starts(f, row) {
  return [20, 22, 24].map((major) => f.cell('start', nodeRow(f, major, row), 'p50 ms')).join(' / ');
}

/** Rows begin with a version: `v20.20.2: node -e 0`. @param {FigureSource} f @param {number} major @param {string} row */
function nodeRow(f, major, row) {
  const labels = f.read('start').tables.flatMap(({ rows }) => rows.map(([label = '']) => label));
  return labels.find((label) => label.startsWith(`v${major}`) && label.endsWith(row)) ?? row;
}

/** @param {FigureSource} f @param {string} column */
function recalls(f, column) {
  return ['changed', 'half', 'topic']
    .map((name) => f.shown('memory', name, column, { digits: 2 }))
    .join(' / ');
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
