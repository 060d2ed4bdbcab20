import { AppError } from '../../core/index.ts';
import type { Command } from '../command.ts';
import { renderCompletion, SHELLS, type Shell } from '../completion.ts';
import type { CommandLine } from '../command-line.ts';

/** Prints a completion script, made from the same list of commands as the parser. */
export function completionCommand(lines: () => readonly CommandLine[]): Command {
  return {
    name: 'completion',
    group: 'Set up',
    summary: 'Print a completion script for bash, zsh or fish',
    examples: ['waymark completion bash > ~/.local/share/bash-completion/completions/waymark'],
    places: [],
    argument: { name: 'shell', description: 'the shell to complete for', choices: SHELLS },
    async run({ output }, argument) {
      const shell = SHELLS.find((name): name is Shell => name === argument);
      if (shell === undefined) {
        throw new AppError(
          'bad_argument',
          `There is no completion for the shell ${argument ?? '(none given)'}.`,
          {
            hint: `Choose one of ${SHELLS.join(', ')}: \`waymark completion bash\`.`,
          },
        );
      }
      output.raw(renderCompletion(shell, lines()));
    },
  };
}
