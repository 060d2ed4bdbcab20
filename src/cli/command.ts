/** What a command is: one value per command, from which the parser, the help and the completions are made. */
import type { Config, FlagPlace, ResolvedConfig } from '../config/index.ts';
import type { Logger } from '../core/index.ts';
import type { Indexing } from '../indexing/index.ts';
import type { Listener } from '../http/index.ts';
import type { ServerFactory } from '../mcp/index.ts';
import type { Detector } from '../project/index.ts';
import type { Output } from './output.ts';

/** The services commands use; the application provides them. */
export interface Services {
  readonly config: Config;
  readonly logger: Logger;
  readonly detector: Detector;
  readonly indexing: Indexing;
  servers(): Promise<ServerFactory>;
  listen(): Promise<Listener>;
  /** A question about the project that its index answers, with the answer, for somebody who sees Waymark for the first time. */
  firstSearch?(root: string): Promise<FirstSearch | undefined>;
  /** Languages whose parser is missing from the installation. */
  missingGrammars?(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface FirstSearch {
  readonly query: string;
  readonly hits: readonly {
    readonly path: string;
    readonly startLine: number;
    readonly endLine: number;
    readonly symbol?: string;
  }[];
}

export interface CommandContext {
  readonly version: string;
  readonly output: Output;
  readonly resolved: ResolvedConfig;
  /** All that was typed behind the command, options left out. */
  readonly words: readonly string[];
  /** What the user answers on the terminal; undefined where there is nobody to ask. */
  ask(question: string): Promise<string | undefined>;
  /** Aborted when the user or the system asks us to stop. */
  readonly stop: AbortSignal;
  /** Builds the services; the caller of the command closes them. */
  services(): Promise<Services>;
}

/** An option of one command, beside the settings; its value reaches run() under its name. */
export interface CommandOption {
  readonly name: string;
  readonly valueName?: string;
  readonly description: string;
  readonly choices?: readonly string[];
}

export type OptionValues = Readonly<Record<string, string | boolean | undefined>>;

export interface CommandArgument {
  readonly name: string;
  readonly description: string;
  readonly choices?: readonly string[];
  /** Any number of them; they reach run() as the context's words. */
  readonly many?: true;
}

export type CommandGroup = 'Connect an agent' | 'See what Waymark sees' | 'Set up';

export interface Command {
  /** One word, or two for a command within a command: `config show`. */
  readonly name: string;
  readonly group: CommandGroup;
  readonly summary: string;
  /** Shown below the options. */
  readonly examples: readonly string[];
  /** Which settings can be given as flags, beside those every command takes. */
  readonly places: readonly FlagPlace[];
  readonly argument?: CommandArgument;
  readonly options?: readonly CommandOption[];
  /** Resolves with the exit code; nothing means 0. */
  run(context: CommandContext, argument: string | undefined, options: OptionValues): Promise<number | void>;
}
