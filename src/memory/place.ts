/** Where a call stands and who makes it: what provenance is made of. */
import type { ProjectPlace } from '../core/index.ts';
import type { Origin, Provenance } from '../storage/index.ts';

export interface Author {
  readonly origin: Origin;
  readonly client: string;
  readonly tool: string;
  readonly source?: string;
}

/** What memory asks of the machine; the application provides it. */
export interface Surroundings {
  placeOf(root: string): ProjectPlace;
  /** Whether the caller may hear of what belongs to this identity; if it is left out, every caller may. */
  mayTell?(identity: string): boolean;
  /** A digest of what a project file holds; undefined if there is no such file inside the project. */
  hashFile(root: string, path: string): string | undefined;
  /** Which files of the working tree have uncommitted changes. */
  uncommitted(place: ProjectPlace): Promise<Uncommitted>;
  readonly user: string;
  /** The documents a repository brings along: foreign text. */
  readGuides(root: string): readonly GuideText[];
  /** Whether any of these patterns matches a path. */
  matcher(globs: readonly string[]): (path: string) => boolean;
}

export interface Uncommitted {
  readonly files: readonly { readonly path: string; readonly state: string }[];
  /** There may be more. */
  readonly isPartial: boolean;
}

export interface GuideText {
  readonly category: string;
  readonly name: string;
  readonly text: string;
}

/** A path as the caller wrote it, from the top of the working tree; those of its own folder come first. */
export function fromTop(place: ProjectPlace, path: string, exists: (path: string) => boolean): string {
  if (place.folder === '') return path;
  const within = `${place.folder}/${path}`;
  if (exists(within)) return within;
  return exists(path) || path.startsWith(`${place.folder}/`) ? path : within;
}

export function provenanceOf(place: ProjectPlace, author: Author, user: string): Provenance {
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
