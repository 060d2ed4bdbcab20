/** Child processes, and a child's port to its parent. */
import { execFile, spawn, type ChildProcess as Spawned } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import { tempDirectory } from './machine.ts';

export interface ParentPort {
  onMessage(listener: (message: unknown) => void): void;
  /** Resolves when it is out of our hands: whatever happens to us then, the parent hears it. */
  send(message: object): Promise<void>;
  /** The last words, then nothing more: for a process that no longer trusts itself. */
  sendAndEnd(message: object): Promise<void>;
}

// The thread that works may hang in foreign code for ever, so another one waits for the end of the input that the parent
// holds open. It comes at once and needs no asking; asking for `process.ppid` every second was seen to miss it.
const WATCH_PARENT = `
const { readSync } = require('node:fs');
const byte = new Uint8Array(1);
function wait() {
  try {
    if (readSync(0, byte, 0, 1, null) > 0) return setImmediate(wait);
  } catch (error) {
    if (error.code === 'EAGAIN') return setTimeout(wait, 500);
  }
  process.kill(process.pid, 'SIGKILL');
}
wait();
`;

export function openParentPort(): ParentPort {
  process.on('disconnect', endNow);
  new Worker(WATCH_PARENT, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 8 } }).unref();
  return {
    onMessage: (listener) => void process.on('message', listener),
    send,
    sendAndEnd: (message) => send(message).then(endNow),
  };
}

function send(message: object): Promise<void> {
  return new Promise((resolve) => {
    // A failure is no matter: the channel is gone with the parent, and `disconnect` ends us.
    process.send?.(message, undefined, undefined, () => resolve());
  });
}

function endNow(): void {
  process.kill(process.pid, 'SIGKILL');
}

export interface ChildOptions {
  /** The module it runs: a file of ours, never one of a project. */
  readonly absModulePath: string;
  readonly args?: readonly string[];
  /** For Node itself: limits, compiler choices. */
  readonly nodeFlags: readonly string[];
  /** `low`: lower priority than what a user waits for. */
  readonly priority: 'low' | 'usual';
  onMessage(message: unknown): void;
  /** Once, when it has ended for whatever reason or could not be started. */
  onEnd(end: ChildEnd): void;
}

export interface ChildEnd {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  /** Whether it said itself that it had no memory left. */
  readonly outOfMemory: boolean;
}

export interface ChildProcess {
  readonly pid: number | undefined;
  /** Processor time it took so far; undefined where the system does not say. */
  workedMs(): number | undefined;
  /** Plain values only. What cannot be delivered is lost: its end will be reported. */
  send(message: object): void;
  /** At once, whatever it is doing. */
  kill(): void;
  /** From now on this process may end while it runs; it ends then, too. */
  unref(): void;
  /** Takes that back. */
  ref(): void;
}

const MOST_STDERR_CHARS = 16_384;
const OUT_OF_MEMORY = /out of memory|allocation fail|Cannot allocate memory/i;

function beGentle(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already, or the system has no such thing; it works all the same.
  }
}

// What Linux counts processor time in, on every architecture.
const TICK_MS = 10;

function workedMs(pid: number | undefined): number | undefined {
  if (pid === undefined || process.platform !== 'linux') return undefined;
  try {
    // The name of the program stands first, between parentheses, and may hold anything.
    const [, fields = ''] = /.*\)(.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const [user, system] = fields.trim().split(' ').slice(11, 13).map(Number);
    const ticks = (user ?? Number.NaN) + (system ?? Number.NaN);
    return Number.isNaN(ticks) ? undefined : ticks * TICK_MS;
  } catch {
    return undefined;
  }
}

