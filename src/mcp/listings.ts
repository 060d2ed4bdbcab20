/** What clients are shown: tools, resources, prompts, and answers in the form that the listing promises. */
import type {
  CallToolResult,
  ListPromptsResult,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ListToolsResult,
  Tool as WireTool,
} from '@modelcontextprotocol/server';
import { parseToolsets, TOOLSETS, type Toolset } from '../core/index.ts';
import {
  describeTool,
  RESOURCE_TEMPLATES,
  type Prompt,
  type Resource,
  type Tool,
  type ToolAnswer,
} from '../tools/index.ts';
import type { UrlChoices } from '../transport/index.ts';
import { parseStructured } from './http/request-checks.ts';
import { renderInstructions } from './instructions.ts';

/** One choice of toolsets and of the answers' form. Depends on the choice alone, never on the client. */
export interface ToolView {
  readonly listing: ListToolsResult;
  readonly instructions: string;
  /** By its name or an alias; undefined if there is none in these sets. */
  find(name: string): Tool | undefined;
  /** An answer in the form that the listing promises. */
  readonly toResult: (answer: ToolAnswer) => CallToolResult;
}

/** What holds where a URL chooses nothing. */
export interface ServedByDefault {
  readonly toolsets?: readonly Toolset[] | undefined;
  readonly structured?: boolean | undefined;
}

/** Views are cached: there are few choices, and a listing must cost nothing. */
export type ToolViews = (choices: UrlChoices | undefined) => ToolView;

export function createToolViews(
  tools: readonly Tool[],
  { toolsets = TOOLSETS, structured = false }: ServedByDefault = {},
): ToolViews {
  const views = new Map<string, ToolView>();
  const viewOf = (sets: readonly Toolset[], isStructured: boolean): ToolView => {
    const key = `${sets.join()} ${isStructured}`;
    const served = tools.filter(({ toolset }) => sets.includes(toolset));
    const view = views.get(key) ?? createView(served, sets, isStructured);
    views.set(key, view);
    return view;
  };
  const usual = viewOf(toolsets, structured);
  return (choices) =>
    choices?.toolsets === undefined && choices?.structured === undefined
      ? usual
      : viewOf(
          choices.toolsets === undefined ? toolsets : parseToolsets(choices.toolsets),
          parseStructured(choices.structured) ?? structured,
        );
}

function createView(tools: readonly Tool[], sets: readonly Toolset[], isStructured: boolean): ToolView {
  const byName = new Map(
    tools.flatMap((tool) => [tool.name, ...tool.aliases].map((name) => [name, tool] as const)),
  );
  let listing: ListToolsResult | undefined;
  return {
    get listing() {
      return (listing ??= { tools: tools.map((tool) => toWireTool(tool, isStructured)) });
    },
    get instructions() {
      return renderInstructions(sets);
    },
    find: (name) => byName.get(name),
    toResult: isStructured ? toFullResult : toTextResult,
  };
}

export interface Listings {
  readonly resources: ListResourcesResult;
  readonly templates: ListResourceTemplatesResult;
  readonly prompts: ListPromptsResult;
}

export function createListings(parts: {
  readonly resources: readonly Resource[];
  readonly prompts: readonly Prompt[];
}): Listings {
  return {
    resources: {
      resources: parts.resources.map(({ uri, name, title, description, mimeType }) => ({
        uri,
        name,
        title,
        description,
        mimeType,
      })),
    },
    templates: {
      resourceTemplates: RESOURCE_TEMPLATES.map((template) => ({ ...template, mimeType: 'text/markdown' })),
    },
    prompts: { prompts: parts.prompts.map(({ name, title, description }) => ({ name, title, description })) },
  };
}

/** Text alone: some clients hand their model only the structured form where there is one. */
function toTextResult({ text, structured, isError }: ToolAnswer): CallToolResult {
  return isError === true
    ? toFullResult({ text, structured, isError })
    : { content: [{ type: 'text', text }] };
}

function toFullResult({ text, structured, isError }: ToolAnswer): CallToolResult {
  return {
    content: [{ type: 'text', text }],
    structuredContent: { ...structured },
    ...(isError === true ? { isError: true } : {}),
  };
}

function toWireTool(tool: Tool, isStructured: boolean): WireTool {
  // zod made the schemas from object schemas, so they are objects; the SDK's types want to see that.
  const inputSchema = tool.inputSchema as WireTool['inputSchema'];
  // As above.
  const outputSchema = tool.outputSchema as NonNullable<WireTool['outputSchema']>;
  return { ...describeTool(tool), inputSchema, ...(isStructured ? { outputSchema } : {}) };
}
