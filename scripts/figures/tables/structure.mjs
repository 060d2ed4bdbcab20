/** Who uses what, in docs/benchmarks.md. */

/** @typedef {import('../read-figures.mjs').FigureSource} FigureSource */
/** @typedef {import('../benchmark-tables.mjs').Line} Line */

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

/** @type {readonly Line[]} */
export const structureLines = [
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
    cells: (f) => ['of the uses that are called sure, those that are right', shares(f, SIX, 'sure is right')],
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
];
