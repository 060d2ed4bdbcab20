/** Builds the parser from the list of commands. */
import { Command as Parser, Option } from 'commander';
import { flagSpecs, type FlagSpec, type FlagValues } from '../config/index.ts';
import type { Command, CommandOption, OptionValue, OptionValues } from './command.ts';
import { countOf } from '../text/index.ts';
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
  /** Which options help shows: those that matter, or all. */
  readonly help: 'main' | 'all';
  readonly onInvoke: (invocation: Invocation) => void;
  readonly print: (text: string) => void;
}

export function createProgram({ version, commands, first, help, onInvoke, print }: ProgramOptions): Parser {
  const names = commands.map((command) => command.name);
  const program = new Parser('waymark')
    .usage('COMMAND [options]        (`waymark help COMMAND` tells more)\n       waymark "what you look for"')
    .description('Tells coding agents where they are, what is here and what was learned.')
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help')
    .helpCommand(false)
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput({ writeOut: print, writeErr: () => {}, getOutHelpWidth: () => 80 })
    .configureHelp({
      subcommandTerm: (command) => termOf(command, names),
      showGlobalOptions: false,
      visibleOptions: () => [],
    })
    // An option belongs to the word it follows: `mcp serve --port 1` is not an option of `mcp`.
    .enablePositionalOptions();

  const meant = commands.filter(({ name }) => name.split(' ')[0] === first);
  for (const command of meant.length > 0 ? meant : commands) {
    const [word = '', second] = command.name.split(' ');
    const parent = second === undefined ? program : parentOf(program, word, command);
    const parser = parent
      // A word that is hidden still names what it has to say.
      .command(second ?? word, { hidden: parent === program && command.hidden === true })
      .summary(command.summary)
      .description(`${command.summary}.`)
      .allowExcessArguments()
      .enablePositionalOptions();
    if (parent === program) parser.helpGroup(`${command.group}:`);
    if (command.argument !== undefined) addArgument(parser, command.argument);
    for (const option of optionsOf(command, help)) parser.addOption(option);
    parser.helpOption('-h, --help', help === 'all' ? 'print the options that matter' : 'print this help');
    parser.configureHelp({ visibleOptions: (shown) => visibleOptions(shown, help) });
    parser.addHelpText('after', renderAfter(command, parser, help));
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
const WIDEST_TERM = 'memory list|…'.length;

/** `config show` is listed in full, not as `config`. */
function termOf(command: Parser, names: readonly string[]): string {
  const name = command.name();
  if (names.includes(name)) return name;
  const inner = command.commands.map((one) => one.name());
  const more = inner.length > MOST_NAMED ? ['…'] : [];
  const term = `${name} ${[...inner.slice(0, MOST_NAMED), ...more].join('|')}`;
  return term.length > WIDEST_TERM ? `${name} …` : term;
}

function parentOf(program: Parser, name: string, command: Command): Parser {
  const known = program.commands.find((candidate) => candidate.name() === name);
  if (known !== undefined) return known;
  // With a first command that is hidden, the word is.
  return program
    .command(name, { hidden: command.hidden === true })
    .helpCommand(false)
    .summary(command.family ?? command.summary)
    .description(`${command.family ?? command.summary}.`)
    .helpGroup(`${command.group}:`);
}

function addArgument(parser: Parser, argument: NonNullable<Command['argument']>): void {
  const choices = argument.choices === undefined ? '' : ` (${argument.choices.join(', ')})`;
  parser.argument(
    argument.many === true ? `[${argument.name}...]` : `[${argument.name}]`,
    `${argument.description}${choices}`,
  );
}

/** As many as one reads; `--help-all` shows the others. */
const MOST_SHOWN = 6;
const MOST_EXAMPLES = 3;

/** Every option of a command. Those that matter come first, in the order in which they are shown. */
function optionsOf(command: Command, help: 'main' | 'all'): readonly Option[] {
  const all = [
    ...(command.options ?? []).map(toCommandOption),
    ...flagSpecs(command.places ?? []).map(toOption),
    new Option('--json', 'print JSON, errors too'),
    new Option('--config <file>', 'read this user file instead of the usual one'),
    new Option('--debug', 'show the stack of an error'),
  ];
  const own = (command.options ?? []).map(({ name }) => name);
  const names = (command.main ?? [...own.slice(0, MOST_SHOWN - 1), 'json']).slice(0, MOST_SHOWN);
  const main = names.flatMap((name) => all.filter((option) => option.long === `--${name}`));
  const others = all.filter((option) => !main.includes(option));
  return [...main, ...others.map((option) => option.hideHelp(help === 'main'))];
}

/** Among those that matter there is no help of help. */
function visibleOptions(parser: Parser, help: 'main' | 'all'): Option[] {
  return parser.options.filter((option) => help === 'all' || !option.hidden);
}

function renderAfter({ examples }: Command, parser: Parser, help: 'main' | 'all'): string {
  const hidden = help === 'all' ? 0 : parser.options.filter((option) => option.hidden).length;
  const path = `${parser.parent?.name() === 'waymark' ? '' : `${parser.parent?.name()} `}${parser.name()}`;
  return [
    `\nExamples:\n${examples
      .slice(0, help === 'all' ? undefined : MOST_EXAMPLES)
      .map((line) => `  $ ${line}`)
      .join('\n')}`,
    ...(hidden === 0 ? [] : [`\n${countOf(hidden, 'more option')}: waymark ${path} --help-all`]),
  ].join('\n');
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
