/** Reads arguments and options of a command; what is missing or wrong is a usage error. */
import { AppError } from '../core/index.ts';
import type { OptionValue, OptionValues } from './command.ts';

export function needed(argument: string | undefined, command: string, example: string): string {
  if (argument !== undefined && argument !== '') return argument;
  throw new AppError('bad_argument', `\`waymark ${command}\` needs an argument.`, {
    hint: `waymark ${command} ${example}`,
  });
}

interface NumberOption {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  /** The beginning of a correct command line. */
  readonly example: string;
}

/** Undefined if it was not given. A number out of range is an error, not clamped: the answer would be to another question. */
export function numberIn(
  options: OptionValues,
  { name, least, most, example }: NumberOption,
): number | undefined {
  const given = options[name];
  if (given === undefined) return undefined;
  const number = typeof given === 'string' && /^\d{1,6}$/.test(given) ? Number(given) : undefined;
  if (number !== undefined && number >= least && number <= most) return number;
  throw new AppError('bad_argument', `--${name} takes a number from ${least} to ${most}.`, {
    hint: `${example} --${name} ${Math.min(most, 5)}`,
  });
}

const MOST = 1_000;

export function toCount(given: OptionValue, usual: number): number {
  if (typeof given !== 'string') return usual;
  const count = Number(given);
  if (Number.isInteger(count) && count >= 1 && count <= MOST) return count;
  throw new AppError('bad_argument', `The limit is not a whole number from 1 to ${MOST}.`);
}

export function textOf(options: OptionValues, name: string): string | undefined {
  const given = options[name];
  return typeof given === 'string' ? given : undefined;
}

/** Undefined if it was not given. An empty value is a mistake: it would narrow nothing. */
export function listOf(
  options: OptionValues,
  name: string,
  split: (value: string) => readonly string[] = (value) => [value],
): readonly string[] | undefined {
  const given = options[name];
  if (typeof given !== 'object') return undefined;
  return given.flatMap((value) => {
    const parts = split(value).filter((part) => part !== '' && part !== '!');
    if (parts.length > 0) return parts;
    throw new AppError('bad_argument', `--${name} has no value.`, {
      hint: `Put it right behind the option, or leave --${name} out.`,
    });
  });
}
