/** A server in a process of its own, as seen from a campaign. */
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export interface ServedProcess {
  readonly port: number;
  readonly pid: number;
  /** What the kernel holds for it now. */
  rssMb(): number;
  /** Has all its threads collect their garbage. Tells what they hold then, buffers included; undefined if one did not answer. */
  collect(): Promise<number | undefined>;
  /** Undefined while it runs. */
  exit(): string | undefined;
  /** The last it wrote to standard error. */
  complaints(): string;
  /** Asks the campaign's own program; the binary has none. */
  ask<Answer>(question: string): Promise<Answer>;
  stop(): Promise<void>;
}

const TAIL = 4_000;
const STOP_MS = 8_000;
/** A thread that did not collect in this time is busy, or has ended. */
const COLLECT_MS = 15_000;
const HEAP_NOTE = 'heap-of-';
/**
 * Left to itself the collector may wait for minutes, and the same server holds 180 MB or 80. So every thread is told when to
 * collect: twice, because finalizers of the first round free what the second one finds. Each then notes the round and what it
 * holds: what a thread noted that has ended since belongs to an earlier round.
 */
const COLLECT = `
import { writeFileSync } from 'node:fs';
import { isMainThread, threadId, BroadcastChannel } from 'node:worker_threads';
const channel = new BroadcastChannel('collect');
channel.unref();
let last = 0;
const collect = (round) => {
  gc();
  setTimeout(() => {
    gc();
    const { heapUsed, external } = process.memoryUsage();
    writeFileSync('HEAPS' + threadId, round + ' ' + (heapUsed + external) + ' .');
  }, 100).unref();
};
channel.onmessage = ({ data }) => collect(data);
if (isMainThread) process.on('SIGUSR2', () => { channel.postMessage(++last); collect(last); });
`;

function collector(home: string): readonly string[] {
  const program = COLLECT.replace('HEAPS', join(home, HEAP_NOTE));
  return ['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(program)}`];
}

/** The real `waymark serve`. */
export function serveBinary(
  args: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
  main = resolve('dist/main.js'),
): Promise<ServedProcess> {
  return watch((home) =>
    spawn(process.execPath, [...collector(home), main, 'serve', '--port', '0', ...args], {
      cwd: home,
      env: { ...environment(home), ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
}

/** A bundled server program of the campaigns; see campaign-server.ts. */
export function serveProgram(
  program: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<ServedProcess> {
  return watch((home) =>
    fork(program, [], {
      cwd: home,
      env: { ...environment(home), ...settings },
      execArgv: [...collector(home)],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    }),
  );
}

function environment(home: string): Readonly<Record<string, string>> {
  return { PATH: process.env['PATH'] ?? '', HOME: home, XDG_DATA_HOME: join(home, 'share') };
}

async function watch(start: (home: string) => ChildProcess): Promise<ServedProcess> {
  const home = mkdtempSync(join(tmpdir(), 'waymark-campaign-'));
  const child = start(home);
  let exit: string | undefined;
  let stderr = '';
  let stdout = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-TAIL)));
  // A campaign that is stopped half-way leaves no server behind.
  const killNow = (): void => void child.kill('SIGKILL');
  process.once('exit', killNow);
  const ended = new Promise<void>((done) => {
    child.once('exit', (code, signal) => {
      process.off('exit', killNow);
      exit = `code ${code ?? '-'}, signal ${signal ?? '-'}`;
      rmSync(home, { recursive: true, force: true });
      done();
    });
  });
  const port = await new Promise<number>((found, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout = (stdout + text).slice(-TAIL);
      const match = /http:\/\/[^\s:]+:(\d+)/.exec(stdout)?.[1];
      if (match !== undefined) found(Number(match));
    });
    void ended.then(() => reject(new Error(`The server ended early:\n${stderr}`)));
  });
  return {
    port,
    pid: child.pid ?? 0,
    rssMb: () => rssMb(child.pid),
    async collect() {
      const before = readNotes(home);
      const round = 1 + Math.max(0, ...before.map((note) => note.round));
      child.kill('SIGUSR2');
      const until = performance.now() + COLLECT_MS;
      for (;;) {
        await wait(100);
        const notes = readNotes(home);
        const isWhole =
          notes.length >= Math.max(1, before.length) && notes.every((note) => note.round >= round);
        if (isWhole) return notes.reduce((sum, { bytes }) => sum + bytes, 0) / 1024 / 1024;
        if (exit !== undefined || performance.now() > until) break;
      }
      for (const { absPath, round: of } of readNotes(home)) if (of < round) rmSync(absPath, { force: true });
      return undefined;
    },
    exit: () => exit,
    complaints: () => stderr,
    ask: (question) =>
      new Promise((answered, reject) => {
        void ended.then(() => reject(new Error(`The server ended: ${exit ?? ''}\n${stderr}`)));
        child.once('message', (answer) => {
          // The program answers each question with one message of the shape the asker names.
          answered(answer as never);
        });
        child.send(question);
      }),
    async stop() {
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      child.kill('SIGTERM');
      await ended;
      clearTimeout(timer);
    },
  };
}

function rssMb(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid ?? 0}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024;
  } catch {
    return Number.NaN;
  }
}

interface HeapNote {
  readonly absPath: string;
  readonly round: number;
  readonly bytes: number;
}

function readNotes(home: string): readonly HeapNote[] {
  if (!existsSync(home)) return [];
  return readdirSync(home)
    .filter((name) => name.startsWith(HEAP_NOTE))
    .map((name) => {
      const absPath = join(home, name);
      const [round = '', bytes = '', end] = readFileSync(absPath, 'utf8').split(' ');
      // One that is just being written belongs to no round yet.
      return { absPath, round: end === undefined ? 0 : Number(round), bytes: Number(bytes) };
    });
}
