/** Records what a saving process asks of the disk, then lets the power fail at many points of it. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openPlainMemory, ROOT } from '../../support/plain-memory.ts';
import { keysIn } from './campaign-text.ts';
import { QUICK_ENCODER } from './quick-encoder.ts';
import { LossyDisk, parseTrace, type TraceEvent } from './power-trace.ts';

export interface PowerReport {
  readonly points: number;
  readonly saves: number;
  readonly syncs: number;
  /** Acknowledged before the point and not there after it, over all points. */
  readonly lost: number;
  readonly unsound: number;
  /** Points at which the memory could not be opened. */
  readonly failures: readonly string[];
}

/** The bundled driver keeps the files of a closed connection open until its statements are collected. */
const COLLECT_EVERY = 200;
const CALLS = 'openat,close,pwrite64,write,ftruncate,fsync,fdatasync,unlink,rename';

export function hasStrace(): boolean {
  return spawnSync('strace', ['-V']).status === 0;
}

export interface PowerOptions {
  readonly program: string;
  readonly folder: string;
  readonly points: number;
  readonly saves: number;
  readonly random: () => number;
}

export async function runPowerLoss(options: PowerOptions): Promise<PowerReport> {
  const { folder, points, random } = options;
  const events = record(options);
  const moments = Array.from({ length: points }, () => Math.floor(random() * events.length)).toSorted(
    (a, b) => a - b,
  );
  const failures: string[] = [];
  let [lost, unsound, next] = [0, 0, 0];
  const disk = new LossyDisk();
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  const acknowledged: string[] = [];
  for (const [index, event] of events.entries()) {
    for (; moments[next] === index; next++) {
      const found = await reopen(join(folder, `point-${next}`), disk.afterPowerLoss(random));
      if (next % COLLECT_EVERY === 0 && typeof collect === 'function') {
        collect();
        // Their finalizers run between two turns of the event loop.
        await nextTurn();
      }
      if (typeof found === 'string') failures.push(`point ${next}: ${found}`);
      else {
        lost += acknowledged.filter((key) => !found.names.has(key)).length;
        if (!found.isSound) unsound += 1;
      }
    }
    disk.apply(event);
    if (event.kind === 'said') acknowledged.push(event.line);
  }
  return {
    points,
    saves: acknowledged.length,
    syncs: events.filter(({ kind }) => kind === 'sync').length,
    lost,
    unsound,
    failures,
  };
}

function record({ program, folder, saves }: PowerOptions): readonly TraceEvent[] {
  const dataDir = join(folder, 'traced');
  mkdirSync(dataDir);
  const trace = join(folder, 'trace');
  const args = [
    '-f',
    '-xx',
    '-s',
    '10000000',
    '-e',
    `trace=${CALLS}`,
    '-o',
    trace,
    process.execPath,
    program,
    'save',
    dataDir,
    String(saves),
    'w',
  ];
  const { status, stderr } = spawnSync('strace', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`strace failed: ${stderr}`);
  const events = [...parseTrace(readFileSync(trace, 'latin1').split('\n'))];
  rmSync(trace);
  const directory = join(dataDir, 'memory');
  return events.filter(
    (event) => event.kind === 'said' || ('path' in event ? event.path : event.to).startsWith(directory),
  );
}

async function reopen(
  dataDir: string,
  files: ReadonlyMap<string, Buffer>,
): Promise<{ readonly names: ReadonlySet<string>; readonly isSound: boolean } | string> {
  const directory = join(dataDir, 'memory');
  mkdirSync(directory, { recursive: true });
  // The shared index of the log is memory, not disk: it does not outlive the power.
  for (const [path, bytes] of files)
    if (!path.endsWith('-shm')) writeFileSync(join(directory, basename(path)), bytes);
  const memory = openPlainMemory(dataDir, QUICK_ENCODER);
  try {
    const store = await memory.storeOf(ROOT);
    const names = new Set(
      (await store.list({ limit: 1_000_000 })).flatMap(({ entry }) => keysIn(entry.content)),
    );
    return { names, isSound: await store.verify() };
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } finally {
    await memory.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
