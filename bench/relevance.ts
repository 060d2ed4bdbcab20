/**
 * How good the ranking is: labelled questions asked through the product's own search, beside plain FTS5 and the ranking
 * without vectors in the same run. `--out` writes what was found in the form that outside scorers read.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { languageKind } from '../src/languages/index.ts';
import {
  createRanker,
  FEATURES,
  readQuestion,
  WEIGHTS,
  type Hit,
  type Ranking,
} from '../src/search/index.ts';
import { readAnnotations, type Annotated, type Task } from './relevance/annotations.ts';
import { readArguments } from './relevance/arguments.ts';
import { openFullText } from './relevance/full-text.ts';
import { mean, ndcg, type Shown } from './relevance/ndcg.ts';
import { indexWhole, openProduct } from './relevance/product.ts';
import { rewrite, REWRITES } from './relevance/rewrites.ts';
import { tokenCost, WITHIN, type TokenCost } from './relevance/tokens.ts';

const MOST_HITS = 50;
const DEPTH = 10;
const args = readArguments(
  'npm run bench:relevance -- --annotations DIR --repos DIR [--out FILE] [--whole] [--ablate] [--rewrites] [--exact] [--keep DIR]',
);

interface Scored {
  readonly category: string;
  readonly product: number;
  readonly lexical: number;
  readonly fts5: number;
  /** With each feature left out in turn. */
  readonly without: readonly number[];
  /** Asked in other words, in the order of `REWRITES`; none for the name of something. */
  readonly rewritten: readonly number[];
  readonly cost: TokenCost;
  readonly found: readonly string[];
}

interface ScoredRepository extends Annotated {
  readonly scored: readonly Scored[];
}

async function scoreRepository(annotated: Annotated, folder: string): Promise<ScoredRepository> {
  const root = join(args.repos, annotated.name, args.whole ? '' : annotated.indexRoot);
  const app = openProduct(folder);
  try {
    await indexWhole(app, root);
    if (args.exact) await app.indexing.parse(root, { signal: new AbortController().signal });
    const { ranker } = await app.search.searcher(root);
    const allowed = new Uint8Array(ranker.view.fileCount);
    const code = new Set<string>();
    for (const { files, firstFile } of ranker.view.segments) {
      files.forEach(({ path, language }, at) => {
        if (!isCode(language)) return;
        allowed[firstFile + at] = 1;
        code.add(path);
      });
    }
    const plain = openFullText(root, [...code]);
    const wordsOnly = createRanker(ranker.view, undefined);
    const scored: Scored[] = [];
    for (const task of annotated.tasks) {
      const ask = async (query: string): Promise<readonly Hit[]> => {
        const answer = await app.search.run({ roots: [root], query, kinds: ['code'], limit: MOST_HITS });
        // Below the floor an answer is up to three places without their code.
        return [...answer.hits, ...answer.nearest];
      };
      const hits = await ask(task.query);
      const rewritten: number[] = [];
      for (const how of args.rewrites ? REWRITES : []) {
        const query = rewrite(task.query, how);
        if (query !== undefined) rewritten.push(ndcg(await ask(query), task.relevant));
      }
      const question = readQuestion(task.query);
      scored.push({
        category: task.category,
        product: ndcg(hits, task.relevant),
        lexical: scoreRanking(wordsOnly.rank(question, allowed, WEIGHTS), task),
        fts5: ndcg(plain.find(task.query, DEPTH), task.relevant),
        without: args.ablate
          ? FEATURES.map((feature) =>
              scoreRanking(ranker.rank(question, allowed, { ...WEIGHTS, [feature]: 0 }), task),
            )
          : [],
        rewritten,
        cost: tokenCost(hits, task.relevant),
        found: hits.slice(0, DEPTH).map(renderPlace),
      });
    }
    plain.close();
    return { ...annotated, scored };
  } finally {
    await app.close();
  }
}

function scoreRanking(ranking: Ranking, task: Task): number {
  const shown: Shown[] = ranking.files
    .slice(0, DEPTH)
    .map((file) => ({ path: file.facts.path, ...ranking.chunkOf(file) }));
  return ndcg(shown, task.relevant);
}

function isCode(language: string): boolean {
  return languageKind(language) === 'code';
}

function renderPlace({ path, startLine, endLine }: Hit): string {
  return `${path}:${startLine}-${endLine}`;
}

