/** Runs the built program as an attack does: in its own home, with an end that comes whatever happens. */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AttackPlace } from './attack.ts';

export interface CommandOptions {
  readonly cwd?: string;
  /** `undefined` takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
  /** The input stays open until this was printed. */
  readonly until?: RegExp;
  readonly timeoutMs?: number;
  /** A line of shell before the program, such as `umask 000`. */
  readonly shell?: string;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly text: string;
  readonly isLate: boolean;
}

const TIMEOUT_MS = 60_000;
const MOST_CHARS = 16 * 1024 * 1024;

export function homeOf({ home }: AttackPlace): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: join(home, 'home'),
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'share'),
    XDG_CACHE_HOME: join(home, 'cache'),
  };
}

export const dataDirOf = ({ home }: AttackPlace): string => join(home, 'share', 'waymark');
export const cacheDirOf = ({ home }: AttackPlace): string => join(home, 'cache', 'waymark');

/** Never rejects: a program that cannot even be started has ended with no code. */
export function waymark(
  place: AttackPlace,
  args: readonly string[],
  { cwd = place.folder, env = {}, input = '', until, timeoutMs = TIMEOUT_MS, shell }: CommandOptions = {},
): Promise<Ended> {
  mkdirSync(join(place.home, 'home'), { recursive: true });
  const all = Object.entries({ ...homeOf(place), ...env }).filter(([, value]) => value !== undefined);
  const command = [process.execPath, '--max-old-space-size=1500', place.program, ...args];
  const line = shell === undefined ? command : ['/bin/sh', '-c', `${shell}; exec "$@"`, 'sh', ...command];
  return new Promise((resolve) => {
    let stdout = '';
    let stderr = '';
    let isLate = false;
    const end = (code: number | null): void => {
      clearTimeout(timer);
      resolve({ code, stdout, stderr, text: stdout + stderr, isLate });
    };
    const child = spawn(line[0] ?? '', line.slice(1), { cwd, env: Object.fromEntries(all) });
    const timer = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, timeoutMs);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (stdout.length < MOST_CHARS) stdout += text;
      if (until?.test(stdout) === true) child.stdin.end();
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (stderr.length < MOST_CHARS) stderr += text;
    });
    child.once('error', () => end(null));
    child.once('close', end);
    child.stdin.on('error', () => {});
    if (until === undefined) child.stdin.end(input);
    else child.stdin.write(input);
  });
}

export function put(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** Every file below a folder; links are not followed. */
export function filesUnder(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesUnder(path) : [path];
  });
}

/** What is wrong with how a command ended, whatever it was asked: it hung, crashed, or had no words of its own. */
export function misbehaved({ code, text, isLate }: Ended): string | undefined {
  if (isLate) return 'it did not end';
  if (code === null) return 'it was ended by a signal';
  if (/Something went wrong inside|\n\s+at .+:\d+:\d+/.test(text)) return 'it ended in an internal error';
  return code > 2 ? `it ended with ${code}` : undefined;
}

/** The same, and it has to say no, with what to do. */
export function notRefused(ended: Ended): string | undefined {
  const wrong = misbehaved(ended);
  if (wrong !== undefined) return wrong;
  if (ended.code === 0) return 'it was taken';
  return /hint/i.test(ended.stderr) ? undefined : 'it was refused without a word on what to do';
}

// A terminal acts on these; bidirectional marks turn the order of what is read around.
const UNSAFE = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

export function unsafeIn(text: string): string | undefined {
  const found = UNSAFE.exec(text)?.[0];
  return found && `U+${found.codePointAt(0)?.toString(16)} reaches the terminal`;
}
