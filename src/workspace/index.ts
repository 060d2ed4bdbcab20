/** A project's tree as it is on disk: git, ignore rules, listing, watching and reading. */
export { createIndexCache, type KnownFiles, readChangedFiles, readUncommitted } from './git/changes.ts';
export {
  readFileHistory,
  type CommitChanges,
  type FileHistoryInput,
  type ReadHistory,
} from './git/file-history.ts';
export { isAncestor } from './git/history.ts';
export { findGitDir, isGitBusy, isGitRoot, readGitIdentity, readPlace } from './git/repository.ts';
export { type UserPlaces, findGlobalExcludes } from './ignore/outside-rules.ts';
export { createGlobMatcher } from './ignore/globs.ts';
export { type RuleReference } from './ignore/scope.ts';
export { classifyContent } from './listing/classify-content.ts';
export { type Classified } from './listing/judge-entry.ts';
export { type PathExplanation, explainPath } from './listing/explain-path.ts';
export { type ListBatch, type ListedFile, listFiles } from './listing/list-files.ts';
export { type ListOptions } from './listing/list-options.ts';
export {
  type ListingChange,
  type LiveFolderName,
  type LiveListing,
  createLiveListing,
} from './listing/live-listing.ts';
export { createDiskBeneath, hashProjectFile, readProjectFile } from './reading/disk-beneath.ts';
export {
  type Disk,
  type Look,
  WHOLE_DISK,
  type ReadSource,
  readSource,
  type ReadSourceOptions,
  type SourceStat,
  fileStamp,
} from './reading/read-source.ts';
export { type GuideFile, readGuideFiles } from './reading/guide-files.ts';
export {
  type FolderWatch,
  type FolderWatchOptions,
  isNetworkFolder,
  type OneWatch,
  openFolderWatch,
  type WatchEvent,
  type WatchFailure,
  type WatchOne,
} from './watching/folder-watch.ts';
