/**
 * Whether a pasted bug report finds what its fix edited: files, functions, and the tokens read until a changed line is shown,
 * beside BM25 over whole files in the same run. Reports are asked as they are, of the whole tree before the fix.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Definition } from '../src/core/index.ts';
import { languageKind } from '../src/languages/index.ts';
import { type Hit } from '../src/search/index.ts';
import { createFileBaseline } from './issues/baseline.ts';
import {
  allWithin,
  callablesOf,
  FILE_DEPTHS,
  FUNCTION_DEPTHS,
  goldFunctions,
  reciprocalRank,
  shownFunctions,
  TOKENS,
  tokensToGold,
  type Outlines,
} from './issues/score.ts';
import { openTree, readTasks, type IssueTask, type Tree } from './issues/tasks.ts';
import { mean } from './relevance/ndcg.ts';
import { indexWhole, openProduct } from './relevance/product.ts';

const USAGE =
  'npm run bench:issues -- --tasks FILE --mirror DIR [--keep DIR] [--only PART,PART] [--exact] [--each]';
const { values } = parseArgs({
  options: {
    tasks: { type: 'string' },
    mirror: { type: 'string' },
    keep: { type: 'string' },
    only: { type: 'string' },
    exact: { type: 'boolean', default: false },
    each: { type: 'boolean', default: false },
  },
});
if (values.tasks === undefined || values.mirror === undefined) {
  process.stderr.write(`error: --tasks and --mirror are needed\nhint: ${USAGE}\n`);
  process.exit(2);
}

const MOST_HITS = 50;

interface Scored {
  readonly repo: string;
  readonly all: Ranked;
  readonly source: Ranked;
  readonly baseline: Ranked;
  /** Undefined where the changed lines lie in no function. */
  readonly functions: readonly boolean[] | undefined;
  /** The same of functions and methods alone. */
  readonly callables: readonly boolean[] | undefined;
  readonly tokens: number;
  readonly ms: number;
  readonly isEmpty: boolean;
}

interface Ranked {
  readonly within: readonly boolean[];
  readonly reciprocal: number;
}

function score(ranked: readonly string[], gold: readonly string[]): Ranked {
  return {
    within: FILE_DEPTHS.map((depth) => allWithin(ranked, gold, depth)),
    reciprocal: reciprocalRank(ranked, gold),
  };
}

async function scoreTask(task: IssueTask, { root, home }: Tree): Promise<Scored> {
  const app = openProduct(home);
  try {
    await indexWhole(app, root);
    if (values.exact) await app.indexing.parse(root, { signal: new AbortController().signal });
    const searcher = await app.search.searcher(root);
    await app.search.run({ roots: [root], query: 'warm up', limit: 1 });
    const started = performance.now();
    const answer = await app.search.run({ roots: [root], query: task.query, limit: MOST_HITS });
    const ms = performance.now() - started;
    const hits: readonly Hit[] = answer.hits;
    const files = [...new Set(hits.map(({ path }) => path))];
    const outlines = new Map<string, readonly Definition[]>();
    for (const path of new Set([...task.gold_files, ...files]))
      outlines.set(path, (await searcher.outlineOf(path)).all());
    const judge = (of: Outlines): readonly boolean[] | undefined => {
      const gold = goldFunctions(task, of);
      const shown = shownFunctions(hits, of);
      return gold.length === 0 ? undefined : FUNCTION_DEPTHS.map((depth) => allWithin(shown, gold, depth));
    };
    const { view } = searcher.ranker;
    const languages = new Map(
      view.segments.flatMap((segment) =>
        segment.files.map(({ path, language }) => [path, language] as const),
      ),
    );
    const isSource = (path: string): boolean =>
      languageKind(languages.get(path) ?? '') === 'code' && !TEST_OR_DOC.test(path);
    const baseline = createFileBaseline(searcher.ranker);
    return {
      repo: task.repo,
      all: score(files, task.gold_files),
      source: score(files.filter(isSource), task.gold_files),
      baseline: score(baseline(task.query).filter(isSource), task.gold_files),
      functions: judge(outlines),
      callables: judge(callablesOf(outlines)),
      tokens: tokensToGold(hits, task),
      ms,
      isEmpty: hits.length === 0,
    };
  } finally {
    await app.close();
  }
}

