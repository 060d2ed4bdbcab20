/** The machine: files, clocks, processes. Everything that touches the outside world goes through here. */
export {
  runProgram,
  startChild,
  type ChildEnd,
  type ChildOptions,
  type ChildProcess,
  startLineProcess,
  type LineProcess,
  type LineProcessOptions,
  openParentPort,
  type ParentPort,
} from './processes.ts';
export { readInputUpTo, readStandardInput } from './standard-input.ts';
export { startDetached } from './start-detached.ts';
export {
  elapsedMs,
  freeBytes,
  type Ids,
  isProcessAlive,
  machineName,
  ownMemoryMb,
  parentGone,
  processAgeMs,
  pathFacts,
  type PathFacts,
  systemClock,
  systemIds,
  userName,
  watchLimit,
  homeDirectory,
  resolveDots,
  isLink,
  pathExists,
  pathKind,
  realPath,
  tempDirectory,
  workingDirectory,
  type PathKind,
} from './machine.ts';
export { keepCompiledCode } from './compile-cache.ts';
export {
  ensurePrivateDir,
  ensurePrivateFile,
  type KeptFile,
  listKeptFiles,
  makePrivateIfPresent,
  moveIfPresent,
  namesIn,
  readBytesIfPresent,
  removeIfPresent,
  replaceFile,
  sizeOfFile,
  syncFile,
  writePrivateBytes,
  writePrivateText,
} from './private-files.ts';
export { listServers, type NotedServer, pageAddress, writeServerNote } from './server-notes.ts';
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
export { runPager } from './pager.ts';
export { browserCommand, findProgram, isProgram, type ProgramSearch } from './programs.ts';
export { openLogSink, type LogSink } from './log-sink.ts';
export { packageFile, readPackageFile } from './package-files.ts';
export {
  copyPlainFile,
  type FileLook,
  lookAtFile,
  makePrivateFolder,
  readEndOfFile,
  readTextIfPresent,
  type ReadTextLimits,
} from './untrusted-files.ts';
export { getJson, postBytes, postJson, readUpTo, type PostOptions, type PostOutcome } from './post-json.ts';
export {
  readGivenSecret,
  readOrCreateSecret,
  readOwnFile,
  readRotatingSecret,
  replaceSecret,
  type RotatingSecretOptions,
} from './secret-file.ts';
export { openTextDraft, type TextDraft } from './text-draft.ts';
export { openTextFolder, type TextFolder } from './text-folder.ts';
export {
  optimiseLate,
  optimiseNoMoreWasm,
  PATIENT_WASM_FLAG,
  QUICK_COMPILER_FLAGS,
  tuneV8,
} from './v8-flags.ts';
export {
  coreCount,
  openThreadPort,
  startThread,
  type Thread,
  type ThreadOptions,
  type ThreadPort,
} from './threads.ts';
