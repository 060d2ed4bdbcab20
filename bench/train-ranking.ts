/**
 * Learns the weights of ranking from labelled questions and writes src/search/rank/weights.ts. Each repository is used twice: the
 * folder its annotation names, and as a whole, which teaches what tests and examples are worth. Prints how the weights do on
 * repositories they were not learnt from.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { languageKind } from '../src/languages/index.ts';
import { FEATURES, readQuestion, WEIGHTS, type Weights } from '../src/search/index.ts';
import { readAnnotations, type Annotated, type Task } from './relevance/annotations.ts';
import { readArguments } from './relevance/arguments.ts';
import { isSamePath, mean, ndcg } from './relevance/ndcg.ts';
import { indexWhole, openProduct } from './relevance/product.ts';
import { learn, type Example } from './relevance/train.ts';

interface Labelled extends Example {
  readonly whole: boolean;
  readonly task: Task;
  readonly shown: readonly { path: string; startLine: number; endLine: number }[];
}

const args = readArguments(
  'npm run train:ranking -- --annotations DIR --repos DIR [--only NAME,NAME] [--without FEATURE,FEATURE]',
);

async function collect(annotated: Annotated, whole: boolean, folder: string): Promise<Labelled[]> {
  const root = join(args.repos, annotated.name, whole ? '' : annotated.indexRoot);
  const app = openProduct(folder);
  try {
    await indexWhole(app, root);
    const { ranker } = await app.search.searcher(root);
    const allowed = new Uint8Array(ranker.view.fileCount);
    for (const { files, firstFile } of ranker.view.segments)
      files.forEach(
        ({ language }, at) => (allowed[firstFile + at] = languageKind(language) === 'code' ? 1 : 0),
      );
    return annotated.tasks.map((task) => {
      const ranking = ranker.rank(readQuestion(task.query), allowed, WEIGHTS);
      return {
        repository: annotated.name,
        whole,
        task,
        rows: ranking.files.map(({ features }) =>
          Float64Array.from(FEATURES, (feature) => (args.without.includes(feature) ? 0 : features[feature])),
        ),
        relevant: ranking.files.map(({ facts }) =>
          task.relevant.some(({ path }) => isSamePath(facts.path, path)),
        ),
        shown: ranking.files.map((file) => ({ path: file.facts.path, ...ranking.chunkOf(file) })),
      };
    });
  } finally {
    await app.close();
  }
}

function evaluate(examples: readonly Labelled[], weights: Float64Array): number {
  const byRepository = new Map<string, number[]>();
  for (const { repository, rows, shown, task } of examples) {
    const ranked = rows
      .map((row, at) => ({ at, score: row.reduce((sum, value, d) => sum + value * (weights[d] ?? 0), 0) }))
      .sort((a, b) => b.score - a.score)
      .flatMap(({ at }) => shown[at] ?? []);
    byRepository.set(repository, [...(byRepository.get(repository) ?? []), ndcg(ranked, task.relevant)]);
  }
  return mean([...byRepository.values()].map((scores) => mean(scores)));
}

const WEIGHTS_FILE = 'src/search/rank/weights.ts';

/** Those of pasted texts, which are behind them in the file, stay. */
function writeWeights(weights: Weights): void {
  const lines = FEATURES.map((feature) => `  ${feature}: ${weights[feature]},`);
  const block = `export const WEIGHTS: Weights = {\n${lines.join('\n')}\n};\n`;
  const before = readFileSync(WEIGHTS_FILE, 'utf8');
  writeFileSync(
    WEIGHTS_FILE,
    before.replace(/export const WEIGHTS: Weights = \{[^}]*\};\n/, () => block),
  );
}

const folder = mkdtempSync(join(tmpdir(), 'waymark-train-'));
const examples: Labelled[] = [];
try {
  for (const annotated of readAnnotations(args.annotations)) {
    if (args.only.length > 0 && !args.only.includes(annotated.name)) continue;
    for (const whole of [false, true]) examples.push(...(await collect(annotated, whole, folder)));
    process.stderr.write(`${annotated.name}\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const start = Float64Array.from(FEATURES, (feature) => WEIGHTS[feature]);
const learnt = learn(examples, start).map((value) => Math.round(value * 100) / 100);
const folders = examples.filter(({ whole }) => !whole);
const wholes = examples.filter(({ whole }) => whole);
const left: { folders: number[]; wholes: number[] } = { folders: [], wholes: [] };
for (const repository of new Set(examples.map((example) => example.repository))) {
  const weights = learn(
    examples.filter((example) => example.repository !== repository),
    learnt,
  );
  const own = (list: readonly Labelled[]): Labelled[] =>
    list.filter((example) => example.repository === repository);
  left.folders.push(evaluate(own(folders), weights));
  left.wholes.push(evaluate(own(wholes), weights));
}
const table = [
  '| NDCG@10 | named folders | whole repositories |\n|---|---|---|',
  `| weights before | ${evaluate(folders, start).toFixed(4)} | ${evaluate(wholes, start).toFixed(4)} |`,
  `| learnt, in sample | ${evaluate(folders, learnt).toFixed(4)} | ${evaluate(wholes, learnt).toFixed(4)} |`,
  `| learnt without the repository itself | ${mean(left.folders).toFixed(4)} | ${mean(left.wholes).toFixed(4)} |`,
];
process.stdout.write(`${table.join('\n')}\n`);
// Every feature has a weight: the order of FEATURES is the order of the numbers. What is tried without some of them, or on some repositories, is not written.
if (args.only.length + args.without.length === 0)
  // Every feature has its number, so it is all of them.
  writeWeights(Object.fromEntries(FEATURES.map((feature, at) => [feature, learnt[at] ?? 0])) as Weights);
