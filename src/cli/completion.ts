/** Completion scripts for three shells. Pure: command lines in, script out. */
import type { CommandLine } from './command-line.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

const EVERYWHERE = ['--json', '--debug', '--help'] as const;

export function renderCompletion(shell: Shell, lines: readonly CommandLine[]): string {
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
    offer(line.words.join(' '), [...line.choices, ...line.flags.map((flag) => flag.flag), ...EVERYWHERE]);
  }
  return new Map([...next].map(([prefix, words]) => [prefix, [...words]]));
}

function renderBash(lines: readonly CommandLine[]): string {
  const cases = [...nextWords(lines)]
    .map(([prefix, words]) => `    '${prefix}') words='${words.join(' ')}' ;;`)
    .join('\n');
  return `# bash completion for waymark
_waymark() {
  local current="\${COMP_WORDS[COMP_CWORD]}" typed='' word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] || typed="\${typed:+$typed }$word"
  done
  case "$typed" in
${cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _waymark waymark
`;
}

function renderZsh(lines: readonly CommandLine[]): string {
  const cases = [...nextWords(lines)]
    .map(
      ([prefix, words]) => `    '${prefix}') candidates=(${words.map((word) => `'${word}'`).join(' ')}) ;;`,
    )
    .join('\n');
  return `#compdef waymark
_waymark() {
  local typed='' word
  local -a candidates
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] || typed="\${typed:+$typed }$word"
  done
  case "$typed" in
${cases}
  esac
  compadd -- $candidates
}
compdef _waymark waymark
`;
}

function renderFish(lines: readonly CommandLine[]): string {
  const rules = [...nextWords(lines)].map(([prefix, words]) => {
    const condition = `test (__waymark_typed) = '${prefix}'`;
    return `complete -c waymark -f -n "${condition}" -a '${words.join(' ')}'`;
  });
  return `# fish completion for waymark
function __waymark_typed
    set -l tokens (commandline -opc)
    string join ' ' -- (string match -v -- '-*' $tokens[2..])
    or echo ''
end
${rules.join('\n')}
`;
}
