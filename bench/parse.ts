/** How fast the exact pass reads a folder, against reading and hashing the same files and against the fast outline in the same run. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chunkFile } from '../src/indexing/index.ts';
import {
  languageOf,
  outline,
  createExactParser,
  isParsable,
  PARSER_LIMITS,
  type ParseRequest,
} from '../src/languages/index.ts';
import { decodeText } from '../src/text/index.ts';

const MOST_FILE_BYTES = 1_000_000;
const MOST_BYTES = 64_000_000;
const SKIPPED = new Set(['.git', '.hg', '.svn']);

interface Tally {
  files: number;
  chars: number;
  definitions: number;
  unread: number;
  failed: number;
}

function pathsBelow(root: string): string[] {
  const found: string[] = [];
  let bytes = 0;
  const waiting = [root];
  for (let folder = waiting.pop(); folder !== undefined && bytes < MOST_BYTES; folder = waiting.pop()) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) waiting.push(path);
      if (!entry.isFile() || !isParsable(languageOf(entry.name) ?? '')) continue;
      const { size } = statSync(path);
      if (size > MOST_FILE_BYTES) continue;
      bytes += size;
      found.push(path);
    }
  }
  return found;
}

function readAndHash(paths: readonly string[]): number {
  const startedAt = performance.now();
  for (const path of paths) createHash('sha256').update(readFileSync(path)).digest();
  return performance.now() - startedAt;
}

function emptyTally(): Tally {
  return { files: 0, chars: 0, definitions: 0, unread: 0, failed: 0 };
}

const { values, positionals } = parseArgs({
  options: { children: { type: 'string' } },
  allowPositionals: true,
});
const root = resolve(positionals[0] ?? '.');
const children = Number(values.children ?? PARSER_LIMITS.children);
const paths = pathsBelow(root);
readAndHash(paths);
const hashMs = readAndHash(paths);

const requests = paths.map((path): ParseRequest => {
  const text = decodeText(readFileSync(path)).text;
  return { path: relative(root, path), language: languageOf(path, text.split('\n', 1)[0]) ?? '', text };
});
const chars = requests.reduce((sum, { text }) => sum + text.length, 0);

const outlineStartedAt = performance.now();
for (const { language, text } of requests) {
  const lines = text.split('\n');
  // Every parsable language has an outliner under the same name.
  chunkFile(lines, outline(language as Parameters<typeof outline>[0], lines));
}
const outlineMs = performance.now() - outlineStartedAt;

const languages = new Map(requests.map(({ path, language }) => [path, language]));
const tallies = new Map<string, Tally>();
const failures: string[] = [];
const parser = createExactParser({ limits: { children } });
const parseStartedAt = performance.now();
let firstMs = 0;
const sizes = new Map(requests.map(({ path, text }) => [path, text.length]));
for await (const outcome of parser.parse(requests, new AbortController().signal)) {
  if (firstMs === 0) firstMs = performance.now() - parseStartedAt;
  for (const key of [languages.get(outcome.path) ?? '', 'all']) {
    const tally = tallies.get(key) ?? emptyTally();
    tallies.set(key, tally);
    const size = sizes.get(outcome.path) ?? 0;
    tally.files++;
    tally.chars += size;
    if (outcome.kind === 'failed') tally.failed++;
    else {
      tally.definitions += outcome.definitions.length;
      tally.unread += outcome.errorShare * size;
    }
  }
  if (outcome.kind === 'failed') failures.push(`${outcome.path}: ${outcome.detail}`);
}
const parseMs = performance.now() - parseStartedAt;
parser.close();

const speed = (ms: number): string => (chars / 1_000 / ms).toFixed(1);
process.stdout.write(
  `${requests.length} files, ${(chars / 1e6).toFixed(2)} MB (millions of characters), Node ${process.version}, ${children} children\n`,
);
process.stdout.write('| what | ms | MB/s | × reading and hashing |\n|---|---|---|---|\n');
for (const [what, ms] of [
  ['read and hash, one thread', hashMs],
  ['fast outline and chunks, one thread', outlineMs],
  ['exact pass: definitions and facts; start of the children included', parseMs],
] as const) {
  process.stdout.write(`| ${what} | ${ms.toFixed(0)} | ${speed(ms)} | ${(ms / hashMs).toFixed(1)} |\n`);
}
process.stdout.write(`first file after ${firstMs.toFixed(0)} ms\n\n`);
process.stdout.write('| language | files | MB | definitions | not read % | failed |\n');
process.stdout.write('|---|---|---|---|---|---|\n');
for (const [language, tally] of [...tallies].sort((a, b) => b[1].chars - a[1].chars)) {
  const { files, definitions, unread, failed } = tally;
  process.stdout.write(
    `| ${language} | ${files} | ${(tally.chars / 1e6).toFixed(2)} | ${definitions} | ${((unread / Math.max(1, tally.chars)) * 100).toFixed(2)} | ${failed} |\n`,
  );
}
for (const failure of failures.slice(0, 50)) process.stdout.write(`failed ${failure}\n`);
