/** A server in a process of its own, as seen from a campaign. */
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export interface ServedProcess {
  readonly port: number;
  readonly pid: number;
  /** What the kernel holds for it now. */
  rssMb(): number;
  /** Has all its threads collect their garbage. */
  collect(): Promise<void>;
  /** What they held then, buffers included. */
  heapMb(): number;
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
const COLLECT_MS = 700;
const HEAP_NOTE = 'heap-of-';
/**
 * Left to itself the collector may wait for minutes, and the same server holds 180 MB or 80. So every thread is told when to
 * collect: twice, because finalizers of the first round free what the second one finds. Each then notes what it holds.
 */
const COLLECT = `
import { writeFileSync } from 'node:fs';
import { isMainThread, threadId, BroadcastChannel } from 'node:worker_threads';
const channel = new BroadcastChannel('collect');
channel.unref();
const collect = () => {
  gc();
  setTimeout(() => {
    gc();
    const { heapUsed, external } = process.memoryUsage();
    writeFileSync('HEAPS' + threadId, String(heapUsed + external));
  }, 100).unref();
};
channel.onmessage = collect;
if (isMainThread) process.on('SIGUSR2', () => { channel.postMessage(''); collect(); });
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
      child.kill('SIGUSR2');
      await wait(COLLECT_MS);
    },
    heapMb: () => heapMb(home),
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

function heapMb(home: string): number {
  const notes = readdirSync(home).filter((name) => name.startsWith(HEAP_NOTE));
  const bytes = notes.map((name) => Number(readFileSync(join(home, name), 'utf8')));
  return bytes.reduce((sum, one) => sum + one, 0) / 1024 / 1024;
}
