/** Vocabulary: the words every other room uses. Pure; no input or output. */
export {
  AppError,
  ERROR_FACTS,
  toAppError,
  type ErrorCode,
  type ErrorFacts,
  type Fault,
} from './app-error.ts';
export type { ChangedFiles, WhyUntold } from './changed-files.ts';
export type { Clock } from './clock.ts';
export {
  createMemoryBudget,
  type Forgetful,
  type MemoryBudget,
  createTimeSlice,
  nextTurn,
  type TimeSlice,
  once,
} from './control-flow.ts';
export { ENTRY_KINDS, type EntryKind } from './entry-kinds.ts';
export { estimate, type Estimate } from './estimate.ts';
export {
  DEFINITION_KINDS,
  HIT_LIMITS,
  SEARCH_KINDS,
  SKIP_REASONS,
  USE_KINDS,
  VISIBILITIES,
  type Chunk,
  type Definition,
  type DefinitionKind,
  type Import,
  type LineRange,
  type SearchKind,
  type Skip,
  type SkipReason,
  type UseKind,
  type Visibility,
  nameWeight,
} from './source-code.ts';
export { InputNeeded } from './input-needed.ts';
export { LOG_LEVELS, type LogFields, type LogLevel, type LogValue, type Logger } from './logger.ts';
export {
  isOwner,
  LOCAL_PRINCIPAL,
  missingScopes,
  parseScope,
  SCOPES,
  type Principal,
  type Scope,
  isTenantName,
  OWN_TENANT,
} from './principal.ts';
export {
  PROJECT_SOURCES,
  type Detection,
  type Disagreement,
  type FoundProject,
  type FoundReport,
  type GitIdentity,
  type Project,
  type ProjectSource,
  type RefusedReport,
  type Silence,
  type SourceReport,
  type ProjectPlace,
} from './project.ts';
export { parseToolsets, TOOLSETS, type Toolset } from './toolset.ts';
export {
  isBranchName,
  isPushedIdentity,
  isPushedRoot,
  parsePushedRoot,
  renderPushedRoot,
  type PushedRoot,
} from './pushed-root.ts';
