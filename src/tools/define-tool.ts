/** What a tool is: one value, complete before it runs. Knows no transport. */
import { z } from 'zod';
import type { Detection, Logger } from '../core/index.ts';

/** All four are written out for every tool: a client's defaults for missing ones are pessimistic. */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

const MOST_PROBLEMS = 20;

/** What a call may ask of its surroundings. */
export interface ToolCall {
  /** The project of this call. Evaluated when asked for, so a tool without a project never pays for it. */
  readonly detect: () => Promise<Detection>;
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

export interface ToolAnswer {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  /** When to use it, in a user's words; at most 600 characters. */
  readonly description: string;
  readonly hints: ToolHints;
  /** JSON Schemas, computed once: a listing must not pay for them. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema: Readonly<Record<string, unknown>>;
  /** Parses the arguments and runs; throws BadArguments if they do not fit. */
  readonly call: (args: unknown, call: ToolCall) => Promise<ToolAnswer>;
}

export interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly hints: ToolHints;
  /** Arguments that would have worked, shown when others did not. */
  readonly example: z.input<Input>;
  readonly run: (
    input: z.output<Input>,
    call: ToolCall,
  ) => Promise<ToolAnswer & { structured: z.input<Output> }>;
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
  const { name, title, description, hints, input, example } = definition;
  return {
    name,
    title,
    description,
    hints,
    inputSchema: toJsonSchema(input),
    outputSchema: orFailure(toJsonSchema(definition.output)),
    call: async (args, call) => {
      const parsed = input.safeParse(args ?? {});
      if (!parsed.success)
        throw new BadArguments(name, atMost(parsed.error.issues.map(renderIssue)), example);
      return definition.run(parsed.data, call);
    },
  };
}

function toJsonSchema(schema: z.ZodObject): Readonly<Record<string, unknown>> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest;
}

/**
 * A failed call answers with other fields than a good one, and clients check both against this one schema.
 * So the fields are listed side by side and `anyOf` says which of them belong together.
 */
function orFailure(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { properties, required, additionalProperties: _closed, ...rest } = schema;
  const text = { type: 'string' };
  return {
    ...rest,
    properties: {
      ...(typeof properties === 'object' ? properties : {}),
      success: { type: 'boolean' },
      error_type: text,
      message: text,
      instruction: text,
    },
    anyOf: [{ required: required ?? [] }, { required: ['success', 'error_type', 'message', 'instruction'] }],
  };
}

/** Nobody reads a thousand problems, and an answer has to fit into a conversation. */
function atMost(items: readonly string[]): readonly string[] {
  const kept = items.slice(0, MOST_PROBLEMS);
  return kept.length === items.length ? items : [...kept, `and ${items.length - kept.length} more`];
}

function renderIssue(issue: z.core.$ZodIssue): string {
  const field = issue.path.length === 0 ? 'arguments' : issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys')
    return `unknown argument ${atMost(issue.keys.map((key) => `\`${key}\``)).join(', ')}`;
  return `\`${field}\`: ${issue.message}`;
}
