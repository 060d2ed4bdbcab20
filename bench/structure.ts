/**
 * How right `find_references` and the import graph are, against sets that compilers and indexers made, beside `grep -w` and, with
 * `--codegraph DIR` (a folder that has it in its node_modules), codegraph in the same run: F1 by level, precision by grade and of "no known use", names that do not exist, tokens and milliseconds. `--truth DIR` holds the sets, `--repos DIR` the checkouts by name.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { App } from '../src/app.ts';
import { AppError } from '../src/core/index.ts';
import { renderReferences } from '../src/structure/index.ts';
import { openProduct } from './relevance/product.ts';
import { openCodegraph } from './index/codegraph.ts';
import { askCodegraph } from './structure/peer.ts';
import { createScorer, scoreImports } from './structure/score.ts';
import { askMadeUp, makeUpNames } from '../test/support/made-up-names.ts';
import { countUnused, judgeDefinitions } from './structure/unused.ts';
import { namesOfTruth, readTruth, type Truth } from './structure/truth.ts';

const { values } = parseArgs({
  options: {
    truth: { type: 'string' },
    repos: { type: 'string' },
    only: { type: 'string' },
    codegraph: { type: 'string' },
  },
});
if (values.truth === undefined || values.repos === undefined) {
  process.stderr.write(
    'error: --truth and --repos are needed\nhint: npm run bench:structure -- --truth DIR --repos DIR [--only NAMES] [--codegraph DIR]\n',
  );
  process.exit(2);
}
const truths = resolve(values.truth);
const repos = resolve(values.repos);
const only = values.only?.split(',');

type Lines = [string, number][];
const GRADES = ['sure', 'likely', 'possible'] as const;

async function ask(app: App, root: string, { sample }: Truth) {
  const byGrade = {
    sure: new Map<string, Lines>(),
    likely: new Map<string, Lines>(),
    possible: new Map<string, Lines>(),
  };
  const tokens: number[] = [];
  const ms: number[] = [];
  let missing = 0;
  for (const { id, name, defs } of sample) {
    const lines: Record<(typeof GRADES)[number], Lines> = { sure: [], likely: [], possible: [] };
    for (const { file, line } of defs.slice(0, 5)) {
      const request = { root, mayWrite: false, symbol: `${file}:${line}` };
      const started = performance.now();
      const answer = await app.engine.findReferences(request).catch(() => undefined);
      ms.push(performance.now() - started);
      const symbol = answer?.symbols.find((each) => each.name.split('.').at(-1) === name);
      if (answer === undefined || symbol === undefined) {
        missing++;
        continue;
      }
      tokens.push(countTokens(renderReferences(answer).text));
      const whole = await app.engine.findReferences({ ...request, include: 'possible' });
      for (const { path, line: at, grade } of whole.symbols[0]?.references ?? [])
        lines[grade].push([path, at]);
    }
    byGrade.sure.set(id, lines.sure);
    byGrade.likely.set(id, [...lines.sure, ...lines.likely]);
    byGrade.possible.set(id, [...lines.sure, ...lines.likely, ...lines.possible]);
  }
  return { byGrade, tokens, ms, missing };
}

/** Lines of the files of the truth in which the name stands as a word. */
function grep(root: string, { sample, files }: Truth) {
  const texts = [...files.keys()].map((path): [string, string[]] => [path, linesOf(join(root, path))]);
  const answers = new Map<string, Lines>();
  const tokens: number[] = [];
  for (const { id, name } of sample) {
    const word = new RegExp(`(?<![\\w$])${name.replace(/[$#]/g, '\\$&')}(?![\\w$])`);
    const found: Lines = [];
    let text = '';
    for (const [path, lines] of texts)
      for (const [at, line] of lines.entries())
        if (line.includes(name) && word.test(line)) {
          found.push([path, at + 1]);
          text += `${path}:${at + 1}:${line}\n`;
        }
    answers.set(id, found);
    tokens.push(countTokens(text));
  }
  return { answers, tokens };
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** Of the symbols without a known use, how many have none. */
function noKnownUse({ sample }: Truth, answers: ReadonlyMap<string, Lines>): { right: number; told: number } {
  const told = sample.filter(({ id }) => answers.get(id)?.length === 0);
  const right = told.filter(({ refs }) =>
    refs.every(({ kind }) => ['import', 'export', 'close'].includes(kind)),
  );
  return { right: right.length, told: told.length };
}

/** Over all definitions with a name of their own, where the sample has few without a use. */
async function unusedOf(
  app: App,
  root: string,
  truth: Truth,
): Promise<{ readonly said: string; readonly cells: readonly string[] }> {
  const judged = judgeDefinitions(truth, (path) => linesOf(join(root, path)));
  const { told, right, strictlyRight, unused } = await countUnused(judged, async ({ file, line, name }) => {
    const answer = await app.engine
      .findReferences({ root, mayWrite: false, symbol: `${file}:${line}` })
      .catch(() => undefined);
    const symbol = answer?.symbols.find((each) => each.name.split('.').at(-1) === name);
    return symbol && symbol.references.length + symbol.possible > 0;
  });
  const share = (part: number, whole: number): string => short(part / (whole || 1));
  const said =
    `  no known use, of all names that are defined once: ${right} of ${told} right, ${share(right, told)}` +
    ` (${share(strictlyRight, told)} if keys and fields of the name were uses); told of ${right} of ${unused} without a use, ${share(right, unused)}\n`;
  return { said, cells: [share(right, told), share(right, unused)] };
}

const MADE_UP = 500;

async function madeUpOf(app: App, root: string, { files }: Truth): Promise<string> {
  const known = [...files.values()].flatMap(({ defs, uses }) => [
    ...defs.map(([, name]) => name),
    ...uses.map(([, , name]) => name),
  ]);
  const names = makeUpNames(known, MADE_UP);
  const { refused, near, answered } = await askMadeUp(names, async (symbol) => {
    try {
      await app.engine.findReferences({ root, mayWrite: false, symbol });
      return { kind: 'answered', hasNear: false };
    } catch (thrown) {
      if (!(thrown instanceof AppError) || thrown.code !== 'not_found') throw thrown;
      return { kind: 'refused', hasNear: thrown.hint?.startsWith('Near names') === true };
    }
  });
  const wrong = answered.length === 0 ? '' : `: ${answered.slice(0, 5).join(', ')}`;
  return `  ${names.length} names that do not exist: ${refused} refused, ${near} with near names, ${answered.length} answered${wrong}\n`;
}

async function importsOf(
  app: App,
  root: string,
  truth: Truth,
): Promise<{ readonly said: string; readonly cells: readonly string[] }> {
  if (truth.imports === undefined) return { said: '', cells: ['', ''] };
  const told = new Map<string, readonly string[]>();
  for (const file of Object.keys(truth.imports)) {
    const answer = await app.engine
      .fileDependencies({ root, mayWrite: false, file, direction: 'out', depth: 1 })
      .catch(() => undefined);
    told.set(file, answer?.files.map(({ path }) => path) ?? []);
  }
  const { edges, impact } = scoreImports(told, truth.imports);
  const cells = [short(edges), short(impact)];
  return { said: `  import edges F1 ${cells[0]}, transitive impact F1 ${cells[1]}\n`, cells };
}

/** For docs: a row for each repository, and the most tokens of all of them. */
const summary: { readonly cells: readonly string[]; readonly tokens: readonly number[] }[] = [];

const short = (value: number): string => value.toFixed(3);
const at = (list: readonly number[], share: number): number =>
  list.toSorted((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * share))] ?? 0;

