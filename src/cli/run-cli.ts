/** From argv to an exit code: parse, resolve the configuration, run the command, say what went wrong. */
import { CommanderError } from 'commander';
import { resolveConfig, wantsColor, type Environment, type ResolvedConfig } from '../config/index.ts';
import { AppError, toAppError } from '../core/index.ts';
import { untilStopped, type FrontServices, type Services, type StartOptions } from './command.ts';
import { COMMANDS } from './commands/index.ts';
import { createOutput, type Output, type Streams } from './output.ts';
import { createProgram, type Invocation } from './command-parser.ts';
import { ask } from './standard-streams.ts';
import { toUsageError } from './usage-error.ts';

interface CliOptions {
  /** Without the node binary and the script. */
  readonly argv: readonly string[];
  readonly env: Environment;
  readonly streams: Streams;
  readonly version: string;
  readonly stop: AbortSignal;
  readonly openServices: (resolved: ResolvedConfig, start: StartOptions) => Promise<Services>;
  /** For servers; the services of the other commands if left out. */
  readonly openFront?: (resolved: ResolvedConfig, start: StartOptions) => Promise<FrontServices>;
}

/** Resolves when the command has finished and its output was taken: the process may exit then. */
export async function runCli(options: CliOptions): Promise<number> {
  const { argv, env, streams, stop } = options;
  const output = createOutput(streams, {
    json: argv.includes('--json'),
    debug: argv.includes('--debug'),
    color: {
      out: wantsColor(env, streams.out.isTTY === true),
      err: wantsColor(env, streams.err.isTTY === true),
    },
  });
  const code = await runCommand(options, output);
  try {
    // After a signal to stop, do not wait for readers.
    await Promise.race([streams.drained?.(), untilStopped(stop)]);
    return interrupted(stop) ? 130 : code;
  } catch (cause) {
    const error = new AppError('file_unavailable', 'Standard output could not be written in full.', {
      hint: 'Check that there is room where it goes to, and run the command again.',
      cause,
    });
    output.fail(error);
    return error.facts.exitCode;
  }
}

/** The one place where a failure of a command becomes words and an exit code. */
async function runCommand(options: CliOptions, output: Output): Promise<number> {
  let invocation: Invocation | undefined;
  try {
    invocation = parse(options, output);
    return invocation === undefined ? 0 : await invoke(options, output, invocation);
  } catch (thrown) {
    const error = toAppError(thrown);
    // After Ctrl-C an unexpected error is only the interruption itself.
    if (!interrupted(options.stop) || error.code === 'interrupted') output.fail(error);
    return invocation?.command.failureCode ?? error.facts.exitCode;
  }
}

/** Ctrl-C is an interruption; a service manager's SIGTERM is an orderly end. */
function interrupted(stop: AbortSignal): boolean {
  return stop.aborted && stop.reason === 'SIGINT';
}

/** Undefined when help or the version was all that was asked for. */
function parse({ argv, version }: CliOptions, output: Output): Invocation | undefined {
  let invocation: Invocation | undefined;
  const program = createProgram({
    version,
    commands: COMMANDS,
    first: argv[0],
    onInvoke: (asked) => (invocation = asked),
    print: (text) => output.raw(text),
  });
  if (argv.length === 0) {
    program.outputHelp();
    return undefined;
  }
  try {
    program.parse([...argv], { from: 'user' });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    if (thrown.exitCode === 0) return undefined;
    throw toUsageError(
      thrown,
      argv,
      COMMANDS.map((command) => command.name),
    );
  }
  return invocation;
}

async function invoke(
  options: CliOptions,
  output: Output,
  { command, argument, words, options: given, flags, configFile }: Invocation,
): Promise<number> {
  const { env, version, stop, openServices, openFront = openServices } = options;
  const resolved = resolveConfig({ flags, env, ...(configFile === undefined ? {} : { configFile }) });
  for (const warning of resolved.warnings) output.talk(`warning: ${warning}`);
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
        ask: (question) => ask(options.streams, question),
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
  }
}
