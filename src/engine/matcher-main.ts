/**
 * The module of a thread that runs regular expressions which clients send: built as `dist/match-worker.js`. V8 may need longer than anyone
 * waits for `(a+)+$`, and nothing in its own thread can interrupt it; this one is stopped from outside.
 */
import { createSourceReader } from '../indexing/index.ts';
import { openThreadPort, systemClock } from '../platform/index.ts';
import type { MatchedFile, MatchFilesInput } from '../search/index.ts';

export type FromMatcher =
  /** Sent when it begins and then now and then, so that silence means one file takes too long. */
  | { readonly kind: 'alive'; readonly found: readonly MatchedFile[] }
  | { readonly kind: 'end'; readonly found: readonly MatchedFile[]; readonly why: 'all' | 'limit' | 'slow' };

export interface MatchJob extends MatchFilesInput {
  /** Time limit per CHARS_PER_LIMIT characters, without the reading of files. */
  readonly matchMs: number;
}

const CHARS_PER_LIMIT = 16 * 1024 * 1024;
const SIGN_OF_LIFE_MS = 100;

const port = openThreadPort();
const sources = createSourceReader(systemClock);
const now = systemClock.elapsed;

port.onMessage((message) => {
  // Both sides are of one build.
  run(message as MatchJob);
});

function run({ root, files, source, ignoreCase, limits, matchMs }: MatchJob): void {
  port.send({ kind: 'alive', found: [] } satisfies FromMatcher);
  const pattern = compile(source, ignoreCase);
  let found: MatchedFile[] = [];
  const startedAt = now();
  let toldAt = startedAt;
  let [chars, matchingMs, matchedChars, matchedMs] = [0, 0, 0, 0];
  const end = (why: 'all' | 'limit' | 'slow'): void =>
    port.send({ kind: 'end', found, why } satisfies FromMatcher);
  for (const [at, { path, ...indexed }] of files.entries()) {
    const readingMs = now() - startedAt - matchingMs;
    if (at >= limits.files || chars >= limits.chars || readingMs > limits.readMs) return end('limit');
    const read = sources.read(root, path, indexed);
    if (read === undefined) continue;
    const before = now();
    const lines = linesMatching(read.lines.text, pattern, limits.linesPerFile);
    const tookMs = now() - before;
    if (lines.length > 0) found.push({ path, hash: read.hash, lines });
    chars += read.lines.text.length;
    matchingMs += tookMs;
    matchedChars += read.lines.text.length;
    matchedMs += tookMs;
    if (matchedMs > matchMs) return end('slow');
    if (matchedChars >= CHARS_PER_LIMIT) [matchedChars, matchedMs] = [0, 0];
    if (now() - toldAt < SIGN_OF_LIFE_MS) continue;
    port.send({ kind: 'alive', found } satisfies FromMatcher);
    [found, toldAt] = [[], now()];
  }
  end('all');
}

function linesMatching(text: string, pattern: RegExp, most: number): number[] {
  const found: number[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length && found.length < most; at++)
    if (pattern.test(lines[at] ?? '')) found.push(at + 1);
  return found;
}

function compile(source: string, ignoreCase: boolean): RegExp {
  try {
    return new RegExp(source, ignoreCase ? 'ui' : 'u');
  } catch {
    return new RegExp(source, ignoreCase ? 'i' : '');
  }
}
