/** What a tool is: one value, complete before it runs. Knows no transport. */
import * as z from 'zod';
import type {
  Detection,
  FoundProject,
  Logger,
  Project,
  RefusedReport,
  SourceReport,
  Toolset,
  GitIdentity,
} from '../core/index.ts';
import { nearest } from '../text/index.ts';
import { readLeniently } from './lenient-arguments.ts';
import { orFailure, PROJECT_ARGUMENT, toJsonSchema } from './schemas.ts';
import type { ToolServices } from './services.ts';

/** All four are written out for every tool: a client's defaults for missing ones are pessimistic. */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

type JsonSchema = Readonly<Record<string, unknown>>;

const MOST_PROBLEMS = 20;

/** What a call may ask of its surroundings. */
export interface ToolCall {
  readonly detection: Detection;
  /** Aborted when the client cancels or goes away: whatever waits must heed it. */
  readonly signal: AbortSignal;
  /** Says how far a long call has come; heard only by a client that asked for it. */
  readonly progress: (step: ProgressStep) => Promise<void>;
  readonly logger: Logger;
  readonly services: ToolServices;
  /** Name and version of the client, as it calls itself. */
  readonly client: string;
  /** Makes this the project of the connection's later calls; false if there is no connection that could keep it. */
  choose(project: Project): boolean;
  /** What git says of the call's project, as far as this caller may hear of it. */
  git(): GitIdentity | undefined;
  /** What naming this project would come to. */
  name(text: string): Promise<NamedAnswer>;
  /** Projects that this caller may name, most recent first. */
  candidates(): Promise<readonly Project[]>;
}

export type NamedAnswer =
  | { readonly kind: 'found'; readonly project: Project }
  | { readonly kind: 'refused'; readonly message: string; readonly why: RefusedReport['why'] };

/** What a source said of a name that somebody chose. */
export function toNamedAnswer(report: SourceReport): NamedAnswer {
  if (report.kind === 'found') return { kind: 'found', project: report.project };
  if (report.kind === 'refused') return { kind: 'refused', message: report.message, why: report.why };
  return { kind: 'refused', message: report.reason, why: 'unusable' };
}

export interface ProgressStep {
  readonly done: number;
  readonly total?: number;
  readonly message?: string;
}

export interface ToolAnswer {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
  /** The answer of a tool that reports on the project, but that does not need one. */
  readonly standsAlone?: boolean;
}

/** An answer that says why there is none. */
export interface FailedAnswer extends ToolAnswer {
  readonly isError: true;
}

/**
 * What a tool has to do with the project: it cannot work without one, it reports on it whatever was found, or it has
 * nothing to do with it.
 */
export type ProjectNeed = 'required' | 'reported' | 'none';

export interface Tool {
  readonly name: string;
  /** Callable, never listed. */
  readonly aliases: readonly string[];
  readonly toolset: Toolset;
  readonly title: string;
  /** When to use it, in a user's words; at most 600 characters. */
  readonly description: string;
  /** Clients that show their model only the names of tools at first are asked to show all of this one. */
  readonly alwaysLoad: boolean;
  readonly project: ProjectNeed;
  readonly hints: ToolHints;
  /** JSON Schemas, made once, when a listing first asks: neither a start nor a later listing pays for them. */
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  /** Throws BadArguments if they do not fit; the result is what run() takes. */
  readonly parse: (args: unknown) => ParsedInput;
  readonly run: (input: ParsedInput, call: ToolCall) => Promise<ToolAnswer>;
}

/** Checked input: only a tool's own parse() makes one, and only its own run() reads it. */
export type ParsedInput = Readonly<Record<string, unknown>>;

export interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly toolset: Toolset;
  readonly title: string;
  readonly description: string;
  readonly alwaysLoad?: true;
  readonly project: ProjectNeed;
  readonly input: Input;
  readonly output: Output;
  readonly hints: ToolHints;
  /** Arguments that would have worked, shown when others did not. */
  readonly example: z.input<Input>;
  readonly run: (
    input: z.output<Input>,
    call: ToolCall,
  ) => Promise<(ToolAnswer & { structured: z.input<Output> }) | FailedAnswer>;
}

/** Arguments that do not fit a tool's input, with every bad field named. */
export class BadArguments extends Error {
  readonly tool: string;
  readonly problems: readonly string[];
  readonly example: unknown;

  constructor(tool: string, problems: readonly string[], example: unknown) {
    super(`The arguments of ${tool} do not fit.`);
    this.name = 'BadArguments';
    this.tool = tool;
    this.problems = problems;
    this.example = example;
  }
}

export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  const { name, aliases = [], toolset, title, description, project, hints, example } = definition;
  const listed: { input?: JsonSchema; output?: JsonSchema } = {};
  const input = definition.input.extend({ project: definition.input.shape['project'] ?? PROJECT_ARGUMENT });
  return {
    name,
    aliases,
    toolset,
    title,
    description,
    alwaysLoad: definition.alwaysLoad === true,
    project,
    hints,
    get inputSchema() {
      return (listed.input ??= toJsonSchema(input));
    },
    get outputSchema() {
      return (listed.output ??= orFailure(toJsonSchema(definition.output)));
    },
    parse(args) {
      const parsed = input.safeParse(readLeniently(input, args));
      if (!parsed.success) {
        const known = Object.keys(input.shape);
        throw new BadArguments(
          name,
          atMost(parsed.error.issues.map((issue) => renderIssue(issue, known))),
          example,
        );
      }
      return parsed.data;
    },
    // parse() made this value from the same schema, which only adds the project to the definition's own fields.
    run: (parsed, call) => definition.run(parsed as z.output<Input>, call),
  };
}

/** For tools with `project: 'required'`: the project is there, or the call would not have come this far. */
export function projectOf(call: ToolCall): FoundProject {
  if (call.detection.kind !== 'found') throw new Error('a tool that requires a project was run without one');
  return call.detection;
}

/** Nobody reads a thousand problems, and an answer has to fit into a conversation. */
function atMost(items: readonly string[]): readonly string[] {
  const kept = items.slice(0, MOST_PROBLEMS);
  return kept.length === items.length ? items : [...kept, `and ${items.length - kept.length} more`];
}

function renderIssue(issue: z.core.$ZodIssue, known: readonly string[]): string {
  const field = issue.path.length === 0 ? 'arguments' : issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys')
    return `unknown argument ${atMost(issue.keys.map((key) => renderUnknown(key, known))).join(', ')}`;
  return `\`${field}\`: ${issue.message}`;
}

function renderUnknown(key: string, known: readonly string[]): string {
  const meant = nearest(key, known);
  return meant === undefined ? `\`${key}\`` : `\`${key}\` (did you mean \`${meant}\`?)`;
}
