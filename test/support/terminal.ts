/** A program in a pseudo-terminal. Node cannot make one, so a program of the system does; where there is none, `canType` is false. */
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
}

const SCRIPT = works('script', ['--version'], 'util-linux');
const PYTHON = works('python3', ['-c', 'import pty; print("pty")'], 'pty');

export const canType = SCRIPT || PYTHON;

/** Everything that stood on the screen, without colours; of a line that was drawn again, its last state. */
export async function playTerminal(
  command: readonly string[],
  { cwd, env, typed }: TerminalOptions,
): Promise<{ readonly code: number | null; readonly screen: string }> {
  const line = command.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
  const child = SCRIPT
    ? spawn('script', ['-q', '-e', '-c', line, '/dev/null'], {
        cwd,
        env: { ...env, TERM: 'xterm', SHELL: '/bin/sh' },
      })
    : spawn('python3', ['-c', IN_PYTHON, ...command], { cwd, env: { ...env, TERM: 'xterm' } });
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
  return { code, screen: toScreen(printed) };
}

const IN_PYTHON = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))';

function toScreen(printed: string): string {
  return (
    printed
      .replaceAll(/\r+\n/g, '\n')
      .split('\n')
      .map((line) => line.slice(line.lastIndexOf('\r') + 1))
      .join('\n')
      // oxlint-disable-next-line no-control-regex -- the escape character is what is looked for
      .replaceAll(/\u001b\[[\d;?]*[A-Za-z]/g, '')
  );
}

function works(program: string, args: readonly string[], says: string): boolean {
  try {
    return execFileSync(program, [...args], { encoding: 'utf8', stdio: 'pipe' }).includes(says);
  } catch {
    return false;
  }
}
