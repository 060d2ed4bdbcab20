/** The charts of the README: what each shows, and from which raw data. */

/** @typedef {import('./read-figures.mjs').FigureSource} FigureSource */
/** @typedef {import('./bars.mjs').Bar} Bar */
/** @typedef {import('./bars.mjs').Chart} Chart */

/** @type {(kind: Bar['kind']) => (label: string, value: number, shown: string) => Bar} */
const bar = (kind) => (label, value, shown) => ({ label, value, shown, kind });
const own = bar('own');
const measured = bar('measured');
const published = bar('published');

/** Rows of published.json that have this column. @param {FigureSource} f @param {string} column */
const publishedIn = (f, column) =>
  f
    .read('published')
    .tables.flatMap(({ head, rows }) =>
      head.includes(column)
        ? rows.map((cells) => ({ name: cells[0] ?? '', value: Number(cells[head.indexOf(column)]) }))
        : [],
    );

/** @param {readonly Bar[]} bars */
const bestFirst = (bars) => [...bars].sort((a, b) => b.value - a.value);

/** @param {FigureSource} f @returns {Chart} */
function relevance(f) {
  const score = (/** @type {string} */ column) => f.number('relevance', 'mean over', column);
  const [repositories, questions] = ['repositories', 'questions'].map((what) =>
    f.said('relevance', new RegExp(`(\\d+) ${what}`)),
  );
  return {
    title: 'Does a question find the right code?',
    panels: [
      {
        heading: 'NDCG@10 of labelled questions; 1 is perfect',
        bars: bestFirst([
          own('Waymark', score('Waymark'), score('Waymark').toFixed(3)),
          own('Waymark without vectors', score('without vectors'), score('without vectors').toFixed(3)),
          measured('plain SQLite FTS5', score('plain FTS5'), score('plain FTS5').toFixed(3)),
          ...publishedIn(f, 'NDCG@10').map(({ name, value }) => published(name, value, value.toFixed(3))),
        ]),
      },
    ],
    notes: [
      `Waymark and FTS5: ${questions} questions about ${repositories} repositories. Waymark's weights were chosen on these, so expect less on others.`,
      'Published: the whole set by MinishLab/semble, 63 repositories; Waymark’s are among them.',
      'Again: npm run bench:relevance',
    ],
  };
}

/** @param {FigureSource} f @returns {Chart} */
function issues(f) {
  const depths = [
    { name: 'the first file', part: 0, column: 'Acc@1' },
    { name: 'the first five files', part: 2, column: 'Acc@5' },
  ];
  const ofRow = (/** @type {string} */ row, /** @type {number} */ part) =>
    Number(f.cell('issues', row, 'Acc@1 / 3 / 5 / 10').split('/')[part]);
  return {
    title: 'Does a pasted bug report find the files that its fix edits?',
    panels: depths.map(({ name, part, column }) => {
      const [waymark, bm25] = ['Waymark, all files', 'BM25 over whole'].map((row) => ofRow(row, part));
      return {
        heading: `Reports with every edited file within ${name}, %`,
        bars: bestFirst([
          own('Waymark', waymark ?? 0, (waymark ?? 0).toFixed(0)),
          measured('BM25 over whole files', bm25 ?? 0, (bm25 ?? 0).toFixed(0)),
          ...publishedIn(f, column).map(({ name: system, value }) =>
            published(system, value, value.toFixed(0)),
          ),
        ]),
      };
    }),
    notes: [
      `Waymark and BM25 over whole files: ${f.said('issues', /(\d+) reports/)} reports; its weights were learnt on reports of these repositories.`,
      'Published: SWE-bench Lite, 274 reports in Python (arXiv 2505.07849). Other reports, so the bars say where Waymark stands, not who wins.',
      'The published rows but BM25 are neural models that run beside the search; Waymark runs none. Again: npm run bench:issues',
    ],
  };
}

/** @param {FigureSource} f @returns {Chart} */
function tokens(f) {
  const of = (/** @type {string} */ column) => f.number('structure', 'most', column);
  const shown = (/** @type {number} */ value) => value.toLocaleString('en-US');
  return {
    title: 'What does an answer cost in tokens?',
    panels: [
      {
        heading: 'Who uses this symbol? Tokens of an ordinary answer (p50)',
        bars: [
          own('find_references', of('tokens p50'), shown(of('tokens p50'))),
          measured('grep -w', of('grep p50'), shown(of('grep p50'))),
        ],
      },
      {
        heading: 'The same, a long answer (p95)',
        bars: [
          own('find_references', of('tokens p95'), shown(of('tokens p95'))),
          measured('grep -w', of('grep p95'), shown(of('grep p95'))),
        ],
      },
    ],
    notes: [
      'The largest figure of six repositories, 150 symbols each: hono, trpc, flask, starlette, chi, cobra. o200k tokens.',
      'Again: npm run bench:structure',
    ],
  };
}

/** @param {FigureSource} f @returns {Chart} */
function time(f) {
  const ms = (/** @type {number} */ value) =>
    value >= 1000
      ? `${(value / 1000).toFixed(1)} s`
      : `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;
  const searched = (/** @type {string} */ column) => f.number('search', 'real#-1', column);
  const chunks = Math.round(f.number('search', 'real#-1', 'chunks') / 1000) * 1000;
  const ratio = (/** @type {string} */ row) => f.number('index', row, 'measured');
  const answer = ratio('times sooner than codegraph, from the start of each process');
  const exact = ratio('times sooner complete than codegraph, from the start of each process');
  const times = (/** @type {number} */ value) => `${value.toFixed(1)} × as long`;
  return {
    title: 'How long does it take?',
    panels: [
      {
        heading: `One search of ${chunks.toLocaleString('en-US')} chunks of real code, p50`,
        bars: [
          own('Waymark', searched('p50 ms'), ms(searched('p50 ms'))),
          own('Waymark over stdio', searched('stdio p50'), ms(searched('stdio p50'))),
          measured('ripgrep, same words', searched('ripgrep ms'), ms(searched('ripgrep ms'))),
        ],
      },
      {
        heading: 'A repository that was never seen, from the start of the command until the answer',
        bars: [
          own('waymark search', 1, ms(f.number('index', 'mean of', 'search command ms'))),
          measured('codegraph init', answer, times(answer)),
        ],
      },
      {
        heading: 'The same, until everything is parsed exactly',
        bars: [own('waymark index --exact', 1, '1'), measured('codegraph init', exact, times(exact))],
      },
    ],
    notes: [
      'Waymark answers from a fast outline and parses in the background; codegraph parses everything before it answers.',
      'Again: npm run bench:search, npm run bench:index',
    ],
  };
}

/** @type {Readonly<Record<string, (f: FigureSource) => Chart>>} */
export const CHARTS = { relevance, issues, tokens, time };
