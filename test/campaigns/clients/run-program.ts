/** Runs a program to its end, with nothing of the machine's environment. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limitMs: number;
  /** Ends it as a power cut would, with all that it started. */
  readonly kill?: AbortSignal;
}

export interface Ended {
  /** `undefined`: it was ended because it took too long. */
  readonly code: number | undefined;
  readonly output: string;
  readonly stdout: string;
}

export function runProgram(
  [program, ...args]: readonly [string, ...string[]],
  options: RunOptions,
): Promise<Ended> {
  const { cwd, env, limitMs, kill } = options;
  // A group of its own: what the agent starts ends with it.
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let [stdout, output, isLate] = ['', '', false];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const timer = setTimeout(() => {
    isLate = true;
    endGroup(child.pid);
  }, limitMs);
  kill?.addEventListener('abort', () => endGroup(child.pid), { once: true });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(timer);
      resolve({ code: isLate ? undefined : (code ?? 1), output, stdout });
    });
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** Ends what an agent left behind: daemons whose home is this one. */
export function endLeftovers(home: string, spared: readonly (number | undefined)[] = []): void {
  for (const pid of processesOf(home)) {
    if (spared.includes(pid)) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** What was started with this home, and goes on. */
export function processesOf(home: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && hasHome(name, home))
    .map(Number);
}

function hasHome(pid: string, home: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`HOME=${home}`);
  } catch {
    // It has ended, or is not ours to look at.
    return false;
  }
}
