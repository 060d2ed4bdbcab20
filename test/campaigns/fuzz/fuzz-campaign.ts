/** Has cases of one kind tried in processes of their own, and watches time, memory and ends of those. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundleEntry, type BundledEntry } from '../../support/bundle-entry.ts';
import type { LineCoverage } from './coverage.ts';
import type { Said } from './said.ts';

export interface FuzzOptions {
  /** The bundled child, where several runs share it. */
  readonly program?: string;
  readonly kind: string;
  readonly seed: number;
  readonly from?: number;
  readonly cases: number;
  /** Processes at a time. */
  readonly lanes?: number;
  /** Where cases work; best in memory, because they write a lot. */
  readonly folder: string;
  /** Where cases are kept with which something is wrong. */
  readonly keep?: string;
}

export interface FuzzFinding {
  readonly index: number;
  readonly name: string;
  readonly what: string;
  /** The file with the case's bytes. */
  readonly kept?: string;
}

export interface FuzzReport {
  readonly cases: number;
  readonly seconds: number;
  readonly slowestMs: number;
  readonly findings: readonly FuzzFinding[];
  /** The most by which memory at rest grew in one process. */
  readonly grownMb: number;
  readonly lines: number;
  readonly linesRun: number;
}

const MOST_MS = 1_000;
const MOST_MB = 100;
/** Nothing was heard for so long, on a machine that may do much else: the case has no end. */
const PATIENCE_MS = 90_000;
const CASES_PER_PROCESS = 5_000;
const MOST_FINDINGS = 30;
/**
 * Left to itself glibc learns from a freed block of 12 MB to keep up to 24 MB for later: what is free then looks as if it were held.
 * So what is freed goes back to the system.
 */
const GIVES_BACK = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' } as const;
/** Other work may have had the processor: what was slow or large once is tried again, alone. */
const TRIES = 2;

type Done = Extract<Said, { kind: 'done' }>;
type End = Extract<Said, { kind: 'end' }>;

export function bundleFuzzChild(): Promise<BundledEntry> {
  // Coverage is told by lines.
  return bundleEntry('test/campaigns/fuzz/fuzz-child.ts', { lines: 'as written' });
}

export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  if (options.program !== undefined) return runWith(options.program, options);
  const child = await bundleFuzzChild();
  try {
    return await runWith(child.absPath, options);
  } finally {
    child.remove();
  }
}

