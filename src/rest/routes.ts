/** Every address of the REST API. The page about them, the listing and the edge are made from this table. */

export interface ToolRoute {
  readonly path: string;
  /** The tool that answers there. */
  readonly tool: string;
}

/** POST with the tool's arguments. Every tool but switch_project: there is no connection that could remember a choice. */
export const TOOL_ROUTES: readonly ToolRoute[] = [
  { path: '/mcp/checkpoint/save', tool: 'checkpoint_save' },
  { path: '/mcp/checkpoint/search', tool: 'checkpoint_search' },
  { path: '/mcp/checkpoint/list', tool: 'checkpoint_list' },
  { path: '/mcp/checkpoint/resume', tool: 'checkpoint_resume' },
  { path: '/mcp/remediation/save', tool: 'remediation_save' },
  { path: '/mcp/remediation/search', tool: 'remediation_search' },
  { path: '/mcp/remediation/feedback', tool: 'remediation_feedback' },
  { path: '/mcp/skill/save', tool: 'skill_save' },
  { path: '/mcp/skill/search', tool: 'skill_search' },
  { path: '/mcp/recall', tool: 'recall' },
  { path: '/mcp/fact/save', tool: 'fact_save' },
  { path: '/mcp/memory/change', tool: 'memory_change' },
  { path: '/mcp/collection/create', tool: 'collection_create' },
  { path: '/mcp/collection/delete', tool: 'collection_delete' },
  { path: '/mcp/collection/list', tool: 'collection_list' },
  { path: '/mcp/category/list', tool: 'category_list' },
  { path: '/mcp/category/content', tool: 'category_content' },
  { path: '/mcp/content/get', tool: 'get_content' },
  { path: '/mcp/search/code', tool: 'search_code' },
  { path: '/mcp/search/analyze', tool: 'analyze_query' },
  { path: '/mcp/structure/references', tool: 'find_references' },
  { path: '/mcp/structure/dependencies', tool: 'get_file_dependencies' },
  { path: '/mcp/structure/impact', tool: 'get_file_impact' },
  { path: '/mcp/structure/outline', tool: 'outline' },
  { path: '/mcp/index/repository', tool: 'index_codebase' },
  { path: '/mcp/index/stats', tool: 'index_stats' },
  { path: '/mcp/index/list', tool: 'list_indexes' },
  { path: '/mcp/index/clear', tool: 'clear_index' },
  { path: '/mcp/status', tool: 'project_status' },
];

export type OtherTarget = 'list_tools' | 'list_resources' | 'read_resource' | 'follow';

export interface OtherRoute {
  readonly verb: 'GET' | 'POST';
  readonly path: string;
  readonly target: OtherTarget;
  readonly says: string;
}

export const OTHER_ROUTES: readonly OtherRoute[] = [
  {
    verb: 'GET',
    path: '/mcp/tools/list',
    target: 'list_tools',
    says: 'every tool with its address, description and schemas',
  },
  {
    verb: 'GET',
    path: '/mcp/resources/list',
    target: 'list_resources',
    says: 'the resources, and the templates of others',
  },
  {
    verb: 'POST',
    path: '/mcp/resources/read',
    target: 'read_resource',
    says: 'the resource that `{"uri": …}` names',
  },
  {
    verb: 'GET',
    path: '/mcp/sse/OPERATION_ID',
    target: 'follow',
    says: 'a stream of `progress` events, and one `end`, of an operation that runs',
  },
];

const FOLLOW = /^\/mcp\/sse\/([\w-]{1,100})$/;

export type MatchedRoute =
  | { readonly kind: 'tool'; readonly verb: 'POST'; readonly tool: string }
  | { readonly kind: 'follow'; readonly verb: 'GET'; readonly operationId: string }
  | { readonly kind: Exclude<OtherTarget, 'follow'>; readonly verb: 'GET' | 'POST' };

/** Undefined if the path is none of ours. */
export function matchRoute(path: string): MatchedRoute | undefined {
  const toolRoute = TOOL_ROUTES.find((route) => route.path === path);
  if (toolRoute !== undefined) return { kind: 'tool', verb: 'POST', tool: toolRoute.tool };
  const operationId = FOLLOW.exec(path)?.[1];
  if (operationId !== undefined) return { kind: 'follow', verb: 'GET', operationId };
  const other = OTHER_ROUTES.find((route) => route.path === path);
  if (other === undefined || other.target === 'follow') return undefined;
  return { kind: other.target, verb: other.verb };
}
