/**
 * Learns the weights of pasted texts from real bug reports: of files, and of the definitions in the best of them. Each has the
 * sign of its reason, or is left out. Prints how the weights do on repositories they were not learnt from. What it prints goes into src/search/rank/weights.ts.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { TextLines } from '../src/text/index.ts';
import {
  createLineWords,
  DEFINITION_FEATURES,
  FEATURES,
  measureDefinitions,
  readReportQuestion,
  REPORT_WEIGHTS,
} from '../src/search/index.ts';
import { allWithin, FILE_DEPTHS, FUNCTION_DEPTHS, goldFunctions } from './issues/score.ts';
import { openTree, readTasks, type IssueTask, type Tree } from './issues/tasks.ts';
import { mean } from './relevance/ndcg.ts';
import { indexWhole, openProduct } from './relevance/product.ts';
import type { Example } from './relevance/train.ts';
import { learnSigned, type Sign } from './relevance/train-signed.ts';

const { values } = parseArgs({
  options: {
    tasks: { type: 'string' },
    mirror: { type: 'string' },
    keep: { type: 'string' },
    only: { type: 'string' },
    rows: { type: 'string' },
    ablate: { type: 'boolean', default: false },
  },
});
if (values.tasks === undefined || values.mirror === undefined || values.keep === undefined) {
  process.stderr.write('error: --tasks, --mirror and --keep are needed\n');
  process.exit(2);
}
const READ = 10;
/** There are few reports for so many features. */
const RIDGE = { ridge: 0.01 };

interface Collected {
  readonly id: string;
  readonly repo: string;
  readonly gold: readonly string[];
  readonly files: readonly { readonly path: string; readonly row: readonly number[] }[];
  readonly goldFunctions: readonly string[];
  readonly functions: readonly {
    readonly name: string;
    readonly path: string;
    readonly row: readonly number[];
  }[];
}

async function collect(task: IssueTask, { root, home }: Tree): Promise<Collected> {
  const app = openProduct(home);
  try {
    await indexWhole(app, root);
    const { ranker, outlineOf } = await app.search.searcher(root);
    const { view } = ranker;
    const allowed = new Uint8Array(view.fileCount);
    for (const { files, alive, firstFile } of view.segments)
      files.forEach((_, at) => (allowed[firstFile + at] = alive[at] ?? 0));
    const question = readReportQuestion(task.query);
    const { report } = question;
    if (report === undefined) throw new Error('A report has its parts.');
    const ranking = ranker.rank(question, allowed, REPORT_WEIGHTS);
    const words = createLineWords(question, ranking.lexical.fileRarity);
    const read = await Promise.all(
      ranking.files.slice(0, READ).map(async (file) => {
        const lines = new TextLines(readFileSync(join(root, file.facts.path), 'utf8'));
        return {
          path: file.facts.path,
          score: file.score,
          isSource: file.facts.isCode && !file.facts.isSpecial,
          definitions: (await outlineOf(file.facts.path)).all(),
          lineCount: lines.length,
          words: words.pairsIn(lines),
          lineAt: (line: number) => lines.at(line),
          titleNear: (line: number) => ranking.titleNear(file, line),
        };
      }),
    );
    const outlines = new Map(
      await Promise.all(task.gold_files.map(async (path) => [path, (await outlineOf(path)).all()] as const)),
    );
    return {
      id: task.id,
      repo: task.repo,
      gold: task.gold_files,
      files: ranking.files.map(({ facts, features }) => ({
        path: facts.path,
        row: FEATURES.map((feature) => features[feature]),
      })),
      goldFunctions: goldFunctions(task, outlines),
      functions: measureDefinitions(read, { ...question, report }).map(
        ({ file, own: { definition }, features }) => ({
          name: `${read[file]?.path ?? ''}#${definition?.name ?? ''}@${definition?.startLine ?? 0}`,
          path: read[file]?.path ?? '',
          row: [...features],
        }),
      ),
    };
  } finally {
    await app.close();
  }
}

const cached = values.rows !== undefined && existsSync(values.rows);
const collected: Collected[] = [];
if (cached) {
  // What an earlier run of this command wrote.
  const kept = JSON.parse(readFileSync(values.rows ?? '', 'utf8')) as Collected[];
  collected.push(...kept);
}
if (!cached) {
  for (const task of readTasks(resolve(values.tasks), values.only?.split(',') ?? [])) {
    const tree = openTree(task, resolve(values.mirror), resolve(values.keep));
    if (tree !== undefined) collected.push(await collect(task, tree));
  }
  if (values.rows !== undefined) writeFileSync(values.rows, JSON.stringify(collected));
}

