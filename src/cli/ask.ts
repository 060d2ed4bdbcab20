/** A question on the terminal. */
import { createInterface } from 'node:readline/promises';
import { AppError } from '../core/index.ts';
import type { Streams } from './output.ts';

/** Undefined without a terminal: a pipe is never asked. */
export async function ask({ err, in: open }: Streams, question: string): Promise<string | undefined> {
  const input = open?.();
  if (input?.isTTY !== true || err.isTTY !== true) return undefined;
  const terminal = createInterface({ input, output: process.stderr });
  try {
    return await new Promise((resolve, reject) => {
      const stop = (): void => reject(new AppError('interrupted', 'Stopped. Nothing was changed.'));
      terminal.once('SIGINT', stop);
      terminal.once('close', stop);
      terminal.question(question).then((answer) => resolve(answer.trim().toLowerCase()), reject);
    });
  } finally {
    terminal.close();
  }
}
