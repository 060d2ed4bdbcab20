/** What one choice of toolsets and of the answers' form shows and serves. Depends on the choice alone, never on the client. */
import type { CallToolResult, ListToolsResult } from '@modelcontextprotocol/server';
import { parseToolsets, TOOLSETS, type Toolset } from '../core/index.ts';
import type { Tool, ToolAnswer } from '../tools/index.ts';
import { parseStructured, type UrlChoices } from './http/url-choices.ts';
import { toFullResult, toFullTool, toTextResult, toTextTool } from './wire.ts';

export interface ToolView {
  readonly listing: ListToolsResult;
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

/** Views are kept: there are few choices, and a listing must cost nothing. */
export type ToolViews = (choices: UrlChoices | undefined) => ToolView;

export function createToolViews(
  tools: readonly Tool[],
  { toolsets = TOOLSETS, structured = false }: ServedByDefault = {},
): ToolViews {
  const views = new Map<string, ToolView>();
  const viewOf = (sets: readonly Toolset[], isStructured: boolean): ToolView => {
    const key = `${sets.join()} ${isStructured}`;
    const served = tools.filter(({ toolset }) => sets.includes(toolset));
    const view = views.get(key) ?? createView(served, isStructured);
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

function createView(tools: readonly Tool[], isStructured: boolean): ToolView {
  const byName = new Map(
    tools.flatMap((tool) => [tool.name, ...tool.aliases].map((name) => [name, tool] as const)),
  );
  let listing: ListToolsResult | undefined;
  return {
    get listing() {
      return (listing ??= { tools: tools.map(isStructured ? toFullTool : toTextTool) });
    },
    find: (name) => byName.get(name),
    toResult: isStructured ? toFullResult : toTextResult,
  };
}
