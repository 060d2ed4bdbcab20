/** What one choice of toolsets shows and serves. Depends on the choice alone, never on who asks. */
import type { ListToolsResult } from '@modelcontextprotocol/server';
import { parseToolsets, TOOLSETS, type Toolset } from '../core/index.ts';
import type { Tool } from '../tools/index.ts';
import { toWireTool } from './wire.ts';

export interface ToolView {
  readonly listing: ListToolsResult;
  /** By its name or an alias; undefined if there is none in these sets. */
  find(name: string): Tool | undefined;
}

/** Without names the default holds. Views are kept: there are few choices, and a listing must cost nothing. */
export type ToolViews = (names: readonly string[] | undefined) => ToolView;

export function createToolViews(tools: readonly Tool[], defaults: readonly Toolset[] = TOOLSETS): ToolViews {
  const views = new Map<string, ToolView>();
  const viewOf = (sets: readonly Toolset[]): ToolView => {
    const key = sets.join();
    const view = views.get(key) ?? createView(tools.filter(({ toolset }) => sets.includes(toolset)));
    views.set(key, view);
    return view;
  };
  const usual = viewOf(defaults);
  return (names) => (names === undefined ? usual : viewOf(parseToolsets(names)));
}

function createView(tools: readonly Tool[]): ToolView {
  const byName = new Map(
    tools.flatMap((tool) => [tool.name, ...tool.aliases].map((name) => [name, tool] as const)),
  );
  let listing: ListToolsResult | undefined;
  return {
    get listing() {
      return (listing ??= { tools: tools.map(toWireTool) });
    },
    find: (name) => byName.get(name),
  };
}
