/** What a tool is, and what a call of it knows of its caller, its connection and the program. */
import type {
  Detection,
  GitIdentity,
  Logger,
  Project,
  RefusedReport,
  SourceReport,
  FoundProject,
  Principal,
  Scope,
  Toolset,
} from '../core/index.ts';
import type { Engine } from '../engine/index.ts';
import type { Author } from '../memory/index.ts';
import type { DetectionRequest, Detector, KnownProjects } from '../project/index.ts';
import { nearest } from '../text/index.ts';
import { orFailure, PROJECT_ARGUMENT, toJsonSchema } from './schemas.ts';
import * as z from 'zod';

/** What tools work with; the application provides it. */
export interface ToolServices {
  readonly engine: Engine;
  /** A word that cannot be guessed, for the fence around stored text. */
  newWord(): string;
}

/** A call as it is told to what watches calls. */
export interface StartedCall {
  readonly tool: string;
  readonly args: unknown;
  readonly client: string;
  readonly transport: 'stdio' | 'http';
  readonly principal: Principal;
  /** Whether the tool may change anything. */
  readonly writes: boolean;
}

/** `answer` is undefined where the call broke, or where the client is asked something first. */
export interface EndedCall {
  readonly answer: ToolAnswer | undefined;
  /** What was found of its project, as far as it came. */
  readonly detection: Detection | undefined;
}

/** Must never throw and never wait. */
export interface CallObserver {
  /** Told of the start; what it returns is told of the end. */
  call(call: StartedCall): (end: EndedCall) => void;
  /** A client that has shaken hands asks what there is. */
  listing(client: Pick<StartedCall, 'client' | 'transport' | 'principal'>): void;
}

/** What belongs to one tenant: its projects, its indexes and its memory. */
export interface TenantParts {
  readonly detector: Detector;
  readonly known: KnownProjects;
  readonly services: ToolServices;
}

/** What every call needs of the program, whatever edge it came by. */
export interface CallParts {
  /** Those of the caller's tenant: the only way from a call to anything that is kept. */
  readonly partsOf: (caller: Pick<Principal, 'tenant'>) => TenantParts;
  readonly logger: Logger;
  /** Told of every call, where something watches. */
  readonly observe?: CallObserver | undefined;
}

/** What an edge knows of one call. */
export interface CallFacts {
  readonly transport: 'stdio' | 'http';
  /** Name and version of the client, as it calls itself, cleaned; only a call that keeps them pays for it. */
  clientName(): string;
  /** The same for all calls of one client: its session, its connection, or else its token and address. */
  readonly clientKey: string;
  /** Who calls. */
  readonly principal: Principal;
  /** Aborted when the client cancels or goes away. */
  readonly signal: AbortSignal;
  /** What the call brings along to find its project by. `unasked`: throws InputNeeded rather than ask the client. */
  sources(unasked: boolean): Omit<DetectionRequest, 'transport' | 'argument' | 'explain'>;
  /** Where the access line learns by which source the project was found. */
  readonly note?: { projectSource?: string } | undefined;
  /** Says how far a long call has come; received only by a client that asked for it. */
  progress(step: ProgressStep): Promise<void>;
  /** Makes this the project of the connection's later calls; false if there is no connection that could keep it. */
  choose(project: Project): boolean;
  /** Advice for users whose client does not report its project, once per connection. */
  tipFor(detection: Detection): string | undefined;
}

export interface CallContext extends Omit<CallFacts, 'sources' | 'note'> {
  readonly services: ToolServices;
  readonly logger: Logger;
  readonly observe?: CallObserver | undefined;
  /** Finds the project of this call. `explain` asks every source. */
  detect(
    argument: string | undefined,
    how: { readonly explain: boolean; readonly unasked?: boolean },
  ): Promise<Detection>;
  /** Why what was found is no longer this call's project, if it is not. */
  recheck(detection: Detection): RefusedReport | undefined;
  /** What git says of a project, as far as this caller may hear of it. */
  git(detection: Detection): GitIdentity | undefined;
  /** What naming this project would come to. */
  name(text: string): Promise<NamedAnswer>;
  /** Projects that this caller may name, most recent first. */
  candidates(): Promise<readonly Project[]>;
}

export interface ProgressStep {
  readonly done: number;
  readonly total?: number;
  readonly message?: string;
}

export type NamedAnswer =
  | { readonly kind: 'found'; readonly project: Project }
  | { readonly kind: 'refused'; readonly message: string; readonly why: RefusedReport['why'] };

const MAX_CANDIDATES = 10;

export function createCallContext(parts: CallParts, facts: CallFacts): CallContext {
  const { logger, observe } = parts;
  const { sources, note, ...rest } = facts;
  const { detector, known, services } = parts.partsOf(rest.principal);
  const { transport } = rest;
  return {
    ...rest,
    observe,
    services: { ...services, engine: services.engine.forClient(rest.clientKey) },
    logger,
    async detect(argument, { explain, unasked = false }) {
      const detection = await detector.detect({
        ...sources(unasked),
        transport,
        caller: rest.principal.id,
        argument,
        explain,
      });
      if (note !== undefined)
        note.projectSource = detection.kind === 'found' ? detection.source : detection.kind;
      if (detection.kind === 'found') known.remember(detection.project);
      return detection;
    },
    recheck: (detection) => (detection.kind === 'found' ? detector.recheck(detection, transport) : undefined),
    git: (detection) =>
      detection.kind === 'found' ? detector.git(detection.project.root, transport) : undefined,
    name: async (text) =>
      toNamedAnswer(await detector.name('switched', text, { transport, caller: rest.principal.id })),
    candidates: () => known.list(MAX_CANDIDATES, (root) => detector.maySuggest(root, transport)),
  };
}

