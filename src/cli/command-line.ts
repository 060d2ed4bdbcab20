/** What can be typed after `waymark`, as plain values: the source of the parser's options and of the completions. */
import { flagSpecs, type FlagSpec } from '../config/index.ts';
import type { Command } from './command.ts';

export interface CommandLine {
  readonly words: readonly string[];
  readonly summary: string;
  readonly flags: readonly FlagSpec[];
  readonly choices: readonly string[];
}

export function toCommandLine(command: Command): CommandLine {
  return {
    words: command.name.split(' '),
    summary: command.summary,
    flags: flagSpecs(command.places),
    choices: command.argument?.choices ?? [],
  };
}
