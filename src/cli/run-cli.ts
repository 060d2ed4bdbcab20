/** From argv to an exit code: parse, resolve the configuration, run the command, say what went wrong. */
import { CommanderError } from 'commander';
import {
  resolveConfig,
  wantsColor,
  type Config,
  type Environment,
  type ResolvedConfig,
} from '../config/index.ts';
import { AppError, toAppError } from '../core/index.ts';
import { systemClock } from '../platform/index.ts';
import { untilStopped, type FrontServices, type Services, type StartOptions } from './command.ts';
import { createProgram, type Invocation } from './command-parser.ts';
import { COMMANDS } from './commands/index.ts';
import { findPager } from './look/pager.ts';
import { themeOf } from './look/theme.ts';
import { startWaitLine } from './look/wait-line.ts';
import { createOutput, type Output, type OutputOptions, type Sink, type Streams } from './output.ts';
import { isTypedPath } from './project.ts';
import { readWords, type NearCommand, type Typed, type TypedCommand } from './read-words.ts';
import { ask } from './standard-streams.ts';
import { didYouMean, noSuchCommand, requireCommand, toUsageError } from './usage-error.ts';

interface CliOptions {
  /** Without the node binary and the script. */
  readonly argv: readonly string[];
  readonly env: Environment;
  readonly streams: Streams;
  readonly version: string;
  readonly stop: AbortSignal;
  /** What was read of standard input before. */
  readonly input?: string | undefined;
  readonly openServices: (resolved: ResolvedConfig, start: StartOptions) => Promise<Services>;
  /** For servers; the services of the other commands if left out. */
  readonly openFront?: (resolved: ResolvedConfig, start: StartOptions) => Promise<FrontServices>;
}

/** Resolves when the command has finished and its output was taken: the process may exit then. */
export async function runCli(options: CliOptions): Promise<number> {
  const { streams, stop } = options;
  const run: CommandRun = { output: createOutput(streams, outputOptions(options)) };
  const code = await runCommand(options, run);
  try {
    await run.output.flush();
    // After a signal to stop, do not wait for readers.
    await Promise.race([streams.drained?.(), untilStopped(stop)]);
    return interrupted(stop) ? 130 : code;
  } catch (cause) {
    const error = new AppError('file_unavailable', 'Standard output could not be written in full.', {
      hint: 'Check that there is room where it goes to, and run the command again.',
      cause,
    });
    run.output.fail(error);
    return error.facts.exitCode;
  }
}

interface CommandRun {
  /** By what was typed alone, until the settings are known. */
  output: Output;
}

interface Look {
  readonly config: Pick<Config, 'color' | 'theme' | 'pager'>;
  readonly isPaged: boolean;
}

/** For help and for errors of the command line the environment counts: settings are not read yet. */
function outputOptions({ argv, env, streams }: CliOptions, look?: Look): OutputOptions {
  const isHelpPaged = !argv.includes('--no-pager');
  const { config, isPaged } = look ?? {
    config: { color: 'auto', theme: 'auto', pager: isHelpPaged } as const,
    isPaged: true,
  };
  const theme = themeOf(config.theme, env);
  const themeFor = ({ isTTY }: Sink): typeof theme | undefined =>
    wantsColor(env, isTTY === true, config.color) ? theme : undefined;
  const json = argv.includes('--json');
  const mayPage = config.pager && isPaged && !json && streams.out.isTTY === true;
  return {
    json,
    debug: argv.includes('--debug'),
    theme: { out: themeFor(streams.out), err: themeFor(streams.err) },
    pager: mayPage ? findPager(env) : undefined,
    elapsed: () => systemClock.elapsed(),
  };
}

