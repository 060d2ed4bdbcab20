/** The real binary, in a home of its own. */
import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { tempFolder, type OnEnd, type TempFolder } from './temp-folder.ts';

export const BIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

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

export interface RunResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

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

export function run(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const child = start(args, options);
  child.stdin.end(options.input ?? '');
  return finished(child);
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
  readonly child: ChildProcessWithoutNullStreams;
  /** Waits until it has printed or logged this; resolves with the match. */
  saw(pattern: RegExp): Promise<RegExpExecArray>;
}

/** Starts `waymark serve` on a free port and waits for the address it prints. */
export async function serve(args: readonly string[] = [], options: RunOptions = {}): Promise<ServedWaymark> {
  const child = start(['serve', '--port', '0', ...args], options);
  const saw = watchOutput(child);
  const [, url = ''] = await saw(/serving (http:\S+)/);
  return { url, port: Number(new URL(url).port), child, saw };
}

/** Everything a process prints, as something to wait for. */
export function watchOutput(child: ChildProcess): (pattern: RegExp) => Promise<RegExpExecArray> {
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
      child.once('close', () => reject(new Error(`waymark ended without ${pattern}:\n${seen}`)));
      again();
    });
}
