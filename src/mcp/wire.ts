/** From our words to the protocol's: listings, results and errors. */
import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type ListPromptsResult,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  type Tool as WireTool,
} from '@modelcontextprotocol/server';
import {
  RESOURCE_TEMPLATES,
  type Prompt,
  type Resource,
  type Tool,
  type ToolAnswer,
} from '../tools/index.ts';

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

/** Text alone: some clients hand their model only the structured form where there is one, so that two forms are one too many. */
export function toTextResult({ text, structured, isError }: ToolAnswer): CallToolResult {
  return isError === true
    ? toFullResult({ text, structured, isError })
    : { content: [{ type: 'text', text }] };
}

export function toFullResult({ text, structured, isError }: ToolAnswer): CallToolResult {
  return {
    content: [{ type: 'text', text }],
    structuredContent: { ...structured },
    ...(isError === true ? { isError: true } : {}),
  };
}

const MOST_ECHOED_CHARS = 200;

/** Whoever asked for it knows what it was: nobody needs megabytes of it back. */
export function short(text: string): string {
  return text.length > MOST_ECHOED_CHARS ? `${text.slice(0, MOST_ECHOED_CHARS)}…` : text;
}

export function unknownTool(name: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `unknown tool: ${short(name)}`);
}

export function unknownPrompt(name: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `unknown prompt: ${short(name)}`);
}

export function unknownResource(uri: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `unknown resource: ${short(uri)}`, {
    uri: short(uri),
  });
}

/** Claude Code defers tools; what carries this is in its first request. */
const ALWAYS_LOAD = { 'anthropic/alwaysLoad': true };

export function toTextTool(tool: Tool): WireTool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    // zod made this from an object schema, so it is an object; the SDK's type wants to hear it.
    inputSchema: tool.inputSchema as WireTool['inputSchema'],
    annotations: { title: tool.title, ...tool.hints },
    ...(tool.alwaysLoad ? { _meta: ALWAYS_LOAD } : {}),
  };
}

export function toFullTool(tool: Tool): WireTool {
  // An object for the same reason.
  return { ...toTextTool(tool), outputSchema: tool.outputSchema as NonNullable<WireTool['outputSchema']> };
}
