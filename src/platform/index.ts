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
export {
  ensurePrivateDir,
  ensurePrivateFile,
  makePrivateIfPresent,
  moveIfPresent,
  namesIn,
  pathExists,
  readBytesIfPresent,
  removeIfPresent,
  replaceFile,
  sizeOfFile,
  syncFile,
  writePrivateBytes,
  writePrivateText,
} from './private-files.ts';
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
export { packageFile, readPackageFile } from './package-files.ts';
export { copyPlainFile, lookAtFile, makePrivateFolder, type FileLook } from './plain-file.ts';
export { postJson, readUpTo, type PostOptions, type PostOutcome } from './post-json.ts';
export { readTextIfPresent, type ReadTextLimits } from './read-text.ts';
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
export {
  coreCount,
  openThreadPort,
  startThread,
  type Thread,
  type ThreadOptions,
  type ThreadPort,
} from './threads.ts';
export { elapsedMs } from './clock.ts';
