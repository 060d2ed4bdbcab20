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

export function toWireResult(answer: ToolAnswer): CallToolResult {
  return {
    content: [{ type: 'text', text: answer.text }],
    structuredContent: { ...answer.structured },
    ...(answer.isError === true ? { isError: true } : {}),
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

export function toWireTool(tool: Tool): WireTool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    // zod made these from object schemas, so they are objects; the SDK's type wants to hear it.
    inputSchema: tool.inputSchema as WireTool['inputSchema'],
    // Same as above.
    outputSchema: tool.outputSchema as NonNullable<WireTool['outputSchema']>,
    annotations: { title: tool.title, ...tool.hints },
  };
}
