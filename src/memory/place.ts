/** Where a call stands and who makes it: what provenance is made of. */
import type { Origin, Provenance } from '../storage/index.ts';

export interface Place {
  /** Canonical real path of the working tree that the project lies in, else of the project: files are named from here. */
  readonly root: string;
  readonly name: string;
  /** Shared by the worktrees of a repository: whose memory this is. */
  readonly identity: string;
  /** Where in the working tree the project lies; empty if it is the whole tree. */
  readonly folder: string;
  readonly worktree?: string | undefined;
  readonly branch?: string | undefined;
  readonly commit?: string | undefined;
}

export interface Author {
  readonly origin: Origin;
  readonly client: string;
  readonly tool: string;
  readonly source?: string;
}

/** What memory asks of the machine; the application provides it. */
export interface Surroundings {
  placeOf(root: string): Place;
  /** Whether whoever asks may hear of what belongs to this identity; everybody may if it is left out. */
  mayTell?(identity: string): boolean;
  /** A digest of what a project file holds; undefined if there is no such file inside the project. */
  hashFile(root: string, path: string): string | undefined;
  /** Which files differ from the last commit, if there is one. */
  dirtyFiles(root: string): Promise<readonly DirtyMark[]>;
  readonly user: string;
  /** The documents a repository brings along. They are somebody's text, not ours. */
  readGuides(root: string): readonly GuideText[];
  /** Whether any of these patterns matches a path. */
  matcher(globs: readonly string[]): (path: string) => boolean;
}

export interface DirtyMark {
  readonly path: string;
  readonly state: string;
}

export interface GuideText {
  readonly category: string;
  readonly name: string;
  readonly text: string;
}

/** A path as the caller wrote it, from the top of the working tree; those of its own folder come first. */
export function fromTop(place: Place, path: string, exists: (path: string) => boolean): string {
  if (place.folder === '') return path;
  const within = `${place.folder}/${path}`;
  if (exists(within)) return within;
  return exists(path) || path.startsWith(`${place.folder}/`) ? path : within;
}

export function provenanceOf(place: Place, author: Author, user: string): Provenance {
  const { worktree, branch, commit } = place;
  return {
    origin: author.origin,
    client: author.client,
    tool: author.tool,
    user,
    project: place.folder === '' ? place.root : `${place.root}/${place.folder}`,
    ...(author.source === undefined ? {} : { source: author.source }),
    ...(worktree === undefined ? {} : { worktree }),
    ...(branch === undefined ? {} : { branch }),
    ...(commit === undefined ? {} : { commit }),
  };
}
