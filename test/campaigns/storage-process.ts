/** A writer process as seen from the campaign that started it. */
import { spawn } from 'node:child_process';

export interface WriterProcess {
  /** Whole lines so far; a line cut short by a kill is no acknowledgement. */
  lines(): readonly string[];
  /** Resolves once this many lines came, or the process ended. */
  untilLines(count: number): Promise<void>;
  /** Tells a process that said `ready` to begin. */
  goAhead(): void;
  kill(): void;
  ended: Promise<{ readonly code: number | null; readonly stderr: string }>;
}

export interface WriterOptions {
  /** Octal, as for the shell's `umask`. */
  readonly umask?: string;
}

export function startWriter(
  program: string,
  args: readonly string[],
  options: WriterOptions = {},
): WriterProcess {
  const command = [process.execPath, program, ...args];
  // `exec`, so that a kill meets the writer and not the shell before it.
  const child = spawn('/bin/sh', ['-c', `umask ${options.umask ?? '022'}; exec "$@"`, 'sh', ...command]);
  let stdout = '';
  let stderr = '';
  let wake = (): void => undefined;
  const lines = (): readonly string[] => stdout.split('\n').slice(0, -1);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    wake();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<{ code: number | null; stderr: string }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stderr }));
  });
  const reached = (count: number): Promise<void> =>
    new Promise((resolve) => {
      wake = () => {
        if (lines().length >= count) resolve();
      };
      wake();
    });
  return {
    lines,
    untilLines: async (count) => void (await Promise.race([reached(count), ended])),
    goAhead: () => void child.stdin.write('go\n'),
    kill: () => void child.kill('SIGKILL'),
    ended,
  };
}
