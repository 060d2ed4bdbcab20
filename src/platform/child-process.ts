/** A Node process of our own that does one dangerous job: it shares nothing with us but messages. */
import { spawn, type ChildProcess as Spawned } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { tempDirectory } from './machine.ts';

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
