/** Completion scripts for three shells, made from the same list of commands as the parser. */
import { flagSpecs } from '../../config/index.ts';
import { AppError } from '../../core/index.ts';
import type { Command } from '../command.ts';

/** Prints a completion script, made from the same list of commands as the parser. */
export function completionCommand(lines: () => readonly CommandLine[]): Command {
  return {
    name: 'completion',
    group: 'Set up',
    summary: 'Print a completion script for bash, zsh or fish',
    examples: ['waymark completion bash > ~/.local/share/bash-completion/completions/waymark'],
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

interface CompletedFlag {
  readonly flag: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

interface CommandLine {
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
      ...flagSpecs(command.places ?? []).map(({ flag, valueName, choices }) => ({
        flag,
        takesValue: valueName !== undefined,
        choices,
      })),
    ],
    choices: command.argument?.choices ?? [],
  };
}

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

const EVERYWHERE = ['--config', '--json', '--debug', '--help', '--help-all'] as const;

function renderCompletion(shell: Shell, lines: readonly CommandLine[]): string {
  switch (shell) {
    case 'bash':
      return renderBash(lines);
    case 'zsh':
      return renderZsh(lines);
    case 'fish':
      return renderFish(lines);
  }
}

/** For each prefix of typed words, what may come next: sub-commands, choices and flags. */
function nextWords(lines: readonly CommandLine[]): ReadonlyMap<string, readonly string[]> {
  const next = new Map<string, Set<string>>();
  const offer = (prefix: string, words: readonly string[]): void => {
    const known = next.get(prefix) ?? new Set();
    for (const word of words) known.add(word);
    next.set(prefix, known);
  };
  for (const line of lines) {
    line.words.forEach((word, depth) => offer(line.words.slice(0, depth).join(' '), [word]));
    offer(line.words.join(' '), [...line.choices, ...line.flags.map(({ flag }) => flag), ...EVERYWHERE]);
  }
  offer('', ['help', '--help', '--version']);
  offer(
    'help',
    lines.flatMap(({ words }) => words.slice(0, 1)),
  );
  return new Map([...next].map(([prefix, words]) => [prefix, [...words]]));
}

/** Flags that take a value. */
function valuedFlags(lines: readonly CommandLine[]): readonly string[] {
  const valued = lines.flatMap((line) => line.flags).filter(({ takesValue }) => takesValue);
  return [...new Set(['--config', ...valued.map(({ flag }) => flag)])];
}

/** Shell patterns of what was typed and the flag behind it, each with the values that can be listed: one flag may mean two things. */
function flagValues(lines: readonly CommandLine[]): ReadonlyMap<string, readonly string[]> {
  const listed = lines.flatMap(({ words, flags }) =>
    flags.map(({ flag, choices }) => ({ command: words.join(' '), flag, choices })),
  );
  const isShared = ({ flag, choices }: (typeof listed)[number]): boolean =>
    listed.every((other) => other.flag !== flag || other.choices.join() === choices.join());
  return new Map(
    listed
      .filter(({ choices }) => choices.length > 0)
      .map((one) => {
        const { command, flag, choices } = one;
        const pattern = isShared(one) ? `*' ${flag}'` : `'${command} ${flag}'|'${command} '*' ${flag}'`;
        return [pattern, choices] as const;
      }),
  );
}

function renderBash(lines: readonly CommandLine[]): string {
  return `# bash completion for waymark
_waymark() {
  local current="\${COMP_WORDS[COMP_CWORD]}" typed='' word words='' skip=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ -n $skip ]]; then skip=''; continue; fi
    case "$word" in
      ${valuedFlags(lines).join('|')}) skip="$word" ;;
      -*) ;;
      *) typed="\${typed:+$typed }$word" ;;
    esac
  done
  if [[ -n $skip ]]; then
    case "$typed $skip" in
${renderCases(flagValues(lines), (words) => `words='${words.join(' ')}'`)}
    esac
  else
    case "$typed" in
${renderCases(quoteKeys(nextWords(lines)), (words) => `words='${words.join(' ')}'`)}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _waymark waymark
`;
}

function renderZsh(lines: readonly CommandLine[]): string {
  const assign = (words: readonly string[]): string =>
    `candidates=(${words.map((word) => `'${word}'`).join(' ')})`;
  return `#compdef waymark
_waymark() {
  local typed='' word skip=''
  local -a candidates
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n $skip ]]; then skip=''; continue; fi
    case "$word" in
      ${valuedFlags(lines).join('|')}) skip="$word" ;;
      -*) ;;
      *) typed="\${typed:+$typed }$word" ;;
    esac
  done
  if [[ -n $skip ]]; then
    case "$typed $skip" in
${renderCases(flagValues(lines), assign)}
    esac
    (( \${#candidates} )) || { _files; return }
  else
    case "$typed" in
${renderCases(quoteKeys(nextWords(lines)), assign)}
    esac
  fi
  compadd -- $candidates
}
if [[ "$funcstack[1]" == _waymark ]]; then _waymark "$@"; else compdef _waymark waymark; fi
`;
}

function renderCases(
  words: ReadonlyMap<string, readonly string[]>,
  assign: (words: readonly string[]) => string,
): string {
  return [...words].map(([pattern, offered]) => `      ${pattern}) ${assign(offered)} ;;`).join('\n');
}

function quoteKeys(words: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly string[]> {
  return new Map([...words].map(([key, offered]) => [`'${key}'`, offered]));
}

function renderFish(lines: readonly CommandLine[]): string {
  const rules = [...nextWords(lines)].map(
    ([prefix, words]) =>
      `complete -c waymark -f -n "test (__waymark_typed) = '${prefix}'" -a '${words.join(' ')}'`,
  );
  return `# fish completion for waymark
function __waymark_typed
    set -l typed
    set -l skip 0
    for word in (commandline -opc)[2..]
        if test $skip = 1
            set skip 0
        else if contains -- $word ${valuedFlags(lines).join(' ')}
            set skip 1
        else if not string match -q -- '-*' $word
            set -a typed $word
        end
    end
    string join -- ' ' $typed
    or echo
end
${rules.join('\n')}
`;
}
