/** The machine: files, clocks, processes. Everything that touches the outside world goes through here. */
export { systemClock } from './clock.ts';
export {
  homeDirectory,
  pathKind,
  realPath,
  tempDirectory,
  workingDirectory,
  type PathKind,
} from './directories.ts';
export { readEditable, removeEditable, replaceEditable, type EditableFile } from './editable-file.ts';
export { copyFolder, namesIn, removeFolder } from './folders.ts';
export { startLineProcess, type LineProcess, type LineProcessOptions } from './line-process.ts';
export { freeBytes, isProcessAlive, pathFacts, watchLimit, type PathFacts } from './machine.ts';
export { findProgram, isProgram, type ProgramSearch } from './programs.ts';
export { systemIds, type Ids } from './ids.ts';
export { openLogSink, type LogSink } from './log-sink.ts';
export { readTextIfPresent, type ReadTextLimits } from './read-text.ts';
export {
  ensurePrivateDir,
  ensurePrivateFile,
  makePrivateIfPresent,
  moveIfPresent,
  pathExists,
} from './private-files.ts';
export { readSource, type ReadSource, type ReadSourceOptions, type SourceStat } from './read-source.ts';
export { parentGone } from './parent-gone.ts';
export { readRotatingSecret, type RotatingSecretOptions } from './rotating-secret.ts';
export { readOrCreateSecret, replaceSecret } from './secret-file.ts';
export { writeRunFile } from './run-file.ts';
export { findGlobalExcludes, type UserPlaces } from './ignore/git-rules.ts';
export type { RuleReference } from './ignore/scope.ts';
export { classifyContent } from './listing/classify-content.ts';
export type { Classified } from './listing/classify-name.ts';
export { explainPath, type PathExplanation } from './listing/explain-path.ts';
export { listFiles, type ListBatch } from './listing/list-files.ts';
export type { ListOptions } from './listing/list-options.ts';
export type { ListedFile } from './listing/walk.ts';
