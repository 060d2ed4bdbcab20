/** What is attacked: servers that attacks share, and the program as a command. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { send } from './wire.ts';
import type { AttackPlace } from './attack.ts';

export interface Target {
  readonly port: number;
  readonly home: string;
  readonly pid: number;
  /** All it wrote to standard error. */
  log(): string;
  exit(): string | undefined;
}

interface Running extends Target {
  readonly child: ChildProcess;
}

const targets = new Map<string, Promise<Running>>();

/** The server with these flags, started by the first attack that needs it. It has a home of its own, which outlives the attack. */
export function targetFor(program: string, flags: readonly string[]): Promise<Target> {
  const key = [program, ...flags].join('\0');
  const known = targets.get(key);
  if (known !== undefined) return known;
  const starting = startTarget(program, flags);
  targets.set(key, starting);
  return starting;
}

export async function stopTargets(): Promise<void> {
  const all = await Promise.allSettled(targets.values());
  targets.clear();
  for (const one of all) {
    if (one.status === 'rejected') continue;
    one.value.child.kill('SIGKILL');
    rmSync(one.value.home, { recursive: true, force: true });
  }
}

/** Tries something on a shared server; a server that no longer answers within a second is a way through as well. */
export async function onTarget(
  { program }: AttackPlace,
  flags: readonly string[],
  attempt: (target: Target) => Promise<string | undefined>,
): Promise<string | undefined> {
  const target = await targetFor(program, flags);
  const through = await attempt(target);
  if (through !== undefined) return through;
  if (target.exit() !== undefined) return `the server ended: ${target.exit()}`;
  // A loaded machine may be slow once; a server that was harmed stays slow.
  let ms = 0;
  for (let turn = 0; turn < 3; turn += 1) {
    const start = performance.now();
    const { status } = await send(target.port, { path: '/healthz' });
    ms = performance.now() - start;
    if (status !== 200) return `afterwards /healthz answers ${status}`;
    if (ms <= 1000) return undefined;
  }
  return `afterwards /healthz takes ${Math.round(ms)} ms`;
}

export function homeEnvironment(home: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'share'),
    XDG_CACHE_HOME: join(home, 'cache'),
  };
}

async function startTarget(program: string, flags: readonly string[]): Promise<Running> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'waymark-target-')));
  mkdirSync(join(home, 'project/.git'), { recursive: true });
  const given = flags.map((flag) => flag.replaceAll('HOME', home));
  const child = spawn(process.execPath, [program, 'serve', '--port', '0', ...given], {
    cwd: home,
    env: homeEnvironment(home),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  process.once('exit', () => void child.kill('SIGKILL'));
  let exit: string | undefined;
  let log = '';
  let printed = '';
  child.once('exit', (code, signal) => (exit = `code ${code ?? '-'}, signal ${signal ?? '-'}`));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log = (log + text).slice(-200_000)));
  const port = await new Promise<number>((found, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      const match = /serving http:\/\/\S+:(\d+)\//.exec(printed)?.[1];
      if (match !== undefined) found(Number(match));
    });
    child.once('close', () => reject(new Error(`the server did not start: ${log}`)));
  });
  return { port, home, pid: child.pid ?? 0, child, log: () => log, exit: () => exit };
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in the home of the attack; ends it after a time, with no code. */
export function runProgram(
  { program, home, folder }: AttackPlace,
  args: readonly string[],
  more: { readonly env?: Readonly<Record<string, string>>; readonly cwd?: string; readonly ms?: number } = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: more.cwd ?? folder,
    env: { ...homeEnvironment(home), ...more.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const timer = setTimeout(() => child.kill('SIGKILL'), more.ms ?? 30_000);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, stdout, stderr });
    });
  });
}

const START_MS = 40_000;

/** For what `serve` must refuse at start: it either ends by itself, or has begun to listen and is ended. */
export async function startRefused(
  place: AttackPlace,
  flags: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string | undefined> {
  const { program, home, folder } = place;
  const child = spawn(process.execPath, [program, 'serve', '--port', '0', ...flags], {
    cwd: folder,
    env: { ...homeEnvironment(home), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const outcome = await new Promise<'listens' | 'hangs' | number>((resolve) => {
    const timer = setTimeout(() => resolve('hangs'), START_MS);
    child.once('close', () => clearTimeout(timer));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('serving')) resolve('listens');
    });
    child.once('close', (code) => resolve(code ?? -1));
  });
  child.kill('SIGKILL');
  if (outcome === 'listens') return 'the server started';
  if (outcome === 'hangs') return `neither a start nor a refusal within ${START_MS / 1000} s`;
  if (outcome !== 1 && outcome !== 2) return `the program ended with ${outcome}`;
  return stderr.includes('inside Waymark') ? 'it ended with an internal error' : undefined;
}