/** Ends with us: its channel closes when we end, and it watches for a parent that was killed. */
export function startChild(options: ChildOptions): ChildProcess {
  const child = spawn(
    process.execPath,
    [...options.nodeFlags, options.absModulePath, ...(options.args ?? [])],
    {
      // Nothing of our environment: it needs no secret of it, and NODE_OPTIONS must not change what it runs.
      env: {},
      // A dump of a crash belongs neither in a project nor in our own folder.
      cwd: tempDirectory(),
      // Its input is never written to: that it ends tells the child that we did.
      stdio: ['pipe', 'ignore', 'pipe', 'ipc'],
      serialization: 'json',
      windowsHide: true,
    },
  );
  if (options.priority === 'low') beGentle(child.pid);
  const state = { stderr: '', ended: false };
  const end = (exitCode: number | null, signal: string | null): void => {
    if (state.ended) return;
    state.ended = true;
    options.onEnd({
      exitCode: exitCode ?? undefined,
      signal: signal ?? undefined,
      outOfMemory: OUT_OF_MEMORY.test(state.stderr),
    });
  };
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    // The beginning says why; a stack of frames follows.
    if (state.stderr.length < MOST_STDERR_CHARS) state.stderr += text;
  });
  child.on('message', (message) => {
    if (!state.ended) options.onMessage(message);
  });
  child.on('error', () => {
    child.kill('SIGKILL');
    end(null, null);
  });
  child.on('close', end);
  return {
    pid: child.pid,
    workedMs: () => workedMs(child.pid),
    // Sending to a child that has just died fails; its end is reported by itself.
    send: (message) => void (child.connected && child.send(message, () => {})),
    kill: () => void child.kill('SIGKILL'),
    unref: () => {
      for (const handle of handlesOf(child)) handle.unref();
    },
    ref: () => {
      for (const handle of handlesOf(child)) handle.ref();
    },
  };
}

interface Handle {
  ref(): unknown;
  unref(): unknown;
}

/** All that keeps a process alive for the sake of its child. */
function handlesOf(child: Spawned): readonly Handle[] {
  // Without a channel once it is closed.
  return [child, child.stdin, child.stderr, child.channel].filter((part) => isHandle(part));
}

function isHandle(part: object | null | undefined): part is Handle {
  return part !== null && part !== undefined && 'unref' in part;
}

export interface LineProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** All that the program gets. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

export interface LineProcess {
  send(line: string): void;
  /** The next line it prints; undefined once it has ended. */
  next(): Promise<string | undefined>;
  /** How it ended. `missing`: the program could not be started at all. */
  readonly ended: Promise<
    { readonly kind: 'exited'; readonly code: number | null } | { readonly kind: 'missing' }
  >;
  /** The end of what it printed beside the protocol. */
  complaint(): string;
  stop(): void;
}

const KEPT_COMPLAINT = 2_000;
const GRACE_MS = 1_000;
/** Of everything it prints; a program that prints more is ended. */
const MOST_PRINTED_BYTES = 16 * 1024 * 1024;

export function startLineProcess({ command, args, env, cwd }: LineProcessOptions): LineProcess {
  const child = spawn(command, [...args], { env: { ...env }, cwd, stdio: 'pipe', windowsHide: true });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-KEPT_COMPLAINT);
  });
  // A program that ends at once breaks the pipe; how it ended says more.
  child.stdin.on('error', () => {});
  const reader = createInterface({ input: child.stdout });
  // A line without an end would be gathered until there is no memory left.
  let printedBytes = 0;
  child.stdout.on('data', (piece: Buffer) => {
    printedBytes += piece.length;
    if (printedBytes <= MOST_PRINTED_BYTES) return;
    child.kill('SIGKILL');
    child.stdout.destroy();
    reader.close();
  });
  const lines = reader[Symbol.asyncIterator]();
  const ended = new Promise<Awaited<LineProcess['ended']>>((settle) => {
    child.once('error', () => settle({ kind: 'missing' }));
    child.once('close', (code) => settle({ kind: 'exited', code }));
  });
  return {
    send: (line) => void child.stdin.write(`${line}\n`),
    next: async () => {
      const { done, value } = await lines.next();
      return done === true ? undefined : String(value);
    },
    ended,
    complaint: () => complaint,
    stop() {
      child.stdin.end();
      const kill = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
      void ended.then(() => clearTimeout(kill));
    },
  };
}

export interface ProgramRun {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const MOST_OUTPUT_BYTES = 8 * 1024 * 1024;

/** Runs a program to its end, whatever its exit code, and gives what it printed. Rejects if it could not be run, or not in time. */
export function runProgram(run: ProgramRun): Promise<{ readonly stdout: string }> {
  const { file, args, env, timeoutMs, signal } = run;
  return new Promise((resolve, reject) => {
    const options = { env, timeout: timeoutMs, signal, maxBuffer: MOST_OUTPUT_BYTES, windowsHide: true };
    execFile(file, [...args], options, (error, stdout) => {
      // An exit code is a number; what kept it from running has a name or a signal.
      if (error === null || typeof error.code === 'number') resolve({ stdout });
      else reject(error);
    });
  });
}