const AGAINST = new Set(['testOrVendored', 'compatibility', 'notCode', 'isRest', 'isType']);
const EITHER = new Set(['header', 'tiny', 'relativeDepth', 'lines', 'crowd', 'isCallable']);
const signOf = (feature: string): Sign => (AGAINST.has(feature) ? -1 : EITHER.has(feature) ? 0 : 1);

interface Kind {
  readonly names: readonly string[];
  example(one: Collected): Example;
  /** Whether all that is right stands within each depth. */
  judge(one: Collected, weights: Float64Array): readonly boolean[] | undefined;
}

const rank = <T extends { readonly row: readonly number[] }>(
  items: readonly T[],
  weights: Float64Array,
): T[] =>
  items
    .map((item) => ({
      item,
      score: item.row.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0),
    }))
    .sort((a, b) => b.score - a.score)
    .map(({ item }) => item);

const FILES: Kind = {
  names: FEATURES,
  example: ({ repo, files, gold }) => ({
    repository: repo,
    rows: files.map(({ row }) => Float64Array.from(row)),
    relevant: files.map(({ path }) => gold.includes(path)),
  }),
  judge: ({ files, gold }, weights) => {
    const paths = rank(files, weights).map(({ path }) => path);
    return FILE_DEPTHS.map((depth) => allWithin(paths, gold, depth));
  },
};
const FUNCTIONS: Kind = {
  names: DEFINITION_FEATURES,
  example: ({ repo, functions, goldFunctions: gold }) => ({
    repository: repo,
    rows: functions.map(({ row }) => Float64Array.from(row)),
    relevant: functions.map(({ name }) => gold.includes(name)),
  }),
  judge: ({ functions, goldFunctions: gold }, weights) => {
    if (gold.length === 0) return undefined;
    const names = rank(functions, weights).map(({ name }) => name);
    return FUNCTION_DEPTHS.map((depth) => allWithin(names, gold, depth));
  },
};

function renderAccuracy(kind: Kind, weightsFor: (repo: string) => Float64Array): string {
  const flags = collected.flatMap((one) => {
    const judged = kind.judge(one, weightsFor(one.repo));
    return judged === undefined ? [] : [judged];
  });
  return (flags[0] ?? [])
    .map((_, at) => (100 * mean(flags.map((one) => Number(one[at])))).toFixed(1))
    .join(' / ');
}

/** Each repository by the weights that the others teach. */
function renderLeftOut(kind: Kind, examples: readonly Example[], signs: readonly Sign[]): string {
  const byRepo = new Map(
    [...new Set(examples.map(({ repository }) => repository))].map((repo) => [
      repo,
      learnSigned(
        examples.filter(({ repository }) => repository !== repo),
        signs,
        RIDGE,
      ),
    ]),
  );
  return renderAccuracy(kind, (repo) => byRepo.get(repo) ?? new Float64Array(kind.names.length));
}

function study(kind: Kind): Float64Array {
  const examples = collected.map(kind.example);
  const signs = kind.names.map(signOf);
  const learnt = learnSigned(examples, signs, RIDGE);
  process.stdout.write(
    `in sample ${renderAccuracy(kind, () => learnt)}\nleft out  ${renderLeftOut(kind, examples, signs)}\n`,
  );
  if (values.ablate)
    kind.names.forEach((name, left) => {
      // A feature that is the same everywhere tells nothing.
      const without = examples.map((example) => ({
        ...example,
        rows: example.rows.map((row) => row.map((value, at) => (at === left ? 0 : value))),
      }));
      process.stdout.write(`without ${name}: ${renderLeftOut(kind, without, signs)}\n`);
    });
  process.stdout.write(
    `${kind.names.map((name, at) => `  ${name}: ${(learnt[at] ?? 0).toFixed(2)},`).join('\n')}\n`,
  );
  return learnt;
}

process.stdout.write(
  `${collected.length} reports; of gold files candidates: ${(100 * mean(collected.map(({ files, gold }) => Number(gold.every((path) => files.some((file) => file.path === path)))))).toFixed(1)}\n`,
);
study(FILES);
study(FUNCTIONS);
