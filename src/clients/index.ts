/** What each MCP client reads: the table of clients, edits of their files, setup, uninstall and doctor. */
export { SCOPES, type Certainty, type Client, type Places, type Scope } from './client.ts';
export { CLIENTS } from './table/index.ts';
export type { Entry, EntryPath, EntryValue } from './edit/document-format.ts';
export { dropEntry, putEntry, readEntry, type DocumentPlace, type FormatName } from './edit/edit-document.ts';
export {
  readConnection,
  SERVER_NAME,
  toEntry,
  TOKEN_VARIABLE,
  type Connection,
  type Launch,
} from './shape.ts';
export { AGENTS_FILE, AGENTS_TEXT, planAgentsFile } from './agents-file.ts';
export { applyEdit } from './apply-setup.ts';
export { greet, type GreetOptions } from './greet.ts';
export { isTokenTrouble, type Greeting, type TokenTrouble } from './greeting.ts';
export {
  copyPlace,
  dropCopies,
  isPassing,
  lastingNode,
  lastingScript,
  makeLasting,
  type RunningProgram,
} from './lasting-copy.ts';
export { diffLines, type DiffLine } from './line-diff.ts';
export { openManifest, type Manifest, type ManifestStore, type WrittenFile } from './manifest.ts';
export { currentPlaces, findSign } from './places.ts';
export {
  fileOf,
  planFile,
  toConnection,
  type PlannedEdit,
  type PlannedFile,
  type SetupWish,
} from './plan-setup.ts';
export { uninstall, type Removal } from './uninstall.ts';
export { planPurge, purge, type Purged, type PurgeOptions } from './purge.ts';
export type { OwnFiles } from './own-files.ts';
export { checkDisk, judgeDisk, judgeNode, judgeWatches } from './doctor/check-runtime.ts';
export { examine, type Examination } from './doctor/examine.ts';
export { FINDINGS, type Finding, type FindingId } from './doctor/finding.ts';
