/**
 * Where the floor lies: how many of 200 questions without an answer still show code, and what labelled questions lose, at the
 * floor that is built in and beside it. Labelled ones are asked once more cut to a few words; `--whole` asks whole repositories
 * as users do. The questions about this repository and the titles of `--issues FILE` are held out: no weight is fitted on them.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAsker, type Answered } from './floor/ask.ts';
import { readIssues } from './floor/issues.ts';
import { OWN_QUESTIONS } from './floor/own-questions.ts';
import { UNANSWERABLE, type Unanswerable } from './floor/questions.ts';
import { shorten } from './floor/shorten.ts';
import { readAnnotations, type Annotated } from './relevance/annotations.ts';
import { readArguments } from './relevance/arguments.ts';
import { mean } from './relevance/ndcg.ts';
import { indexWhole, openProduct } from './relevance/product.ts';

const args = readArguments(
  'npm run bench:floor -- --annotations DIR --repos DIR [--whole] [--issues FILE] [--only NAMES] [--keep DIR]',
);
const BESIDE = [-2, -1, -0.5, 0, 0.5, 1, 2] as const;
const MOST_SHOWN = 0.05;
const MOST_LOST = 0.001;
/** Cut short, a question may ask for something else; it is the same one if its answer is still among the first. */
const STILL_FOUND = 5;

type Labelled = Answered & { readonly repository: string };
type Asked = Unanswerable & { readonly aboveFloor: number };

const labelled: Labelled[] = [];
const short: Labelled[] = [];
const issues: Labelled[] = [];
const asked: Asked[] = [];
const own: Labelled[] = [];
const ownSentences: Asked[] = [];

async function askRepository(annotated: Annotated, folder: string): Promise<void> {
  const { name: repository, tasks } = annotated;
  const root = join(args.repos, repository, args.whole ? '' : annotated.indexRoot);
  const app = openProduct(folder);
  try {
    await indexWhole(app, root);
    const asker = await createAsker(app, root, { files: args.whole ? 'all' : 'code' });
    for (const [at, task] of tasks.entries()) {
      labelled.push({ repository, ...(await asker.ask(task)) });
      const query = shorten(task.query, at);
      const cut = query === '' ? undefined : await asker.ask({ ...task, query });
      if (cut !== undefined && cut.rank >= 0 && cut.rank < STILL_FOUND) short.push({ repository, ...cut });
    }
    for (const question of UNANSWERABLE.filter(({ of }) => of === repository))
      asked.push({ ...question, aboveFloor: await asker.height(question.query) });
    if (args.whole && args.issues !== undefined)
      for (const task of readIssues(args.issues, repository))
        issues.push({ repository, ...(await asker.ask(task)) });
  } finally {
    await app.close();
  }
}

async function askOwn(folder: string): Promise<void> {
  const root = process.cwd();
  const app = openProduct(folder);
  try {
    await indexWhole(app, root);
    const asker = await createAsker(app, root, { files: 'all', without: 'bench/floor' });
    for (const { query, path } of OWN_QUESTIONS) {
      const relevant = [{ path, start: null, end: null }];
      own.push({ repository: 'this repository', ...(await asker.ask({ query, relevant })) });
    }
    for (const question of UNANSWERABLE.filter(({ kind }) => kind === 'sentence'))
      ownSentences.push({ ...question, aboveFloor: await asker.height(question.query) });
  } finally {
    await app.close();
  }
}

/** Mean over repositories of the mean over their questions. */
function headline(pick: (one: Labelled) => number): number {
  const names = [...new Set(labelled.map(({ repository }) => repository))];
  return mean(names.map((name) => mean(labelled.filter(({ repository }) => repository === name).map(pick))));
}

interface Height {
  readonly aboveFloor: number;
}

function hidden(list: readonly Height[], by: number): string {
  return `${list.filter(({ aboveFloor }) => aboveFloor < by).length} of ${list.length}`;
}

function shown(list: readonly Height[], by: number): string {
  return `${((100 * list.filter(({ aboveFloor }) => aboveFloor >= by).length) / list.length).toFixed(1)} %`;
}

function lostBy(by: number, ofHidden: (one: Labelled) => number): number {
  const all = headline((one) => one.ndcg);
  return all - headline((one) => (one.aboveFloor >= by ? one.ndcg : ofHidden(one)));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function printTable(columns: Readonly<Record<string, (by: number) => string>>): void {
  print(
    `\n| floor | ${Object.keys(columns).join(' | ')} |\n|---|${'---|'.repeat(Object.keys(columns).length)}`,
  );
  for (const by of BESIDE) {
    const name = by === 0 ? '**as built in**' : `${by > 0 ? '+' : ''}${by}`;
    print(`| ${[name, ...Object.values(columns).map((cell) => cell(by))].join(' | ')} |`);
  }
}

function printBelow(title: string, list: readonly Labelled[]): void {
  print(`\n${title}:`);
  for (const { repository, query, rank } of list.filter(({ aboveFloor }) => aboveFloor < 0))
    print(`- ${repository}: ${query} (${rank < 0 ? 'not among the first ten' : `rank ${rank + 1}`})`);
}

const folder = args.keep ?? mkdtempSync(join(tmpdir(), 'waymark-floor-'));
mkdirSync(folder, { recursive: true });
try {
  await askOwn(folder);
  for (const annotated of readAnnotations(args.annotations)) {
    if (args.only.length > 0 && !args.only.includes(annotated.name)) continue;
    await askRepository(annotated, folder);
    process.stderr.write(`${annotated.name}\n`);
  }
} finally {
  if (args.keep === undefined) rmSync(folder, { recursive: true, force: true });
}

const ofKind = (kind: Unanswerable['kind']) => (by: number) =>
  shown(
    asked.filter((one) => one.kind === kind),
    by,
  );
print(
  `${asked.length} questions without an answer, ${labelled.length} labelled ones, of ${args.whole ? 'whole repositories' : 'the folder each annotation names'}; NDCG@10 without a floor ${headline((one) => one.ndcg).toFixed(4)}`,
);
printTable({
  'code shown without an answer': (by) => shown(asked, by),
  'made-up words': ofKind('word'),
  sentences: ofKind('sentence'),
  'of other projects': ofKind('foreign'),
  'NDCG@10 lost': (by) => lostBy(by, (one) => one.ofPlaces).toFixed(4),
  'labelled without code': (by) => hidden(labelled, by),
  'NDCG@10 lost if places count nothing': (by) => lostBy(by, () => 0).toFixed(4),
  'cut to a few words, without code': (by) => hidden(short, by),
});
print('\nHeld out: this repository, and issues');
printTable({
  'questions without code': (by) => hidden(own, by),
  'sentences about other things that show code': (by) => shown(ownSentences, by),
  ...(issues.length === 0 ? {} : { 'issue titles without code': (by: number) => hidden(issues, by) }),
});
print('\nShown without an answer:');
for (const { of, query } of asked.filter(({ aboveFloor }) => aboveFloor >= 0)) print(`- ${of}: ${query}`);
printBelow('Labelled, below the floor', labelled);
printBelow('Held out, below the floor', [...own, ...issues]);
const shareShown = asked.filter(({ aboveFloor }) => aboveFloor >= 0).length / asked.length;
// Whole repositories hold answers to some of these questions: there the figures inform, and decide nothing.
const isMet = shareShown <= MOST_SHOWN && lostBy(0, (one) => one.ofPlaces) <= MOST_LOST;
process.exitCode = args.whole || isMet ? 0 : 1;