async function runWith(program: string, options: FuzzOptions): Promise<FuzzReport> {
  const { from = 0, cases, lanes = 1, keep } = options;
  const started = performance.now();
  const findings: FuzzFinding[] = [];
  const ran = new Set<number>();
  let [next, done, slowestMs, grownMb, lines] = [from, 0, 0, 0, 0];
  const note = ({ index, name, bytes }: Pick<Done, 'index' | 'name' | 'bytes'>, what: string): void => {
    const kept =
      keep === undefined || bytes === undefined ? undefined : keepBytes(keep, options, index, bytes);
    findings.push({ index, name, what, ...(kept === undefined ? {} : { kept }) });
  };
  const seen = (coverage: LineCoverage): void => {
    lines = Math.max(lines, coverage.lines);
    for (const line of coverage.ran) ran.add(line);
  };
  const work = async (): Promise<void> => {
    while (next < from + cases && findings.length < MOST_FINDINGS) {
      const start = next;
      next = Math.min(from + cases, start + CASES_PER_PROCESS);
      for (let at = start, until = next; at < until && findings.length < MOST_FINDINGS;) {
        const suspects: Done[] = [];
        const row = await tryRow(program, options, at, until, (one) => {
          done += 1;
          slowestMs = Math.max(slowestMs, one.ms);
          if (one.wrong !== undefined) note(one, one.wrong);
          else if (one.ms > MOST_MS || one.grownMb > MOST_MB) suspects.push(one);
        });
        for (const suspect of suspects) {
          const again = await tryAgain(program, options, suspect.index);
          if (again !== undefined) note(again.one, again.what);
        }
        if (row.end === undefined) {
          done += 1;
          const again = await tryAgain(program, options, row.last);
          note(
            again?.one ?? { index: row.last, name: '', bytes: undefined },
            again?.what ?? `it ended only among others: ${row.how}`,
          );
          at = row.last + 1;
        } else {
          grownMb = Math.max(grownMb, row.end.grownMb);
          seen(row.end.coverage);
          at = until;
        }
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
  const seconds = (performance.now() - started) / 1000;
  return { cases: done, seconds, slowestMs, findings, grownMb, lines, linesRun: ran.size };
}

/** One case in a process of its own; undefined if nothing is wrong with it. */
async function tryAgain(
  program: string,
  options: FuzzOptions,
  index: number,
): Promise<{ readonly one: Pick<Done, 'index' | 'name' | 'bytes'>; readonly what: string } | undefined> {
  let last: { readonly one: Pick<Done, 'index' | 'name' | 'bytes'>; readonly what: string } | undefined;
  for (let turn = 0; turn < TRIES; turn++) {
    let one: Done | undefined;
    const { end, how } = await tryRow(program, options, index, index + 1, (tried) => (one = tried));
    if (one === undefined || end === undefined)
      last = { one: one ?? { index, name: '', bytes: undefined }, what: how };
    else if (one.wrong !== undefined) return { one, what: one.wrong };
    else if (one.ms > MOST_MS) last = { one, what: `it took ${Math.round(one.ms)} ms` };
    else if (one.grownMb > MOST_MB) last = { one, what: `memory rose by ${Math.round(one.grownMb)} MB` };
    else return undefined;
  }
  return last;
}

interface Row {
  readonly end: End | undefined;
  /** The case that was tried last. */
  readonly last: number;
  readonly how: string;
}

async function tryRow(
  program: string,
  { kind, seed, folder, from: first = 0 }: FuzzOptions,
  from: number,
  to: number,
  hear: (done: Done) => void,
): Promise<Row> {
  const place = mkdtempSync(join(folder, `${kind}-`));
  const isCounted = from < first + CASES_PER_PROCESS && to > from + 1;
  const words = [kind, seed, from, to, place, isCounted ? 'counted' : ''].map(String);
  const child = spawn(process.execPath, ['--expose-gc', program, ...words], {
    env: { ...process.env, ...GIVES_BACK },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [last, complaints, isHung] = [from, '', false];
  let end: End | undefined;
  const impatience = (): NodeJS.Timeout =>
    setTimeout(() => {
      isHung = true;
      child.kill('SIGKILL');
    }, PATIENCE_MS);
  let timer = impatience();
  child.stderr
    .setEncoding('utf8')
    .on('data', (text: string) => (complaints = (complaints + text).slice(-2_000)));
  const ended = new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(String(signal ?? code)));
  });
  for await (const line of createInterface({ input: child.stdout })) {
    clearTimeout(timer);
    timer = impatience();
    // The child is ours: each of its lines is one that it said, unless it was cut by its end.
    const said = (line.endsWith('}') ? JSON.parse(line) : { kind: 'at', index: last }) as Said;
    if (said.kind === 'at') last = said.index;
    else if (said.kind === 'done') hear(said);
    else end = said;
  }
  const how = await ended;
  clearTimeout(timer);
  rmSync(place, { recursive: true, force: true });
  const why = isHung
    ? `no end after ${PATIENCE_MS / 1000} s`
    : `the process ended with ${how}: ${complaints.slice(-600)}`;
  return { end: how === '0' ? end : undefined, last, how: why };
}

function keepBytes(folder: string, { kind, seed }: FuzzOptions, index: number, bytes: string): string {
  mkdirSync(folder, { recursive: true });
  const absPath = join(folder, `${kind}-${seed}-${index}.bin`);
  writeFileSync(absPath, Buffer.from(bytes, 'base64'));
  return absPath;
}
