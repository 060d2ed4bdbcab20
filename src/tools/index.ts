/** What an agent can call, read and ask for: one file per tool. Tools know services, not transports. */
import type { Tool } from './define-tool.ts';
import { analyzeQuery } from './analyze-query.ts';
import { categoryContent } from './category-content.ts';
import { categoryList } from './category-list.ts';
import { checkpointList } from './memory/checkpoint-list.ts';
import { checkpointResume } from './memory/checkpoint-resume.ts';
import { checkpointSave } from './memory/checkpoint-save.ts';
import { checkpointSearch } from './memory/checkpoint-search.ts';
import { collectionCreate } from './collection-create.ts';
import { collectionDelete } from './collection-delete.ts';
import { collectionList } from './collection-list.ts';
import { factSave } from './memory/fact-save.ts';
import { memoryChange } from './memory/memory-change.ts';
import { recall } from './memory/recall.ts';
import { clearIndex } from './clear-index.ts';
import { findReferences } from './structure/find-references.ts';
import { getContent } from './get-content.ts';
import { getFileDependencies } from './structure/get-file-dependencies.ts';
import { getFileImpact } from './structure/get-file-impact.ts';
import { indexCodebase } from './index-codebase.ts';
import { indexStats } from './index-stats.ts';
import { listIndexes } from './list-indexes.ts';
import { outline } from './structure/outline.ts';
import { searchCode } from './search-code.ts';
import { projectStatus } from './project-status.ts';
import { remediationFeedback } from './memory/remediation-feedback.ts';
import { remediationSave } from './memory/remediation-save.ts';
import { remediationSearch } from './memory/remediation-search.ts';
import { skillSave } from './memory/skill-save.ts';
import { skillSearch } from './memory/skill-search.ts';
import { switchProject } from './switch-project.ts';

export { callTool } from './call-tool.ts';
export {
  createCallContext,
  type CallContext,
  type CallObserver,
  type CallParts,
  type TenantParts,
  type EndedCall,
  type ProgressStep,
  type StartedCall,
  type ToolServices,
  BadArguments,
  defineTool,
  describeTool,
  projectOf,
  type ParsedInput,
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
export {
  renderGit,
  renderHeadline,
  renderProjectLine,
  renderReports,
  toGitValue,
  toProjectValue,
} from './render-project.ts';
export {
  ensureIndexed,
  FRESHNESS_VALUE,
  renderFreshness,
  renderProgress,
  toFreshnessValue,
  type Ensured,
} from './freshness.ts';
export { RESOURCE_TEMPLATES } from './memory-resources.ts';
export { renderBrief } from './memory/session-brief.ts';
export { PROMPTS, type Prompt } from './prompt.ts';
export { readMemoryFacts } from './render-memory-sizes.ts';
export { toOperationValue, unknownOperation } from './render-operation.ts';
export { renderEncoder, toEncoderValue } from './render-encoder.ts';
export { renderAnalysis } from './render-analysis.ts';
export { nameProjects, renderEncoderNotes } from './render-hits.ts';
export { readResource, RESOURCES, type Resource } from './resource.ts';

/** Every tool, in the order clients see them; a new one is one line. */
export const TOOLS: readonly Tool[] = [
  searchCode,
  indexCodebase,
  indexStats,
  listIndexes,
  clearIndex,
  findReferences,
  getFileDependencies,
  getFileImpact,
  outline,
  recall,
  checkpointResume,
  checkpointSave,
  remediationSave,
  remediationFeedback,
  skillSave,
  factSave,
  memoryChange,
  checkpointList,
  checkpointSearch,
  remediationSearch,
  skillSearch,
  switchProject,
  projectStatus,
  categoryList,
  categoryContent,
  collectionCreate,
  collectionDelete,
  collectionList,
  getContent,
  analyzeQuery,
];
