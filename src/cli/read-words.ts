/** What was typed, as the parser takes it: a bare question is a search, `help CMD` is its `--help`. Pure. */
import { nearest } from '../text/index.ts';

export type Typed = TypedCommand | NearCommand;

export interface TypedCommand {
  readonly kind: 'run';
  readonly argv: readonly string[];
  readonly help: 'main' | 'all';
}

/** Nearly a command. It may be a search as well. */
export interface NearCommand {
  readonly kind: 'near';
  /** One word or two. */
  readonly typed: readonly string[];
  readonly meant: readonly string[];
  readonly rest: readonly string[];
}

interface Known {
  readonly names: readonly string[];
  /** Without a word there is a home screen on a terminal, and help elsewhere. */
  readonly isTerminal: boolean;
  /** Whether a word is the path of a file or folder that is there. */
  readonly isPath: (word: string) => boolean;
}

const ALL = '--help-all';
/** As people say it who know other programs. */
const OTHERS: ReadonlyMap<string, string> = new Map([
  ['memory save', 'remember'],
  ['memory add', 'remember'],
  ['memory search', 'recall'],
  ['memory recall', 'recall'],
]);

/** What is nearly the opposite of what is meant. */
const MEANT: ReadonlyMap<string, string> = new Map([['install', 'setup']]);

/** The command that a word was meant for, if it is nearly one. */
export function nearestCommand(word: string, firsts: readonly string[]): string | undefined {
  return MEANT.get(word) ?? nearest(word, firsts);
}

export function readWords(typed: readonly string[], { names, isTerminal, isPath }: Known): Typed {
  const end = typed.indexOf('--');
  const isAll = typed.slice(0, end === -1 ? typed.length : end).includes(ALL);
  const argv = isAll ? typed.map((word) => (word === ALL ? '--help' : word)) : typed;
  const run = (...words: readonly string[]): Typed => ({
    kind: 'run',
    argv: words,
    help: isAll ? 'all' : 'main',
  });
  const [first, ...rest] = argv;
  if (first === undefined) return run(isTerminal ? 'home' : '--help');
  // As it was called before, and as others call it.
  if (first === '-V') return run('--version', ...rest);
  const firsts = names.map((name) => name.split(' ')[0] ?? name);
  if (first === 'help') {
    const asked = rest.filter((word) => !word.startsWith('-'));
    return helpNear(asked, firsts) ?? run(...asked, '--help');
  }
  const other = OTHERS.get(`${first} ${rest[0] ?? ''}`);
  if (other !== undefined && !names.includes(`${first} ${rest[0] ?? ''}`))
    return run(other, ...rest.slice(1));
  if (rest[0] === 'help' && firsts.includes(first) && !names.includes(first)) return run(first, '--help');
  if (first.startsWith('-') || firsts.includes(first)) return run(...argv);
  if (!/\s/.test(first) && rest.some((word) => word === '--help' || word === '-h'))
    return helpNear([first], firsts) ?? run(first, '--help');
  // A path is no question: what it defines is the answer.
  if (rest.length === 0 && isPath(first)) return run('outline', first);
  return (/\s/.test(first) ? undefined : commandNear(argv, names, firsts)) ?? run('search', ...argv);
}

function helpNear(asked: readonly string[], firsts: readonly string[]): NearCommand | undefined {
  const [first] = asked;
  if (first === undefined || firsts.includes(first)) return undefined;
  const meant = nearestCommand(first, firsts);
  return meant === undefined
    ? undefined
    : { kind: 'near', typed: [first], meant: [meant, '--help'], rest: [] };
}

function commandNear(
  argv: readonly string[],
  names: readonly string[],
  firsts: readonly string[],
): NearCommand | undefined {
  const [first = '', second] = argv;
  const both =
    second === undefined || second.startsWith('-') ? undefined : nearest(`${first} ${second}`, names);
  if (both?.includes(' ') === true) return near(argv, both.split(' '));
  const one = nearestCommand(first, firsts);
  return one === undefined ? undefined : near(argv, [one]);
}

function near(argv: readonly string[], meant: readonly string[]): NearCommand {
  const count = meant.length;
  return { kind: 'near', typed: argv.slice(0, count), meant, rest: argv.slice(count) };
}
