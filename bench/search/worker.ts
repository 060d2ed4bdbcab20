/**
 * The process that is measured. `worker ROOT HOME QUESTIONS`: indexes as `waymark index` does, if need be, then asks, and prints
 * one line of JSON. Run twice: the second one finds an index that has come to rest, and is the one that counts.
 */
import { readFileSync } from 'node:fs';
import { tuneV8 } from '../../src/platform/index.ts';
import { readQuestion } from '../../src/search/index.ts';
import { openProduct } from '../relevance/product.ts';
import { quietestRound } from './quiet-round.ts';
import { treeStats } from './tree-stats.ts';

const [root = '', home = '', questionFile = ''] = process.argv.slice(2);
// The bench wrote it: a list of questions.
const questions = JSON.parse(readFileSync(questionFile, 'utf8')) as string[];
const REPORTS = 40;
const WORDS = 2_000;

/** A title, prose, code and a stack trace, made of the words of other questions. */
function reportOf(number: number): string {
  const lines: string[] = [];
  let words = 0;
  for (let at = number * 7; words < WORDS; at++) {
    const question = questions[at % questions.length] ?? 'x';
    const [first = 'x', second = 'y'] = question.split(' ');
    const forms = [
      question,
      `When ${question} is called, "${question}" is what it says`,
      `  const ${first} = ${second}.${first}(${question.replaceAll(' ', ', ')});`,
      `    at ${second}.${first} (src/${first}/${second}.ts:${at}:7)`,
    ];
    const line = at % forms.length === 2 ? `\`\`\`\n${forms[2]}\n\`\`\`` : (forms[at % forms.length] ?? '');
    lines.push(lines.length === 0 ? question : line);
    words += line.split(/\s+/).length;
  }
  return lines.join('\n');
}

// As servers do.
tuneV8();
const app = openProduct(home);
const indexStarted = performance.now();
const indexed = await app.indexing.run(root, { signal: new AbortController().signal });
const indexMs = performance.now() - indexStarted;
if (indexed.kind === 'done' && indexed.indexed > 0) {
  const keepStarted = performance.now();
  await app.search.keep(root, 'whole');
  const keepMs = performance.now() - keepStarted;
  const stats = await treeStats(
    await app.indexing.store(root),
    questions.map((query) => [...readQuestion(query).tokens.keys()]),
  );
  await app.close();
  process.stdout.write(`${JSON.stringify({ indexMs, keepMs, stats })}\n`);
  process.exit(0);
}
const loadStarted = performance.now();
await app.search.run({ roots: [root], query: 'the first question pays for loading' });
const loadMs = performance.now() - loadStarted;
const { p50, p95 } = await quietestRound(questions, (query) => app.search.run({ roots: [root], query }));
const reports = Array.from({ length: REPORTS }, (_, at) => reportOf(at));
const report = await quietestRound(reports, (query) => app.search.run({ roots: [root], query }));
const { chunks } = await app.indexing.stats(root);
await app.close();
process.stdout.write(
  `${JSON.stringify({ chunks, indexMs, loadMs, p50, p95, reportP50: report.p50, reportP95: report.p95, rssMb: process.memoryUsage.rss() / 1024 / 1024, peakMb: process.resourceUsage().maxRSS / 1024 })}\n`,
);
