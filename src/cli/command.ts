/** What a command is: one value per command, from which the parser, the help and the completions are made. */
import type { Config, Environment, FlagPlace, ResolvedConfig } from '../config/index.ts';
import type { Clock, Logger } from '../core/index.ts';
import type { EncoderChoice } from '../embedding/index.ts';
import type { Engine } from '../engine/index.ts';
import type { Listener } from '../http/index.ts';
import type { Indexing } from '../indexing/index.ts';
import type { ServerFactory, StdioConnection, StdioOptions } from '../mcp/index.ts';
import type { Memory } from '../memory/index.ts';
import type { Detector, KnownProjects } from '../project/index.ts';
import type { Search } from '../search/index.ts';
import type { CatalogStore, MemorySpaces } from '../storage/index.ts';
import type { Output } from './output.ts';

/** What serving needs; the application provides it. */
export interface FrontServices {
  readonly config: Config;
  readonly logger: Logger;
  readonly detector: Detector;
  openStdio(
    options: Pick<StdioOptions, 'parentGone' | 'observe'> & { readonly factory?: ServerFactory | undefined },
  ): Promise<StdioConnection>;
  listen(): Promise<ServedListener>;
  close(): Promise<void>;
}

/** What the other commands use: the engine's services in this process. */
export interface Services extends FrontServices {
  readonly indexing: Indexing;
  readonly memory: Memory;
  readonly search: Search;
  readonly engine: Engine;
  readonly encoder: EncoderChoice;
  /** Projects seen before. */
  readonly known: KnownProjects;
  readonly clock: Clock;
  catalog(): Promise<CatalogStore>;
  /** The memories of a tenant, for an operator's commands; the caller closes them. */
  memoryOf(tenant: string): { readonly spaces: MemorySpaces; close(): Promise<void> };
}

export interface CommandContext {
  readonly version: string;
  readonly env: Environment;
  readonly output: Output;
  readonly resolved: ResolvedConfig;
  /** The words typed after the command, without options. */
  readonly words: readonly string[];
  /** What was read of standard input before, if anything was. */
  readonly input: string | undefined;
  /** What the user answers on the terminal; undefined without a terminal. */
  ask(question: string): Promise<string | undefined>;
  /** Standard input is a person's terminal: no program feeds it. */
  readonly isTyped: () => boolean;
  /** What takes time now, as in `Reading the history`: a terminal shows it from the second second on. */
  working(label: string): void;
  /** Aborted when the user or the system asks us to stop. */
  readonly stop: AbortSignal;
  /** Builds the services; the caller of the command closes them. */
  services(): Promise<Services>;
  /** The same for a server, whose engine has a thread of its own. */
  front(start?: StartOptions): Promise<FrontServices>;
}

export interface ServedListener extends Listener {
  /** A link that opens the page once; undefined where no page is served. */
  readonly newPageUrl: (() => string) | undefined;
  /** What to paste to connect a client. */
  connect(path?: '/mcp' | '/sse'): Promise<HowToConnect>;
}

export interface HowToConnect {
  /** For a shell. */
  readonly paste: string;
  /** Without a project. */
  readonly address: string;
  readonly served: Served;
  /** The paste names a variable that holds the token of the user's own, which is not repeated on a screen. */
  readonly needsVariable: boolean;
}

/** What clients get that name no project. */
export type Served =
  | { readonly kind: 'default'; readonly root: string; readonly words: string }
  /** None, but the server was started in this one. */
  | { readonly kind: 'here'; readonly root: string }
  | { readonly kind: 'none' };

/** What a command says about the services, besides the settings. */
export interface StartOptions {
  /** The project of clients that name none: an absolute path. */
  readonly project?: string | undefined;
  /** The page is served, whatever the settings say. */
  readonly ui?: true | undefined;
}

/** An option of one command, beside the settings; its value reaches run() under its name. */
export interface CommandOption {
  readonly name: string;
  /** One letter. */
  readonly short?: string;
  readonly valueName?: string;
  /** The value is optional; without one run() gets `true`. */
  readonly mayStandAlone?: true;
  /** It may be given several times; run() gets a list, and checks its values itself. */
  readonly repeatable?: true;
  readonly description: string;
  /** For a repeatable option only completion offers them: one value may name several. */
  readonly choices?: readonly string[];
}

export type OptionValue = string | boolean | readonly string[] | undefined;
export type OptionValues = Readonly<Record<string, OptionValue>>;

interface CommandArgument {
  readonly name: string;
  readonly description: string;
  readonly choices?: readonly string[];
  /** Any number of them; they reach run() as the context's words. */
  readonly many?: true;
}

type CommandGroup = 'Connect an agent' | 'See what Waymark sees' | 'Remember' | 'Set up';

export interface Command {
  /** One word, or two for a command within a command: `config show`. */
  readonly name: string;
  readonly group: CommandGroup;
  readonly summary: string;
  /** Of all commands with this first word, on the first of them; its own summary if left out. */
  readonly family?: string;
  /** Shown below the options. */
  readonly examples: readonly string[];
  /** Which settings can be given as flags, beside those every command takes; none if left out. */
  readonly places?: readonly FlagPlace[];
  readonly argument?: CommandArgument;
  readonly options?: readonly CommandOption[];
  /** Left out of the list of all commands: another way to it is better known. */
  readonly hidden?: true;
  /** The options that `--help` shows, settings too, in this order; the first six of its own if left out. */
  readonly main?: readonly string[];
  /** An answer that does not fit the window goes through the user's pager. */
  readonly paged?: true;
  /** It waits for others: there is no end to wait for. */
  readonly serves?: true;
  /** The exit code of every failure; that of the error if left out. */
  readonly failureCode?: number;
  /** Resolves with the exit code; nothing means 0. */
  run(context: CommandContext, argument: string | undefined, options: OptionValues): Promise<number | void>;
}

/** Resolves when the user or the system asks us to stop. */
export function untilStopped(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve();
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
}
