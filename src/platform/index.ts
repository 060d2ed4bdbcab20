/** The machine: files, clocks, processes. Everything that touches the outside world goes through here. */
export { startChild, type ChildEnd, type ChildOptions, type ChildProcess } from './child-process.ts';
export { systemClock } from './clock.ts';
export { keepCompiledCode } from './compile-cache.ts';
export {
  homeDirectory,
  resolveDots,
  isLink,
  pathKind,
  realPath,
  tempDirectory,
  workingDirectory,
  type PathKind,
} from './directories.ts';
export { WHOLE_DISK, type Disk, type Look } from './disk.ts';
export { createDiskBeneath } from './disk-beneath.ts';
export {
  namesIn,
  readBytesIfPresent,
  removeIfPresent,
  replaceFile,
  sizeOfFile,
  syncFile,
  writePrivateBytes,
  writePrivateText,
} from './durable-files.ts';
export { readGuideFiles, type GuideFile } from './guide-files.ts';
export { findGitFile } from './git/find-git-file.ts';
export { findTrackedDirt, type DirtyFile, type DirtyState, type TrackedDirt } from './git/dirty-files.ts';
export { readCommittedFiles } from './git/committed-files.ts';
export { findMergeBase } from './git/merge-base.ts';
export { openGitObjects } from './git/object-store.ts';
export { hashProjectFile } from './hash-project-file.ts';
export { readEditable, removeEditable, replaceEditable, type EditableFile } from './editable-file.ts';
export {
  copyFolder,
  digestFile,
  filesBelow,
  readableNames,
  removeEmptyFolders,
  removeFolder,
  removeFolderIfEmpty,
} from './folders.ts';
export { startLineProcess, type LineProcess, type LineProcessOptions } from './line-process.ts';
export { freeBytes, isProcessAlive, pathFacts, watchLimit, type PathFacts } from './machine.ts';
export { findProgram, isProgram, type ProgramSearch } from './programs.ts';
export { systemIds, type Ids } from './ids.ts';
export { listKeptFiles, removeFile, type KeptFile } from './kept-files.ts';
export { openLogSink, type LogSink } from './log-sink.ts';
export { fileStamp } from './file-stamp.ts';
export { matchLines, type MatchedLines, type MatchLinesInput } from './match-lines.ts';
export { packageFile, readPackageFile } from './package-files.ts';
export { copyPlainFile, lookAtFile, makePrivateFolder, type FileLook } from './plain-file.ts';
export { postJson, readUpTo, type PostOptions, type PostOutcome } from './post-json.ts';
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
export { openParentPort, type ParentPort } from './parent-port.ts';
export { readRotatingSecret, type RotatingSecretOptions } from './rotating-secret.ts';
export { readOrCreateSecret, replaceSecret } from './secret-file.ts';
export { writeRunFile } from './run-file.ts';
export { readStandardInput } from './standard-input.ts';
export { openTextDraft, type TextDraft } from './text-draft.ts';
export { openTextFolder, type TextFolder } from './text-folder.ts';
export { optimiseNoMoreWasm, PATIENT_WASM_FLAG, QUICK_COMPILER_FLAGS, tuneV8 } from './v8-flags.ts';
export { ownMemoryMb } from './own-memory.ts';
export { userName } from './user-name.ts';
export { findGlobalExcludes, type UserPlaces } from './ignore/git-rules.ts';
export { createGlobMatcher } from './ignore/glob-matcher.ts';
export type { RuleReference } from './ignore/scope.ts';
export { classifyContent } from './listing/classify-content.ts';
export type { Classified } from './listing/classify-name.ts';
export { explainPath, type PathExplanation } from './listing/explain-path.ts';
export { listFiles, type ListBatch } from './listing/list-files.ts';
export type { ListOptions } from './listing/list-options.ts';
export type { ListedFile } from './listing/walk.ts';
export {
  createLiveListing,
  type ListingChange,
  type LiveFolderName,
  type LiveListing,
} from './listing/live-listing.ts';
export {
  openFolderWatch,
  type FolderWatch,
  type FolderWatchOptions,
  type OneWatch,
  type WatchEvent,
  type WatchFailure,
  type WatchOne,
} from './watch/folder-watch.ts';
export { isGitBusy } from './watch/git-busy.ts';
export { isNetworkFolder } from './watch/network-folder.ts';
export {
  coreCount,
  openThreadPort,
  startThread,
  type Thread,
  type ThreadOptions,
  type ThreadPort,
} from './threads.ts';
