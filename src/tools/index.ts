/** What an agent can call, read and ask for: one file per tool. Tools know services, not transports. */
import type { Tool } from './define-tool.ts';
import { projectStatus } from './project-status.ts';
import { switchProject } from './switch-project.ts';

export {
  BadArguments,
  defineTool,
  projectOf,
  type NamedAnswer,
  type ParsedInput,
  type ProgressStep,
  type Tool,
  type ToolAnswer,
  type ToolCall,
  type ToolHints,
} from './define-tool.ts';
export {
  renderBadArguments,
  renderFailure,
  renderNoProject,
  renderRefusedProject,
  renderWeakGuess,
} from './failures.ts';
export { PROMPTS, type Prompt } from './prompt.ts';
export { renderProjectLine, renderReports, toProjectValue } from './render-project.ts';
export { RESOURCES, type Resource } from './resource.ts';

/** Every tool, in the order clients see them. */
export const TOOLS: readonly Tool[] = [switchProject, projectStatus];