/** As papers count: tests and documentation are taken out of the answer. */
const TEST_OR_DOC =
  /(?:^|\/)(?:tests?|__tests__|specs?|testing|docs?|documentation|examples?)\/|[._-](?:test|spec)s?\.|(?:Test|Spec)s?\.\w+$|(?:^|\/)test_/;

const percent = (flags: readonly boolean[]): string => (100 * mean(flags.map(Number))).toFixed(1);
const print = (line: string): boolean => process.stdout.write(`${line}\n`);

function renderRanked(name: string, list: readonly Ranked[]): string {
  const accuracies = FILE_DEPTHS.map((_, at) => percent(list.map(({ within }) => within[at] ?? false)));
  return `| ${name} | ${accuracies.join(' / ')} | ${mean(list.map(({ reciprocal }) => reciprocal)).toFixed(3)} |`;
}

const folder =
  values.keep === undefined ? mkdtempSync(join(tmpdir(), 'waymark-issues-')) : resolve(values.keep);
mkdirSync(folder, { recursive: true });
const scored: Scored[] = [];
let missing = 0;
try {
  for (const task of readTasks(resolve(values.tasks), values.only?.split(',') ?? [])) {
    const tree = openTree(task, resolve(values.mirror), folder);
    if (tree === undefined) {
      missing += 1;
      continue;
    }
    const one = await scoreTask(task, tree);
    scored.push(one);
    if (values.each)
      process.stderr.write(
        `${task.id} files ${one.all.within.map(Number).join('')} functions ${one.functions?.map(Number).join('') ?? '-'} rr ${one.all.reciprocal.toFixed(2)} baseline ${one.baseline.reciprocal.toFixed(2)} tokens ${one.tokens} ms ${one.ms.toFixed(0)}${one.isEmpty ? ' EMPTY' : ''}\n`,
      );
  }
} finally {
  if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });
}

const times = scored.map(({ ms }) => ms).sort((a, b) => a - b);
print(`${scored.length} reports${missing > 0 ? `, ${missing} without their commit in the mirror` : ''}`);
print(`| files | Acc@${FILE_DEPTHS.join(' / ')} | MRR |\n|---|---|---|`);
print(
  renderRanked(
    'Waymark, all files',
    scored.map(({ all }) => all),
  ),
);
print(
  renderRanked(
    'Waymark, source files',
    scored.map(({ source }) => source),
  ),
);
print(
  renderRanked(
    'BM25 over whole source files',
    scored.map(({ baseline }) => baseline),
  ),
);
print(`\n| functions | reports | Acc@${FUNCTION_DEPTHS.join(' / ')} |\n|---|---|---|`);
for (const [name, list] of [
  ['any definition around a changed line', scored.map(({ functions }) => functions)],
  ['functions and methods alone', scored.map(({ callables }) => callables)],
] as const) {
  const judged = list.filter((one) => one !== undefined);
  const accuracies = FUNCTION_DEPTHS.map((_, at) => percent(judged.map((one) => one[at] ?? false)));
  print(`| ${name} | ${judged.length} | ${accuracies.join(' / ')} |`);
}
print(
  `\n| a changed line within ${TOKENS} tokens | no answer | ms p50 / p95 |\n|---|---|---|\n| ${percent(scored.map(({ tokens }) => tokens <= TOKENS))} % | ${scored.filter(({ isEmpty }) => isEmpty).length} | ${(times[Math.floor(times.length / 2)] ?? 0).toFixed(1)} / ${(times[Math.floor(times.length * 0.95)] ?? 0).toFixed(1)} |`,
);
