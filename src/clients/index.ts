/** What each MCP client reads: the table of clients, edits of their files, setup, uninstall and doctor. */
export { SCOPES, type Certainty, type Client, type Places, type Scope } from './client.ts';
export { CLIENTS } from './table/index.ts';
export type { Entry } from './edit/document-format.ts';
export { dropEntry, putEntry, readEntry, type DocumentPlace } from './edit/edit-document.ts';
export { readConnection, SERVER_NAME, toEntry, TOKEN_VARIABLE, type Connection } from './entry.ts';
export { AGENTS_FILE, planAgentsFile } from './agents-file.ts';
export { applyEdit } from './apply-setup.ts';
export { greet } from './handshake.ts';
export { isTokenTrouble, type Greeting, type TokenTrouble } from './greeting.ts';
export { copyPlace, dropCopies, isPassing, lastingNode, lastingScript, makeLasting } from './permanent-copy.ts';
export { diffLines } from './line-diff.ts';
export { openManifest, type ManifestStore, type WrittenFile } from './manifest.ts';
export { currentPlaces, findSign } from './places.ts';
export {
  fileOf,
  planFile,
  toConnection,
  type PlannedEdit,
  type PlannedFile,
  type SetupWish,
} from './setup-files.ts';
export { uninstall, type Removal } from './uninstall.ts';
export { planPurge, purge } from './purge.ts';
export type { OwnFiles } from './own-files.ts';
export { judgeDisk, judgeNode, judgeWatches } from './doctor/check-runtime.ts';
export { examine } from './doctor/examine.ts';
export { FINDINGS, type Finding, type FindingId } from './doctor/finding.ts';
