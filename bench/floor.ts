/**
 * Where the floor lies: how many of 200 questions without an answer still show code, and what labelled questions lose, at the
 * floor that is built in and beside it.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { languageKind } from '../src/indexing/index.ts';
import { readQuestion, WEIGHTS, type Ranker } from '../src/search/index.ts';
import { UNANSWERABLE, type Unanswerable } from './floor/questions.ts';
import { readAnnotations, type Annotated } from './relevance/annotations.ts';
import { readArguments } from './relevance/arguments.ts';
import { mean, ndcg } from './relevance/ndcg.ts';
import { indexWhole, openProduct } from './relevance/product.ts';

const args = readArguments('npm run bench:floor -- --annotations DIR --repos DIR [--keep DIR]');
const DEPTH = 10;
const PLACES = 3;
const BESIDE = [-2, -1, -0.5, 0, 0.5, 1, 2] as const;
const MOST_SHOWN = 0.05;
const MOST_LOST = 0.001;

interface Labelled {
  readonly repository: string;
  readonly query: string;
  readonly aboveFloor: number;
  readonly ndcg: number;
  /** Of the three places that an answer below the floor names. */
  readonly ofPlaces: number;
}

interface Asked extends Unanswerable {
  readonly aboveFloor: number;
}

async function askRepository(annotated: Annotated, folder: string): Promise<[Labelled[], Asked[]]> {
  const root = join(args.repos, annotated.name, annotated.indexRoot);
  const app = openProduct(folder);
  try {
    await indexWhole(app, root);
    const { ranker } = await app.search.searcher(root);
    // What cannot be told is shown.
    const height = async (query: string): Promise<number> =>
      (await app.search.run({ roots: [root], query, kinds: ['code'] })).aboveFloor ?? Infinity;
    const allowed = codeFiles(ranker);
    const labelled: Labelled[] = [];
    for (const { query, relevant } of annotated.tasks) {
      const ranking = ranker.rank(readQuestion(query), allowed, WEIGHTS);
      const shown = ranking.files
        .slice(0, DEPTH)
        .map((file) => ({ path: file.facts.path, ...ranking.chunkOf(file) }));
      labelled.push({
        repository: annotated.name,
        query,
        aboveFloor: await height(query),
        ndcg: ndcg(shown, relevant),
        ofPlaces: ndcg(shown.slice(0, PLACES), relevant),
      });
    }
    const asked: Asked[] = [];
    for (const question of UNANSWERABLE.filter(({ of }) => of === annotated.name))
      asked.push({ ...question, aboveFloor: await height(question.query) });
    return [labelled, asked];
  } finally {
    await app.close();
  }
}

function codeFiles({ view }: Ranker): Uint8Array {
  const allowed = new Uint8Array(view.fileCount);
  for (const { files, firstFile } of view.segments)
    files.forEach(({ language }, at) => {
      if (languageKind(language) === 'code') allowed[firstFile + at] = 1;
    });
  return allowed;
}

/** Mean over repositories of the mean over their questions. */
function headline(labelled: readonly Labelled[], pick: (one: Labelled) => number): number {
  const names = [...new Set(labelled.map(({ repository }) => repository))];
  return mean(names.map((name) => mean(labelled.filter(({ repository }) => repository === name).map(pick))));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const folder = args.keep ?? mkdtempSync(join(tmpdir(), 'waymark-floor-'));
mkdirSync(folder, { recursive: true });
const labelled: Labelled[] = [];
const asked: Asked[] = [];
try {
  for (const annotated of readAnnotations(args.annotations)) {
    const [known, unknown] = await askRepository(annotated, folder);
    labelled.push(...known);
    asked.push(...unknown);
    process.stderr.write(`${annotated.name}\n`);
  }
} finally {
  if (args.keep === undefined) rmSync(folder, { recursive: true, force: true });
}

const whole = headline(labelled, (one) => one.ndcg);
print(
  `${asked.length} questions without an answer, ${labelled.length} labelled ones; NDCG@10 without a floor ${whole.toFixed(4)}\n`,
);
print(
  '| floor | code shown without an answer | made-up words | sentences | of other projects | NDCG@10 lost | labelled without code | NDCG@10 lost if places count nothing |',
);
print('|---|---|---|---|---|---|---|---|');
for (const by of BESIDE) {
  const shownOf = (list: readonly Asked[]): string =>
    `${((100 * list.filter(({ aboveFloor }) => aboveFloor >= by).length) / list.length).toFixed(1)} %`;
  const ofKind = (kind: Unanswerable['kind']): string => shownOf(asked.filter((one) => one.kind === kind));
  const isShown = ({ aboveFloor }: Labelled): boolean => aboveFloor >= by;
  const lost = whole - headline(labelled, (one) => (isShown(one) ? one.ndcg : one.ofPlaces));
  const strict = whole - headline(labelled, (one) => (isShown(one) ? one.ndcg : 0));
  const cells = [
    by === 0 ? '**as built in**' : `${by > 0 ? '+' : ''}${by}`,
    shownOf(asked),
    ofKind('word'),
    ofKind('sentence'),
    ofKind('foreign'),
    lost.toFixed(4),
    `${labelled.filter((one) => !isShown(one)).length} of ${labelled.length}`,
    strict.toFixed(4),
  ];
  print(`| ${cells.join(' | ')} |`);
}
print('\nShown without an answer:');
for (const { of, query } of asked.filter(({ aboveFloor }) => aboveFloor >= 0)) print(`- ${of}: ${query}`);
print('\nLabelled, below the floor:');
for (const { repository, query } of labelled.filter(({ aboveFloor }) => aboveFloor < 0))
  print(`- ${repository}: ${query}`);
const shown = asked.filter(({ aboveFloor }) => aboveFloor >= 0).length / asked.length;
const lost = whole - headline(labelled, (one) => (one.aboveFloor >= 0 ? one.ndcg : one.ofPlaces));
process.exitCode = shown <= MOST_SHOWN && lost <= MOST_LOST ? 0 : 1;