function toNamedAnswer(report: SourceReport): NamedAnswer {
  if (report.kind === 'found') return { kind: 'found', project: report.project };
  if (report.kind === 'refused') return { kind: 'refused', message: report.message, why: report.why };
  return { kind: 'refused', message: report.reason, why: 'unusable' };
}

/** All four are written out for every tool: a client's defaults for missing ones are pessimistic. */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

type JsonSchema = Readonly<Record<string, unknown>>;

const MOST_PROBLEMS = 20;

/** A call whose project was looked for. */
export interface ToolCall extends CallContext {
  readonly detection: Detection;
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
  /** What its caller must be allowed. */
  readonly scope: Scope;
  readonly title: string;
  /** When to use it, in a user's words; at most 600 characters. */
  readonly description: string;
  /** Clients that show their model only the names of tools at first are asked to show all of this one. */
  readonly alwaysLoad: boolean;
  /** Another tool does the same and more: callable, and listed only where every set is. */
  readonly unlisted: boolean;
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
  readonly scope: Scope;
  readonly title: string;
  readonly description: string;
  readonly alwaysLoad?: true;
  readonly unlisted?: true;
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
  const { name, aliases = [], toolset, scope, title, description, project, hints, example } = definition;
  const listed: { input?: JsonSchema; output?: JsonSchema } = {};
  const input = definition.input.extend({ project: definition.input.shape['project'] ?? PROJECT_ARGUMENT });
  return {
    name,
    aliases,
    toolset,
    scope,
    title,
    description,
    alwaysLoad: definition.alwaysLoad === true,
    unlisted: definition.unlisted === true,
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
          atMost(parsed.error.issues.map((issue) => renderIssue(issue, args, known))),
          example,
        );
      }
      return parsed.data;
    },
    // parse() made this value from the same schema, which only adds the project to the definition's own fields.
    run: (parsed, call) => definition.run(parsed as z.output<Input>, call),
  };
}

/** What an agent saves is an agent's word, whatever it says of its source. */
export function authorOf(call: ToolCall, tool: string): Author {
  return { origin: 'agent', client: call.clientName(), tool };
}

/** For tools with `project: 'required'`: the project is there, or the call would not have come this far. */
export function projectOf(call: ToolCall): FoundProject {
  if (call.detection.kind !== 'found') throw new Error('a tool that requires a project was run without one');
  return call.detection;
}

/** An answer has to fit into a conversation. */
function atMost(items: readonly string[]): readonly string[] {
  const kept = items.slice(0, MOST_PROBLEMS);
  return kept.length === items.length ? items : [...kept, `and ${items.length - kept.length} more`];
}

function renderIssue(issue: z.core.$ZodIssue, args: unknown, known: readonly string[]): string {
  const field = issue.path.length === 0 ? 'arguments' : issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys')
    return `unknown argument ${atMost(issue.keys.map((key) => renderUnknown(key, known))).join(', ')}`;
  if (issue.path.length === 1 && !Object.hasOwn(Object(args), field)) return `\`${field}\` is missing`;
  return `\`${field}\`: ${issue.message}`;
}

function renderUnknown(key: string, known: readonly string[]): string {
  const meant = nearest(key, known);
  return meant === undefined ? `\`${key}\`` : `\`${key}\` (did you mean \`${meant}\`?)`;
}

/** Claude Code defers tools; what carries this is in its first request. */
const ALWAYS_LOAD = { 'anthropic/alwaysLoad': true };

/** A tool as listings show it. */
export function describeTool(tool: Tool) {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: tool.inputSchema,
    annotations: { title: tool.title, ...tool.hints },
    ...(tool.alwaysLoad ? { _meta: ALWAYS_LOAD } : {}),
  };
}

/** Arguments that a client adds to the schema of every tool and sends along, with the client that does. */
const CLIENT_ADDITIONS: Readonly<Record<string, string>> = {
  wait_for_previous: 'Gemini CLI, and what is made from it',
};

const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/**
 * Repairs what models and clients write in place of what a schema asks for: a refusal costs a call, and nothing else can be
 * meant. The schema complains of the rest.
 */
function readLeniently(schema: z.ZodObject, given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]: [string, unknown]) => {
      const field = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
      if (field === undefined) return Object.hasOwn(CLIENT_ADDITIONS, name) ? [] : [[name, value]];
      return isAbsent(field, value) ? [] : [[name, toExpected(kindOf(field), value)]];
    }),
  );
}

/** Null and empty text stand for what was left out, where something may be. */
function isAbsent(field: z.core.$ZodType, value: unknown): boolean {
  return (value === null || value === '') && field._zod.optin !== undefined;
}

function toExpected(kind: string, value: unknown): unknown {
  if (kind === 'array') return toList(value);
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (kind === 'number') return NUMBER.test(text) ? Number(text) : value;
  if (kind === 'boolean') return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : value;
  return value;
}

/** One value for a list, and a list that was written as text. */
function toList(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    const parsed: unknown = value.startsWith('[') ? JSON.parse(value) : undefined;
    if (Array.isArray(parsed) && parsed.every((item) => typeof item === 'string')) return parsed;
  } catch {
    // Not JSON: a pattern such as `[slug]` is one value.
  }
  return [value];
}

/** The kind of value that a field takes, whatever is wrapped around it. */
function kindOf(field: z.core.$ZodType): string {
  const { def } = field._zod;
  // What zod wraps is another schema.
  return 'innerType' in def ? kindOf(def.innerType as z.core.$ZodType) : def.type;
}