/** Mean over repositories of the mean over their questions. */
function headline(repositories: readonly ScoredRepository[], pick: (scored: Scored) => number): number {
  return mean(repositories.map(({ scored }) => mean(scored.map(pick))));
}

function printGroups(title: string, groups: ReadonlyMap<string, readonly Scored[]>): void {
  print(`\n| ${title} | questions | Waymark | without vectors | plain FTS5 |\n|---|---|---|---|---|`);
  for (const [name, list] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const cells = [(one: Scored) => one.product, (one: Scored) => one.lexical, (one: Scored) => one.fts5].map(
      (pick) => mean(list.map(pick)).toFixed(3),
    );
    print(`| ${name} | ${list.length} | ${cells.join(' | ')} |`);
  }
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const folder = args.keep ?? mkdtempSync(join(tmpdir(), 'waymark-relevance-'));
mkdirSync(folder, { recursive: true });
const repositories: ScoredRepository[] = [];
try {
  const wanted = readAnnotations(args.annotations).filter(
    ({ name }) => args.only.length === 0 || args.only.includes(name),
  );
  for (const annotated of wanted) {
    const scored = await scoreRepository(annotated, folder);
    repositories.push(scored);
    process.stderr.write(`${annotated.name} ${mean(scored.scored.map((one) => one.product)).toFixed(3)}\n`);
  }
} finally {
  if (args.keep === undefined) rmSync(folder, { recursive: true, force: true });
}

if (args.out !== undefined) {
  const results = Object.fromEntries(
    repositories.map(({ name, tasks, scored }) => [
      name,
      Object.fromEntries(tasks.map(({ query }, at) => [query, scored[at]?.found ?? []])),
    ]),
  );
  writeFileSync(args.out, `${JSON.stringify(results, undefined, 1)}\n`);
}

const all = repositories.flatMap(({ scored }) => scored);
print(
  `NDCG@10, ${repositories.length} repositories, ${all.length} questions, ${args.whole ? 'whole repositories' : 'the folder each annotation names'}`,
);
print('| | Waymark | without vectors | plain FTS5 |\n|---|---|---|---|');
print(
  `| mean over repositories | ${headline(repositories, (one) => one.product).toFixed(4)} | ${headline(repositories, (one) => one.lexical).toFixed(4)} | ${headline(repositories, (one) => one.fts5).toFixed(4)} |`,
);
printGroups(
  'category',
  groupBy(all, (one) => one.category),
);
printGroups(
  'language',
  new Map(
    [...groupBy(repositories, (one) => one.language)].map(([name, list]) => [
      name,
      list.flatMap((one) => one.scored),
    ]),
  ),
);
print(
  `\n| tokens (o200k) | recall within ${WITHIN.join(' / ')} | to the first hit | per hit |\n|---|---|---|---|`,
);
print(
  `| snippets with line numbers, ${MOST_HITS} hits | ${WITHIN.map((_, at) => mean(all.map(({ cost }) => cost.recall[at] ?? 0)).toFixed(3)).join(' / ')} | ${mean(all.map(({ cost }) => cost.first)).toFixed(0)} | ${mean(all.map(({ cost }) => cost.perHit)).toFixed(0)} |`,
);
if (args.rewrites) {
  const sentences = repositories
    .map((one) => ({ ...one, scored: one.scored.filter(({ rewritten }) => rewritten.length > 0) }))
    .filter(({ scored }) => scored.length > 0);
  const asIs = headline(sentences, (one) => one.product);
  print(
    `\n| questions in words, asked | NDCG@10 | change |\n|---|---|---|\n| as they are | ${asIs.toFixed(4)} | |`,
  );
  REWRITES.forEach((how, at) => {
    const other = headline(sentences, (one) => one.rewritten[at] ?? 0);
    print(`| ${how} | ${other.toFixed(4)} | ${(other - asIs).toFixed(4)} |`);
  });
}
if (args.ablate) {
  print('\n| without | NDCG@10 | change |\n|---|---|---|');
  const whole = headline(repositories, (one) => one.product);
  FEATURES.forEach((feature, at) => {
    const left = headline(repositories, (one) => one.without[at] ?? 0);
    print(`| ${feature} | ${left.toFixed(4)} | ${(left - whole).toFixed(4)} |`);
  });
}
