/** A project's tree as it is on disk: git, ignore rules, listing, watching and reading. */
export { createIndexCache, type KnownFiles, readChangedFiles, readUncommitted } from './git/changes.ts';
export { findGitDir, isGitRoot, readGitIdentity, readPlace } from './git/repository.ts';
export { type UserPlaces, findGlobalExcludes } from './ignore/git-rules.ts';
export { createGlobMatcher } from './ignore/glob-matcher.ts';
export { type RuleReference } from './ignore/scope.ts';
export { classifyContent } from './listing/classify-content.ts';
export { type Classified } from './listing/classify-name.ts';
export { type PathExplanation, explainPath } from './listing/explain-path.ts';
export { type ListBatch, listFiles } from './listing/list-files.ts';
export { type ListOptions } from './listing/list-options.ts';
export {
  type ListingChange,
  type LiveFolderName,
  type LiveListing,
  createLiveListing,
} from './listing/live-listing.ts';
export { type ListedFile } from './listing/walk.ts';
export { createDiskBeneath } from './reading/disk-beneath.ts';
export { type Disk, type Look, WHOLE_DISK } from './reading/disk.ts';
export { fileStamp } from './reading/file-stamp.ts';
export { type GuideFile, readGuideFiles } from './reading/guide-files.ts';
export { hashProjectFile } from './reading/hash-project-file.ts';
export {
  type ReadSource,
  type ReadSourceOptions,
  type SourceStat,
  readSource,
} from './reading/read-source.ts';
export {
  type FolderWatch,
  type FolderWatchOptions,
  type OneWatch,
  type WatchEvent,
  type WatchFailure,
  type WatchOne,
  openFolderWatch,
} from './watching/folder-watch.ts';
export { isGitBusy } from './watching/git-busy.ts';
export { isNetworkFolder } from './watching/network-folder.ts';
