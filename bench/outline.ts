/** How fast files are outlined and chunked on one core, against splitting the same texts into lines in the same run. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chunkFile } from '../src/indexing/index.ts';
import { languageOf, outline, type LanguageId } from '../src/languages/index.ts';

const GOAL_MB_PER_S = 20;
const ROUNDS = 5;
const MOST_FILE_BYTES = 1_000_000;
const MOST_BYTES = 64_000_000;
const SKIPPED = new Set(['.git', '.hg', '.svn']);

interface Source {
  readonly path: string;
  readonly language: LanguageId;
  readonly text: string;
}

interface Tally {
  files: number;
  chars: number;
  definitions: number;
  chunks: number;
  splitMs: number;
  outlineMs: number;
  chunkMs: number;
}

function readSources(root: string): Source[] {
  const found: Source[] = [];
  let bytes = 0;
  const waiting = [root];
  for (let folder = waiting.pop(); folder !== undefined && bytes < MOST_BYTES; folder = waiting.pop()) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) waiting.push(path);
      const language = entry.isFile() ? languageOf(entry.name) : undefined;
      if (language === undefined || statSync(path).size > MOST_FILE_BYTES) continue;
      const text = readFileSync(path, 'utf8');
      if (text.slice(0, 8_000).includes('\0')) continue;
      bytes += text.length;
      found.push({ path, language, text });
    }
  }
  return found;
}

/** Adds this round's times to the tallies; the first call also counts. */
function runRound(sources: readonly Source[], tallies: Map<string, Tally>): void {
  for (const { language, text } of sources) {
    const startedAt = cpuMs();
    const lines = text.split('\n');
    const splitAt = cpuMs();
    const definitions = outline(language, lines);
    const outlinedAt = cpuMs();
    const chunks = chunkFile(lines, definitions);
    const chunkedAt = cpuMs();
    for (const key of [language, 'all']) {
      const tally = tallies.get(key) ?? emptyTally();
      tallies.set(key, tally);
      tally.files++;
      tally.chars += text.length;
      tally.definitions += definitions.length;
      tally.chunks += chunks.length;
      tally.splitMs += splitAt - startedAt;
      tally.outlineMs += outlinedAt - splitAt;
      tally.chunkMs += chunkedAt - outlinedAt;
    }
  }
}

/** What this process used, so that a busy machine changes little. */
function cpuMs(): number {
  return process.cpuUsage().user / 1_000;
}

function emptyTally(): Tally {
  return { files: 0, chars: 0, definitions: 0, chunks: 0, splitMs: 0, outlineMs: 0, chunkMs: 0 };
}

function speed(chars: number, ms: number): string {
  return (chars / 1_000 / ms).toFixed(1);
}

const root = resolve(process.argv[2] ?? '.');
const sources = readSources(root);
runRound(sources, new Map());
const rounds = Array.from({ length: ROUNDS }, () => {
  const tallies = new Map<string, Tally>();
  runRound(sources, tallies);
  return tallies;
});
const totalMs = (round: ReadonlyMap<string, Tally>): number => {
  const all = round.get('all') ?? emptyTally();
  return all.outlineMs + all.chunkMs;
};
const middle = rounds.toSorted((a, b) => totalMs(a) - totalMs(b))[Math.floor(ROUNDS / 2)] ?? new Map();
process.stdout.write(
  `outline and chunks, processor time, median of ${ROUNDS} rounds, Node ${process.version}\n`,
);
process.stdout.write(
  'MB are millions of characters; × is the time of outline + chunks over splitting into lines\n',
);
process.stdout.write(
  '| language | files | MB | definitions | chunks | split MB/s | outline MB/s | chunk MB/s | both MB/s | × |\n',
);
process.stdout.write('|---|---|---|---|---|---|---|---|---|---|\n');
for (const [language, tally] of [...middle].sort((a, b) => b[1].chars - a[1].chars)) {
  const { files, chars, definitions, chunks, splitMs, outlineMs, chunkMs } = tally;
  const both = outlineMs + chunkMs;
  process.stdout.write(
    `| ${language} | ${files} | ${(chars / 1e6).toFixed(2)} | ${definitions} | ${chunks} | ${speed(chars, splitMs)} | ${speed(chars, outlineMs)} | ${speed(chars, chunkMs)} | ${speed(chars, both)} | ${(both / splitMs).toFixed(1)} |\n`,
  );
}
const all = middle.get('all') ?? emptyTally();
const reached = all.chars / 1_000 / (all.outlineMs + all.chunkMs);
const met = reached >= GOAL_MB_PER_S;
process.stdout.write(
  `goal: at least ${GOAL_MB_PER_S} MB/s for both: ${reached.toFixed(1)}, ${met ? 'met' : 'missed'}\n`,
);
process.exit(met ? 0 : 1);
