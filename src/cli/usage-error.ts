/** What the parser complains of, in our own words and with the next thing to type. Pure. */
import type { CommanderError } from 'commander';
import { AppError } from '../core/index.ts';
import { nearest } from '../text/index.ts';

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
  // A query may begin with what the parser takes for an option.
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
    hint: early
      ? 'Options go behind the command: `waymark status --log-level debug`.'
      : 'Add --help to the command to see what it takes.',
    cause: error,
  });
}
