/** Runs a program and says how long it took and, if asked, how much memory it and all it started held at once. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface Measured {
  readonly ms: number;
  /** Undefined unless it was watched, or where there is no /proc. */
  readonly peakRssMb: number | undefined;
  readonly stdout: string;
}

export interface MeasureOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Looking costs time of its own, so a run that is timed is not watched. */
  readonly watch?: boolean;
}

const LOOK_EVERY_MS = 20;
const PAGE_BYTES = 4096;

export function measure(command: readonly string[], options: MeasureOptions): Promise<Measured> {
  const [program = '', ...args] = command;
  const started = performance.now();
  // A group of its own, so that all it starts can be told from everything else.
  const child = spawn(program, args, { env: { ...options.env }, cwd: options.cwd, detached: true });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  let peak: number | undefined;
  const look = (): void => {
    const now = child.pid === undefined ? undefined : groupRssMb(child.pid);
    if (now !== undefined) peak = Math.max(peak ?? 0, now);
  };
  const timer = options.watch === true ? setInterval(look, LOOK_EVERY_MS) : undefined;
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearInterval(timer);
      const ms = performance.now() - started;
      if (code === 0) resolve({ ms, peakRssMb: peak, stdout });
      else reject(new Error(`${command.join(' ')} ended with ${code}:\n${(stderr + stdout).slice(-500)}`));
    });
  });
}

function groupRssMb(group: number): number | undefined {
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return pids.reduce((sum, pid) => sum + rssOf(pid, group), 0) / 1024 / 1024;
  } catch {
    return undefined;
  }
}

/** Zero for a process of another group, or one that is gone. */
function rssOf(pid: string, group: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // Behind the name, which may hold anything: state, parent, group; the resident pages are the 22nd from there.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return Number(fields[2]) === group ? Number(fields[21]) * PAGE_BYTES : 0;
  } catch {
    return 0;
  }
}
