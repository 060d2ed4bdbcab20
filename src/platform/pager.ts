/** The user's pager: a program that shows a long text screen by screen. */
import { spawn } from 'node:child_process';

/** Through a shell, as git does it: the variable may hold arguments. False if it could not be started. */
export function runPager(
  command: string,
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const child = spawn(command, { env: { ...env }, stdio: ['pipe', 'inherit', 'inherit'], shell: true });
  // A reader who has seen enough quits in the middle.
  child.stdin.on('error', () => {});
  child.stdin.end(text);
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code !== NOT_FOUND && code !== NOT_RUNNABLE));
  });
}

/** What shells say of a command that is not there, or is no program. */
const NOT_FOUND = 127;
const NOT_RUNNABLE = 126;
