/** Runs the real binary, under strace where there is one, and says what it opened, read, ran and called. */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve as absolute } from 'node:path';

export interface TracedRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** It was still going when its time was over. */
  readonly timedOut: boolean;
  readonly ms: number;
  /** Undefined where there is no strace. */
  readonly trace: Trace | undefined;
}

export interface Trace {
  /** Real paths that were opened. */
  readonly opened: ReadonlySet<string>;
  /** Real paths, files and folders, that something was read from. */
  readonly read: ReadonlySet<string>;
  /** Programs that were started, the first one left out. */
  readonly ran: readonly string[];
  readonly connected: readonly string[];
}

export interface TracedOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly traceFile: string;
  readonly limitMs: number;
  readonly uid?: number | undefined;
}

const CALLS = 'openat,open,openat2,execve,execveat,connect,read,readv,pread64,getdents64';

export function canTrace(): boolean {
  const args = ['-f', '-y', '--seccomp-bpf', '-e', 'trace=openat', '-o', '/dev/null', 'true'];
  return spawnSync('strace', args, { stdio: 'ignore', timeout: 10_000 }).status === 0;
}

export function runTraced(
  args: readonly string[],
  options: TracedOptions,
  traced: boolean,
): Promise<TracedRun> {
  // Tests and campaigns are started in the repository.
  const command = [process.execPath, absolute('dist/main.js'), ...args];
  const strace = [
    'strace',
    '-f',
    '-qq',
    '-y',
    '--seccomp-bpf',
    '-e',
    `trace=${CALLS}`,
    '-s',
    '0',
    '-o',
    options.traceFile,
  ];
  const [program = '', ...rest] = traced ? [...strace, ...command] : command;
  const started = performance.now();
  const child = spawn(program, rest, {
    cwd: options.cwd,
    env: { ...options.env },
    uid: options.uid,
    gid: options.uid,
    // A group of its own, so that a run that does not end goes with whatever it started.
    detached: true,
  });
  let stdout = '';
  let stderr = '';
  let timedOut = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const timer = setTimeout(() => {
    timedOut = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, options.limitMs);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      const ms = performance.now() - started;
      const trace = traced ? parseTrace(readFileSync(options.traceFile, 'latin1')) : undefined;
      resolve({ code, stdout, stderr, timedOut, ms, trace });
    });
  });
}

/** `-y` shows behind every descriptor the real path of what it stands for, links followed. */
export function parseTrace(text: string): Trace {
  const opened = new Set<string>();
  const read = new Set<string>();
  const ran: string[] = [];
  const connected: string[] = [];
  for (const line of text.split('\n')) {
    const from = /\b(?:read|readv|pread64|getdents64)\(\d+<([^>]*)>/.exec(line)?.[1];
    if (from !== undefined) read.add(steady(from));
    const to = /\bopen(?:at2?)?\b.* = \d+<([^>]*)>$/.exec(line)?.[1];
    if (to !== undefined) opened.add(steady(to));
    if (/\bexecve(?:at)?\(/.test(line) && line.endsWith(' = 0')) ran.push(line);
    if (/\bconnect\(/.test(line)) connected.push(line);
  }
  return { opened, read, ran: ran.slice(1), connected };
}

/** Process numbers and the like differ from run to run. */
function steady(path: string): string {
  return path.startsWith('/proc/') ? path.replaceAll(/\d+/g, '#') : path.replace(/:\[\d+\]$/, '');
}
