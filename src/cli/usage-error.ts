/** Errors of the parser in our own words, with a hint what to type. Pure. */
import type { CommanderError } from 'commander';
import { AppError } from '../core/index.ts';
import { escapeControl, nearest } from '../text/index.ts';
import type { Command } from './command.ts';

const MOST_QUOTED = 200;
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

export function toUsageError(
  error: CommanderError,
  argv: readonly string[],
  names: readonly string[],
): AppError {
  const typed = argv.filter((word) => !word.startsWith('-')).slice(0, 2);
  const [first = ''] = typed;
  const inner = names.filter((name) => name.startsWith(`${first} `));
  if (typed.length === 1 && inner.length > 0 && !names.includes(first)) {
    const hint = `Try ${inner.map((name) => `\`waymark ${name}\``).join(' or ')}.`;
    return new AppError('unknown_command', `\`waymark ${first}\` needs another word.`, {
      hint,
      cause: error,
    });
  }
  if (error.code === 'commander.unknownCommand' || error.code === 'commander.help') {
    const firsts = names.map((name) => name.split(' ')[0] ?? name);
    const meant = nearest(typed.join(' '), names) ?? nearest(first, firsts);
    const hint =
      meant === undefined
        ? 'Run `waymark --help` to see all commands.'
        : `Did you mean \`waymark ${meant}\`?`;
    return new AppError('unknown_command', `There is no command \`${typed.join(' ')}\`.`, {
      hint,
      cause: error,
    });
  }
  // A query may begin with a minus, as in `-path:test`.
  const filter = argv.find((word) => /^-[A-Za-z]+:/.test(word));
  if (error.code === 'commander.unknownOption' && filter !== undefined && error.message.includes(filter)) {
    return new AppError('bad_argument', 'What begins with a minus is taken for an option.', {
      hint: `Put -- before the query: waymark ${first} -- "-path:test …"`,
      cause: error,
    });
  }
  const early = error.code === 'commander.unknownOption' && argv[0]?.startsWith('-') === true;
  const message = error.message.replace(/^error: /, '').replace(/\.*$/, '');
  return new AppError('bad_argument', `${message.charAt(0).toUpperCase()}${message.slice(1)}.`, {
    hint: early ? 'Options go behind the command: `waymark status --log-level debug`.' : SEE_HELP,
    cause: error,
  });
}
