/** What each MCP client reads: the table of clients, edits of their files, setup, uninstall and doctor. */
export {
  currentPlaces,
  findSign,
  SCOPES,
  type Certainty,
  type Client,
  type Places,
  type Scope,
} from './client.ts';
export { listClientStates, type ClientState } from './connected.ts';
export { judgeDisk, judgeNode, judgeWatches } from './doctor/check-runtime.ts';
export { examine, type Tried } from './doctor/examine.ts';
export { FINDINGS, type Finding, type FindingId } from './doctor/finding.ts';
export type { Entry } from './edit/document-format.ts';
export { dropEntry, putEntry, readEntry, type DocumentPlace } from './edit/edit-document.ts';
export { readConnection, SERVER_NAME, toEntry, TOKEN_VARIABLE, type Connection } from './entry.ts';
export { tryHandshake } from './handshake.ts';
export { isTokenTrouble, type Handshake, type TokenTrouble } from './handshake-result.ts';
export { openManifest, type ManifestStore, type WrittenFile } from './manifest.ts';
export { findOwnFiles, type OwnFiles } from './own-files.ts';
export {
  copyPlace,
  dropCopies,
  isTemporaryInstall,
  makePermanentCopy,
  scriptInCopy,
  stableNodePath,
} from './permanent-copy.ts';
export { planPurge, purge } from './purge.ts';
export {
  applyEdit,
  fileOf,
  planAgentsFile,
  planHooks,
  planFile,
  toConnection,
  type PlannedEdit,
  type PlannedFile,
  type SetupWish,
} from './setup-files.ts';
export { CLIENTS } from './table/index.ts';
export {
  HOOK_CLIENTS,
  HOOK_CLIENT_IDS,
  hookClientOf,
  type HookClient,
  type HookClientId,
} from './table/hooks.ts';
export { AGENTS_FILE } from './table/shared-files.ts';
export { uninstall, type Removal } from './uninstall.ts';
