/**
 * A program in a pseudo-terminal. Node cannot make one, so a program of the system does: `script`, which every Debian, Fedora
 * and macOS has, or python3. Where there is neither, the tests that need one fail and say so: they are never passed over.
 */
import { execFileSync, spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';

export interface Typed {
  /** As soon as this was printed … */
  readonly after: RegExp;
  /** … this is typed. */
  readonly type: string;
}

export interface TerminalOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly typed: readonly Typed[];
  /** Of the window; what the system gives if left out. */
  readonly size?: { readonly columns: number; readonly rows: number };
}

const IN_PYTHON = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))';

/** The command line that runs another one in a terminal and ends with its exit code. */
function inTerminal(command: readonly string[]): readonly [string, ...string[]] {
  const line = command.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
  if (works('script', ['--version'], 'util-linux')) return ['script', '-q', '-e', '-c', line, '/dev/null'];
  if (process.platform === 'darwin') return ['script', '-q', '/dev/null', ...command];
  if (works('python3', ['-c', 'import pty; print("pty")'], 'pty')) {
    return ['python3', '-c', IN_PYTHON, ...command];
  }
  throw new Error(
    'This test needs a terminal: install `script` (util-linux, on Debian bsdutils) or python3.',
  );
}

/** Gives the terminal its size; the program finds no other program, so what is installed here shows on no screen. */
const SIZED = 'stty cols "$1" rows "$2"; shift 2; PATH=/nowhere; exec "$@"';

/** Everything that stood on the screen, without colours; of a line that was drawn again, its last state. */
export async function playTerminal(
  command: readonly string[],
  { cwd, env, typed, size }: TerminalOptions,
): Promise<{ readonly code: number | null; readonly screen: string; readonly colored: string }> {
  const sized = size && ['/bin/sh', '-c', SIZED, 'sh', String(size.columns), String(size.rows)];
  const [program, ...args] = inTerminal([...(sized ?? []), ...command]);
  const child = spawn(program, args, { cwd, env: { ...env, TERM: 'xterm', SHELL: '/bin/sh' } });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  const left = [...typed];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    const [next] = left;
    if (next === undefined || !next.after.test(printed)) return;
    left.shift();
    child.stdin.write(next.type);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const colored = toLines(printed);
  return { code, screen: withoutColors(colored), colored };
}

/** What stays of lines that were drawn again. */
export function toLines(printed: string): string {
  return printed
    .replaceAll(/\r+\n/g, '\n')
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\r') + 1).replaceAll('\u001b[K', ''))
    .join('\n');
}

export function withoutColors(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the escape character is what is looked for
  return text.replaceAll(/\u001b\[[\d;?]*[A-Za-z]/g, '');
}

function works(program: string, args: readonly string[], says: string): boolean {
  try {
    return execFileSync(program, [...args], { encoding: 'utf8', stdio: 'pipe' }).includes(says);
  } catch {
    return false;
  }
}
