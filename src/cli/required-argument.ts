/** Arguments and counts that a command cannot do without, or the usage error that says so. */
import { AppError } from '../core/index.ts';

export function needed(argument: string | undefined, command: string, example: string): string {
  if (argument !== undefined && argument !== '') return argument;
  throw new AppError('bad_argument', `\`waymark ${command}\` needs an argument.`, {
    hint: `waymark ${command} ${example}`,
  });
}

const MOST = 1_000;

export function toCount(given: string | boolean | undefined, usual: number): number {
  if (typeof given !== 'string') return usual;
  const count = Number(given);
  if (Number.isInteger(count) && count >= 1 && count <= MOST) return count;
  throw new AppError('bad_argument', `The limit is not a whole number from 1 to ${MOST}.`);
}
