/** Errors of the parser in our own words, with a hint what to type. Pure. */
import type { CommanderError } from 'commander';
import { flagSpecs } from '../config/index.ts';
import { AppError } from '../core/index.ts';
import { escapeControl, nearest } from '../text/index.ts';
import type { Command } from './command.ts';
import { nearestCommand, type NearCommand } from './read-words.ts';

const MOST_QUOTED = 200;
/** More would not be read. */
const MOST_NAMED = 3;
const PROGRAM_OPTIONS = ['version', 'help', 'help-all'];
const SEE_HELP = 'Add --help to the command to see what it takes.';

/** Usually a question or a path with spaces that was not quoted. */
export function tooManyArguments(
  { name, argument }: Pick<Command, 'name' | 'argument'>,
  words: readonly string[],
): AppError {
  if (argument === undefined || argument.choices !== undefined) {
    const takes = argument === undefined ? 'no argument' : 'one argument';
    return new AppError('bad_argument', `Too many arguments: \`waymark ${name}\` takes ${takes}.`, {
      hint: SEE_HELP,
    });
  }
  return new AppError(
    'bad_argument',
    `Too many arguments: \`waymark ${name}\` takes one, and here are ${words.length}.`,
    { hint: `Put the ${argument.name} in quotes: waymark ${name} ${quoted(words.join(' '))}` },
  );
}

/** Quoted for a shell; `"…"` in place of text that would be hard to read. */
function quoted(text: string): string {
  const dashes = text.startsWith('-') ? '-- ' : '';
  const isLong = text.length > MOST_QUOTED;
  if (isLong || (/["$`\\!]/.test(text) && text.includes("'"))) return `${dashes}"…"`;
  return escapeControl(`${dashes}${/["$`\\!]/.test(text) ? `'${text}'` : `"${text}"`}`);
}

/** A word that is nearly a command; it may be a question all the same. */
export function noSuchCommand(near: NearCommand): AppError {
  const { typed, rest } = near;
  const question = [...typed, ...rest.filter((word) => !word.startsWith('-'))].join(' ');
  return new AppError('unknown_command', `There is no command \`${typed.map(shortWord).join(' ')}\`.`, {
    hint: `${didYouMean(near)} To search: waymark search ${quoted(question)}`,
  });
}

export function didYouMean({ meant }: Pick<NearCommand, 'meant'>): string {
  return `Did you mean \`waymark ${meant.join(' ')}\`?`;
}

function shortWord(word: string): string {
  return escapeControl(word.length > MOST_QUOTED ? `${word.slice(0, MOST_QUOTED)}…` : word);
}

export function toUsageError(
  error: CommanderError,
  argv: readonly string[],
  commands: readonly Command[],
): AppError {
  const names = commands.map(({ name }) => name);
  const typed = argv.filter((word) => !word.startsWith('-')).slice(0, 2);
  const [first = ''] = typed;
  const inner = names.filter((name) => name.startsWith(`${first} `));
  if (typed.length === 1 && inner.length > 0 && !names.includes(first)) {
    const named = inner.slice(0, MOST_NAMED).map((name) => `\`waymark ${name}\``);
    const others = inner.length > MOST_NAMED ? ` \`waymark help ${first}\` names the others.` : '';
    const hint = `Try ${named.join(' or ')}.${others}`;
    return new AppError('unknown_command', `\`waymark ${first}\` needs another word.`, {
      hint,
      cause: error,
    });
  }
  if (error.code === 'commander.unknownCommand' || error.code === 'commander.help')
    return unknownCommand(argv, names, error);
  if (error.code === 'commander.unknownOption') return unknownOption(error, argv, commands);
  const message = error.message.replace(/^error: /, '').replace(/\.*$/, '');
  return new AppError('bad_argument', `${message.charAt(0).toUpperCase()}${message.slice(1)}.`, {
    hint: SEE_HELP,
    cause: error,
  });
}

/** Of one word or two. What comes nearest is one of the same first word, if there are any. */
function unknownCommand(argv: readonly string[], names: readonly string[], cause?: unknown): AppError {
  const words = argv.filter((word) => !word.startsWith('-'));
  const [first = '', second = ''] = words;
  const inner = names.flatMap((name) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : []));
  const isGroup = inner.length > 0;
  const near = isGroup ? nearest(second, inner) : nearestCommand(first, firstWords(names));
  const listed = `\`waymark help${isGroup ? ` ${first}` : ''}\` lists every one there is.`;
  const did = near === undefined ? listed : didYouMean({ meant: isGroup ? [first, near] : [near] });
  const typed = isGroup ? [first, second] : [first];
  return new AppError('unknown_command', `There is no command \`${typed.map(shortWord).join(' ')}\`.`, {
    hint: `${did} To search: waymark search ${quoted(words.join(' '))}`,
    cause,
  });
}

function firstWords(names: readonly string[]): readonly string[] {
  return names.map((name) => name.split(' ')[0] ?? name);
}

/** Help of what is no command would be help of everything. */
export function requireCommand(argv: readonly string[], commands: readonly Command[]): void {
  const names = commands.map(({ name }) => name);
  const [first = '', second = '-'] = argv;
  if (first === '' || first.startsWith('-')) return;
  const isGroup = !names.includes(first) && names.some((name) => name.startsWith(`${first} `));
  const isKnown = isGroup
    ? second.startsWith('-') || names.includes(`${first} ${second}`)
    : firstWords(names).includes(first);
  if (!isKnown) throw unknownCommand(argv, names);
}

function unknownOption(
  error: CommanderError,
  argv: readonly string[],
  commands: readonly Command[],
): AppError {
  const fail = (message: string, hint: string): AppError =>
    new AppError('bad_argument', message, { hint, cause: error });
  // A query may begin with a minus, as in `-path:test`.
  const filter = argv.find((word) => /^-[A-Za-z]+:/.test(word));
  if (filter !== undefined && error.message.includes(filter)) {
    return fail(
      'What begins with a minus is taken for an option.',
      `Put -- before the query: waymark ${argv[0]} -- "-path:test …"`,
    );
  }
  const [, option = ''] = /'([^']*)'/.exec(error.message) ?? [];
  const message = `There is no option \`${shortWord(option)}\`.`;
  if (argv[0]?.startsWith('-') === true) {
    const own = option.startsWith('--') ? nearest(option.slice(2), PROGRAM_OPTIONS) : undefined;
    const behind = 'Options go behind the command: `waymark status --log-level debug`.';
    return fail(message, own === undefined ? behind : `Did you mean \`waymark --${own}\`?`);
  }
  const command =
    commands.find(({ name }) => argv.slice(0, 2).join(' ') === name) ??
    commands.find(({ name }) => argv[0] === name);
  const known = command === undefined ? [] : optionNames(command);
  const [name = ''] = option.replace(/^-+/, '').split('=');
  const meant = option.startsWith('--') ? nearest(name, known) : known.find((one) => one === name);
  const all = `\`waymark help ${command?.name ?? ''}\` shows what it takes.`;
  return fail(message, meant === undefined ? all : `Did you mean \`--${meant}\`? ${all}`);
}

/** Without their dashes. */
export function optionNames({ options = [], places = [] }: Command): readonly string[] {
  const settings = flagSpecs(places).map(({ flag }) => flag.slice(2));
  return [...options.map(({ name }) => name), ...settings, 'config', 'json', 'debug', 'help', 'help-all'];
}
