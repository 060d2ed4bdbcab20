/** A process of ours that runs already, and indexes one project after the other as it is told. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface RunningProcess {
  /** From the call to the answer of a search that finds something, in milliseconds. */
  index(root: string): Promise<number>;
  close(): Promise<void>;
}

/** `command` says that it is ready, then answers every line on its stdin with a number on a line of its stdout. */
export async function startRunning(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<RunningProcess> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { env: { ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const heard = async (): Promise<string> => {
    const { value, done } = await answers.next();
    if (done === true) throw new Error('The process that should run has ended.');
    return String(value);
  };
  await heard();
  return {
    async index(root) {
      child.stdin.write(`${root}\n`);
      return Number(await heard());
    },
    close() {
      child.stdin.end();
      return ended;
    },
  };
}
