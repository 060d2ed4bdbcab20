/** A project's tree as it is on disk: git, ignore rules, listing, watching and reading. */
export { readCommittedFiles } from './git/committed-files.ts';
export { type DirtyOptions, findDirt, readDirtyFiles } from './git/dirty-files.ts';
export { findGitFile } from './git/find-git-file.ts';
export { gitDirOf, isGitRoot, readGitIdentity } from './git/repository.ts';
export { readBranchTip, readDetachedHead, readRef } from './git/git-refs.ts';
export { findMergeBase } from './git/merge-base.ts';
export { openGitObjects } from './git/objects.ts';
export { findGitDir } from './git/repository-of.ts';
export { type DirtyFile, type DirtyState, type TrackedDirt, findTrackedDirt } from './git/changes.ts';
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