/** The one place where a failure of a command becomes words and an exit code. */
async function runCommand(options: CliOptions, run: CommandRun): Promise<number> {
  let invocation: Invocation | undefined;
  try {
    const typed = readTyped(options);
    // Without waiting where there is nothing to ask: what a command reads of the process, it reads at its start.
    invocation = parse(options, typed.kind === 'run' ? typed : await correct(options, typed), run.output);
    return invocation === undefined ? 0 : await invoke(options, run, invocation);
  } catch (thrown) {
    const error = toAppError(thrown);
    // After Ctrl-C an unexpected error is only the interruption itself.
    if (!interrupted(options.stop) || error.code === 'interrupted') run.output.fail(error);
    return invocation?.command.failureCode ?? error.facts.exitCode;
  }
}

/** Ctrl-C is an interruption; a service manager's SIGTERM is an orderly end. */
function interrupted(stop: AbortSignal): boolean {
  return stop.aborted && stop.reason === 'SIGINT';
}

function readTyped({ argv, streams }: CliOptions): Typed {
  const names = COMMANDS.map((command) => command.name);
  return readWords(argv, { names, isTerminal: streams.out.isTTY === true, isPath: isTypedPath });
}

/** Undefined when help or the version was all that was asked for. */
function parse(
  { version }: Pick<CliOptions, 'version'>,
  { argv, help }: TypedCommand,
  output: Output,
): Invocation | undefined {
  let invocation: Invocation | undefined;
  requireCommand(argv, COMMANDS);
  const program = createProgram({
    version,
    commands: COMMANDS,
    first: argv[0],
    help,
    onInvoke: (asked) => (invocation = asked),
    print: (text) => (output.json ? output.raw(text) : output.answer(text.trimEnd(), undefined)),
  });
  try {
    program.parse([...argv], { from: 'user' });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    if (thrown.exitCode === 0) return undefined;
    throw toUsageError(thrown, argv, COMMANDS);
  }
  return invocation;
}

/** A slip is corrected only after a person said so: what is near a question may be a command that changes something. */
async function correct({ argv, streams, stop }: CliOptions, near: NearCommand): Promise<TypedCommand> {
  const { typed, meant, rest } = near;
  const error = noSuchCommand(near);
  const answer = argv.includes('--json')
    ? undefined
    : await ask(streams, `${error.message} ${didYouMean(near)} [Y/n, s to search] `, stop);
  if (answer === '' || answer === 'y' || answer === 'yes')
    return { kind: 'run', argv: [...meant, ...rest], help: 'main' };
  if (answer === 's') return { kind: 'run', argv: ['search', ...typed, ...rest], help: 'main' };
  throw error;
}

async function invoke(
  options: CliOptions,
  run: CommandRun,
  { command, argument, words, options: given, flags, configFile }: Invocation,
): Promise<number> {
  const { env, version, streams, stop, input, openServices, openFront = openServices } = options;
  const resolved = resolveConfig({ flags, env, ...(configFile === undefined ? {} : { configFile }) });
  const isPaged = command.paged === true;
  const output = createOutput(streams, outputOptions(options, { config: resolved.config, isPaged }));
  run.output = output;
  for (const warning of resolved.warnings) output.talk(`warning: ${warning}`);
  const waiting = command.serves === true ? undefined : startWaitLine(output, systemClock);
  let services: Promise<Services> | undefined;
  let front: Promise<FrontServices> | undefined;
  try {
    const code = await command.run(
      {
        version,
        env,
        output,
        resolved,
        words,
        input,
        ask: (question) => {
          const asked = ask(streams, question, stop);
          return waiting === undefined ? asked : waiting.pause(asked);
        },
        isTyped: () => streams.in?.().isTTY === true,
        working: (label) => waiting?.say(label),
        stop,
        services: () => (services ??= openServices(resolved, {})),
        front: (start = {}) => (front ??= openFront(resolved, start)),
      },
      argument,
      given,
    );
    return code ?? 0;
  } finally {
    for (const opening of [front, services])
      await opening?.then(
        (opened) => opened.close(),
        () => {},
      );
    waiting?.end();
  }
}
