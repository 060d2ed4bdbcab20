/** Waymark in a home of its own: its command line in this process, and the real binary where the process is what is tested. */
import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { BIN, beginCommand, runHere, type Place, type RunResult } from './in-process.ts';
import { tempFolder, type OnEnd, type TempFolder } from './temp-folder.ts';

export { BIN, type RunResult } from './in-process.ts';

export interface Home {
  readonly folder: TempFolder;
  readonly env: Readonly<Record<string, string>>;
}

/** An empty HOME with its own XDG directories and nothing of the machine's environment but the path to programs. */
export function emptyHome(onEnd: OnEnd = onTestFinished): Home {
  const folder = tempFolder({}, onEnd);
  mkdirSync(folder.join('home'));
  return {
    folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder.join('home'),
      XDG_CONFIG_HOME: folder.join('config'),
      XDG_DATA_HOME: folder.join('share'),
      XDG_CACHE_HOME: folder.join('cache'),
    },
  };
}

export interface RunOptions {
  readonly home?: Home;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Another program with the same command line. */
  readonly program?: string;
  readonly onEnd?: OnEnd;
}

/** Starts the binary. */
export function start(args: readonly string[], options: RunOptions = {}): ChildProcessWithoutNullStreams {
  const onEnd = options.onEnd ?? onTestFinished;
  const home = options.home ?? emptyHome(onEnd);
  const child = spawn(process.execPath, [options.program ?? BIN, ...args], {
    cwd: options.cwd ?? join(home.folder.path, 'home'),
    env: { ...home.env, ...options.env },
  });
  onEnd(() => void child.kill('SIGKILL'));
  return child;
}

export function runBinary(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const child = start(args, options);
  child.stdin.end(options.input ?? '');
  return finished(child);
}

/** Runs a command to its end: in this process, or as the binary where it is given another program or something to read. */
export function run(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const isBinary = options.program !== undefined || options.input !== undefined;
  return isBinary ? runBinary(args, options) : runHere(args, placeOf(options));
}

export function placeOf(options: RunOptions): Place {
  const home = options.home ?? emptyHome(options.onEnd);
  return {
    cwd: options.cwd ?? home.folder.join('home'),
    env: { ...home.env, ...options.env },
  };
}

export function finished(child: ChildProcessWithoutNullStreams): Promise<RunResult> {
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

export interface ServedWaymark {
  readonly url: string;
  readonly port: number;
  /** Waits until it has printed or logged this; resolves with the match. */
  saw(pattern: RegExp): Promise<RegExpExecArray>;
}

export interface ServedProcess extends ServedWaymark {
  readonly child: ChildProcessWithoutNullStreams;
}

/** Runs `waymark serve` in this process on a free port and waits for the address it prints. */
export async function serve(args: readonly string[] = [], options: RunOptions = {}): Promise<ServedWaymark> {
  if (options.program !== undefined) return serveBinary(args, options);
  const onEnd = options.onEnd ?? onTestFinished;
  const running = beginCommand(['serve', '--port', '0', ...args], placeOf({ ...options, onEnd }));
  onEnd(running.end);
  return addressOf(watchOutput({ stdout: running.out, stderr: running.err, ended: running.ended }));
}

/** Starts `waymark serve` as a process of its own. */
export async function serveBinary(
  args: readonly string[] = [],
  options: RunOptions = {},
): Promise<ServedProcess> {
  const child = start(['serve', '--port', '0', ...args], options);
  return { ...(await addressOf(watchOutput(child))), child };
}

async function addressOf(saw: ServedWaymark['saw']): Promise<ServedWaymark> {
  const [, url = ''] = await saw(/serving (http:\S+)/);
  return { url, port: Number(new URL(url).port), saw };
}

interface Printing {
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  /** Of a command in this process. */
  readonly ended?: Promise<number>;
}

/** Everything that is printed, as something to wait for. */
export function watchOutput(child: ChildProcess | Printing): (pattern: RegExp) => Promise<RegExpExecArray> {
  let seen = '';
  const looks = new Set<() => void>();
  const look = (text: string): void => {
    seen += text;
    for (const again of looks) again();
  };
  child.stdout?.setEncoding('utf8').on('data', look);
  child.stderr?.setEncoding('utf8').on('data', look);
  return (pattern) =>
    new Promise((resolve, reject) => {
      const again = (): void => {
        const found = pattern.exec(seen);
        if (found === null) return;
        looks.delete(again);
        resolve(found);
      };
      looks.add(again);
      const fail = (): void => reject(new Error(`waymark ended without ${pattern}:\n${seen}`));
      if ('once' in child) child.once('close', fail);
      else void child.ended?.then(() => setImmediate(fail));
      again();
    });
}
