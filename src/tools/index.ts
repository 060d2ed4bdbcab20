/** What an agent can call, read and ask for: one file per tool. Tools know services, not transports. */
import type { Tool } from './define-tool.ts';
import { projectStatus } from './project-status.ts';

export { BadArguments, type Tool, type ToolAnswer, type ToolCall, type ToolHints } from './define-tool.ts';
export { PROMPTS, type Prompt } from './prompt.ts';
export { RESOURCES, type Resource } from './resource.ts';
export { renderProjectLine, renderReports } from './render-project.ts';

/** Every tool, in the order clients see them. */
export const TOOLS: readonly Tool[] = [projectStatus];
