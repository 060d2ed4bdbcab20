/** What can be typed after `waymark`, as plain values: the source of the parser's options and of the completions. */
import { flagSpecs } from '../config/index.ts';
import type { Command } from './command.ts';

interface CompletedFlag {
  readonly flag: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

export interface CommandLine {
  readonly words: readonly string[];
  readonly summary: string;
  readonly flags: readonly CompletedFlag[];
  readonly choices: readonly string[];
}

export function toCommandLine(command: Command): CommandLine {
  return {
    words: command.name.split(' '),
    summary: command.summary,
    flags: [
      ...(command.options ?? []).map(({ name, valueName, choices = [] }) => ({
        flag: `--${name}`,
        takesValue: valueName !== undefined,
        choices,
      })),
      ...flagSpecs(command.places).map(({ flag, valueName, choices }) => ({
        flag,
        takesValue: valueName !== undefined,
        choices,
      })),
    ],
    choices: command.argument?.choices ?? [],
  };
}