for (const name of namesOfTruth(truths).filter((each) => only === undefined || only.includes(each))) {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-structure-'));
  const app = openProduct(folder);
  try {
    const root = join(repos, name);
    const truth = readTruth(truths, name);
    const started = performance.now();
    await app.indexing.complete(root, { signal: new AbortController().signal });
    const indexed = Math.round(performance.now() - started);
    const score = createScorer(truth);
    const { byGrade, tokens, ms, missing } = await ask(app, root, truth);
    const found = grep(root, truth);
    const codegraph = values.codegraph && openCodegraph(resolve(values.codegraph), folder);
    const peer = codegraph && (await askCodegraph(codegraph, { root, temp: folder, sample: truth.sample }));
    const rows = [
      ['waymark', score(byGrade.likely), score(byGrade.likely, 'calls')],
      ['grep -w', score(found.answers), score(found.answers, 'calls')],
      ...(peer ? [['codegraph', score(peer), score(peer, 'calls')] as const] : []),
    ] as const;
    const unused = noKnownUse(truth, byGrade.possible);
    process.stdout.write(
      `${name}: ${truth.sample.length} symbols, ${missing} not found, indexed in ${indexed} ms\n`,
    );
    for (const [who, all, calls] of rows)
      process.stdout.write(
        `  ${who}  F1 line ${short(all.line.f1)}  caller ${short(all.caller.f1)}  file ${short(all.file.f1)}  calls ${short(calls.caller.f1)}\n`,
      );
    for (const grade of GRADES)
      process.stdout.write(`  up to ${grade}: precision ${short(score(byGrade[grade]).line.precision)}\n`);
    const imports = await importsOf(app, root, truth);
    const all = await unusedOf(app, root, truth);
    process.stdout.write(imports.said + all.said + (await madeUpOf(app, root, truth)));
    process.stdout.write(
      `  no known use, of the sample: ${unused.right} of ${unused.told} right\n` +
        `  tokens p50 ${at(tokens, 0.5)} p95 ${at(tokens, 0.95)}; grep p50 ${at(found.tokens, 0.5)} p95 ${at(found.tokens, 0.95)}\n` +
        `  ms p50 ${at(ms, 0.5).toFixed(1)} p95 ${at(ms, 0.95).toFixed(1)}\n`,
    );
    const callers = (kind?: 'calls'): readonly string[] =>
      [byGrade.likely, found.answers, peer].map((answers) =>
        answers ? short(score(answers, kind).caller.f1) : '',
      );
    summary.push({
      cells: [
        name,
        ...callers(),
        ...callers('calls'),
        short(score(byGrade.sure).line.precision),
        ...all.cells,
        ...imports.cells,
      ],
      tokens: [tokens, found.tokens].flatMap((list) => [at(list, 0.5), at(list, 0.95)]),
    });
  } finally {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
const HEADS = [
  'repository',
  'caller F1',
  'grep -w',
  'codegraph',
  'calls F1',
  'calls, grep -w',
  'calls, codegraph',
  'sure is right',
  'no known use is right',
  'unused that are told',
  'import edges F1',
  'impact F1',
];
const TOKEN_HEADS = ['tokens p50', 'tokens p95', 'grep p50', 'grep p95'];
const most = {
  cells: ['most', ...HEADS.slice(1).map(() => '')],
  tokens: TOKEN_HEADS.map((_, index) => Math.max(...summary.map(({ tokens }) => tokens[index] ?? 0))),
};
for (const cells of [
  [...HEADS, ...TOKEN_HEADS],
  [...HEADS, ...TOKEN_HEADS].map(() => '---'),
  ...[...summary, most].map((row) => [...row.cells, ...row.tokens]),
])
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
