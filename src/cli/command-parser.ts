/** Builds the parser from the list of commands. */
import { Command as Parser, Option } from 'commander';
import { flagSpecs, type FlagSpec, type FlagValues } from '../config/index.ts';
import type { Command, CommandOption, OptionValue, OptionValues } from './command.ts';
import { tooManyArguments } from './usage-error.ts';

export interface Invocation {
  readonly command: Command;
  readonly argument: string | undefined;
  readonly words: readonly string[];
  readonly options: OptionValues;
  readonly flags: FlagValues;
  readonly configFile: string | undefined;
}

interface ProgramOptions {
  readonly version: string;
  readonly commands: readonly Command[];
  /** The first word typed: if it names a command, only that one is built. */
  readonly first?: string | undefined;
  readonly onInvoke: (invocation: Invocation) => void;
  readonly print: (text: string) => void;
}

export function createProgram({ version, commands, first, onInvoke, print }: ProgramOptions): Parser {
  const names = commands.map((command) => command.name);
  const program = new Parser('waymark')
    .description('Tells coding agents where they are, what is here and what was learned.')
    .version(version, '-V, --version', 'print the version; `waymark COMMAND --help` tells more')
    .addHelpOption(new Option('-h, --help', 'print help').hideHelp())
    .helpCommand(false)
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput({ writeOut: print, writeErr: () => {}, getOutHelpWidth: () => 80 })
    .configureHelp({ subcommandTerm: (command) => termOf(command, names), showGlobalOptions: false })
    // An option belongs to the word it follows: `mcp serve --port 1` is not an option of `mcp`.
    .enablePositionalOptions();

  const meant = commands.filter(({ name }) => name.split(' ')[0] === first);
  for (const command of meant.length > 0 ? meant : commands) {
    const [word = '', second] = command.name.split(' ');
    const parent = second === undefined ? program : parentOf(program, word, command);
    const parser = parent
      .command(second ?? word)
      .summary(command.summary)
      .description(`${command.summary}.`)
      .allowExcessArguments()
      .enablePositionalOptions();
    if (parent === program) parser.helpGroup(`${command.group}:`);
    if (command.argument !== undefined) addArgument(parser, command.argument);
    for (const option of command.options ?? []) parser.addOption(toCommandOption(option));
    for (const spec of flagSpecs(command.places ?? [])) parser.addOption(toOption(spec));
    addCommonOptions(parser);
    parser.addHelpText('after', `\nExamples:\n${command.examples.map((line) => `  $ ${line}`).join('\n')}`);
    parser.action((...received: unknown[]) => {
      const most = command.argument === undefined ? 0 : command.argument.many === true ? Infinity : 1;
      if (parser.args.length > most) throw tooManyArguments(command, parser.args);
      const argument = command.argument === undefined ? undefined : received[0];
      const { config, ...options } = parser.opts<Record<string, unknown>>();
      onInvoke({
        command,
        argument: typeof argument === 'string' ? argument : undefined,
        words: [...parser.args],
        options: toOptionValues(command.options ?? [], options),
        flags: toFlagValues(flagSpecs(command.places ?? []), options),
        configFile: typeof config === 'string' ? config : undefined,
      });
    });
  }
  return program;
}

/** More would not fit beside their summary; `waymark memory --help` names them all. */
const MOST_NAMED = 1;

/** `config show` is listed in full, not as `config`. */
function termOf(command: Parser, names: readonly string[]): string {
  const name = command.name();
  if (names.includes(name)) return name;
  const inner = command.commands.map((one) => one.name());
  const more = inner.length > MOST_NAMED ? ['…'] : [];
  return `${name} ${[...inner.slice(0, MOST_NAMED), ...more].join('|')}`;
}

function parentOf(program: Parser, name: string, command: Command): Parser {
  const known = program.commands.find((candidate) => candidate.name() === name);
  if (known !== undefined) return known;
  return program
    .command(name)
    .summary(command.summary)
    .description(`${command.summary}.`)
    .helpGroup(`${command.group}:`);
}

function addArgument(parser: Parser, argument: NonNullable<Command['argument']>): void {
  const choices = argument.choices === undefined ? '' : ` (${argument.choices.join(', ')})`;
  parser.argument(
    argument.many === true ? `[${argument.name}...]` : `[${argument.name}]`,
    `${argument.description}${choices}`,
  );
}

function addCommonOptions(parser: Parser): void {
  parser.option('--config <file>', 'read this user file instead of the usual one');
  parser.option('--json', 'print JSON, errors too');
  parser.option('--debug', 'show the stack of an error');
}

function toCommandOption(given: CommandOption): Option {
  const { name, short, valueName, mayStandAlone, repeatable, description, choices } = given;
  const names = short === undefined ? `--${name}` : `-${short}, --${name}`;
  const [open, close] = mayStandAlone === true ? ['[', ']'] : ['<', '>'];
  const value = valueName === undefined ? '' : ` ${open}${valueName}${close}`;
  const option = new Option(names + value, description);
  if (repeatable === true) return option.argParser(collect);
  return choices === undefined ? option : option.choices(choices);
}

function toOptionValues(
  options: readonly CommandOption[],
  parsed: Readonly<Record<string, unknown>>,
): OptionValues {
  const values: Record<string, OptionValue> = {};
  for (const option of options) {
    const given = parsed[toCommandOption(option).attributeName()];
    if (typeof given === 'string' || typeof given === 'boolean') values[option.name] = given;
    if (Array.isArray(given)) values[option.name] = given.map(String);
  }
  return values;
}

function toOption(spec: FlagSpec): Option {
  const option = new Option(
    spec.valueName === undefined ? spec.flag : `${spec.flag} <${spec.valueName}>`,
    spec.help,
  );
  return spec.repeatable ? option.argParser(collect) : option;
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** From the parser's names back to the settings' keys, leaving out what was not given. */
function toFlagValues(specs: readonly FlagSpec[], options: Readonly<Record<string, unknown>>): FlagValues {
  const values: Record<string, string | boolean | readonly string[]> = {};
  for (const spec of specs) {
    const given = options[toOption(spec).attributeName()];
    if (typeof given === 'string' || typeof given === 'boolean') values[spec.key] = given;
    if (Array.isArray(given)) values[spec.key] = given.map(String);
  }
  return values;
}
