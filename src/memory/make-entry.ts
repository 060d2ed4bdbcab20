/** From what a caller wants kept to an entry: checked, with its files marked. */
import type { ProjectPlace } from '../core/index.ts';
import { checkCount, checkLimit, checkPresent, type LimitedText, LIMITS, MOST_FILES } from './entry-text.ts';
import { withNames } from './staleness.ts';
import type { EntryKind, FileMark, MemoryEntry, Origin, Provenance } from '../storage/index.ts';

export interface EntryDraft {
  readonly kind: EntryKind;
  readonly name?: string | undefined;
  readonly summary?: string | undefined;
  readonly content: string;
  readonly tags?: readonly string[] | undefined;
  readonly fields?: Readonly<Record<string, string | undefined>>;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly files?: readonly string[] | undefined;
  /** How far it is trusted, from 0 to 1. */
  readonly confidence?: number | undefined;
}

export interface MakeEntryOptions {
  readonly id: string;
  readonly now: number;
  readonly place: ProjectPlace;
  readonly author: Author;
  readonly around: Surroundings;
  /** Kept with a checkpoint. */
  readonly uncommitted?: Uncommitted;
}

/** Files that a text merely mentions; those named by the caller come first and are not counted. */
const MOST_MENTIONED = 40;
/** Of what was neither confirmed nor refuted. */
const USUAL_CONFIDENCE = 0.5;
const NONE: Uncommitted = { files: [], isPartial: false };
/** The field that says so where not all uncommitted files were found. */
const UNCOMMITTED = 'uncommitted';
const PARTIAL = 'partial';

/** What is missing is made, and what must not be kept is taken out, when the memory takes it. */
export function makeEntry(draft: EntryDraft, options: MakeEntryOptions): MemoryEntry {
  checkDraft(draft);
  const { id, now, place, author, around, uncommitted = NONE } = options;
  const { kind, name = '', summary = '', content, tags = [], metadata = {} } = draft;
  const fields: Readonly<Record<string, string>> = {
    ...withTexts(draft.fields ?? {}),
    ...(uncommitted.isPartial ? { [UNCOMMITTED]: PARTIAL } : {}),
  };
  return {
    id,
    kind,
    name,
    summary,
    content,
    tags,
    fields,
    metadata,
    files: addDirty(
      markFiles(draft.files ?? [], [content, fields['stack'] ?? ''].join('\n'), place, around),
      uncommitted.files,
      (path) => around.hashFile(place.root, path),
    ),
    flags: [],
    confidence: draft.confidence ?? USUAL_CONFIDENCE,
    tokens: 0,
    provenance: provenanceOf(place, author, around.user),
    createdAt: now,
    updatedAt: now,
    version: 1,
  };
}

/** Whether a checkpoint's list of uncommitted files is not all of them. */
export function isPartial({ fields }: Pick<MemoryEntry, 'fields'>): boolean {
  return fields[UNCOMMITTED] === PARTIAL;
}

function checkDraft(draft: EntryDraft): void {
  const { kind, name, summary, content, tags = [], fields = {}, metadata, files = [] } = draft;
  const body: LimitedText = kind === 'remediation' ? 'solution' : kind === 'fact' ? 'fact' : 'content';
  checkPresent(body, content);
  checkLimit(body, content);
  checkLimit('name', name ?? '');
  checkLimit('summary', summary ?? '');
  checkCount('tags', tags.length);
  for (const tag of tags) checkLimit('tag', tag);
  checkCount('files', files.length);
  checkLimit('metadata', JSON.stringify(metadata ?? {}));
  for (const [field, text] of Object.entries(fields)) if (isLimited(field)) checkLimit(field, text ?? '');
}

function isLimited(field: string): field is LimitedText {
  return Object.hasOwn(LIMITS, field);
}

function withTexts(fields: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, text]) =>
      text === undefined || text === '' ? [] : [[field, text]],
    ),
  );
}

/** Files the caller names are kept even if they do not exist: they may have been deleted, which is worth knowing. */
export function markFiles(
  named: readonly string[],
  text: string,
  place: ProjectPlace,
  around: Surroundings,
): readonly FileMark[] {
  const marks = new Map<string, FileMark>();
  const hashOf = (path: string): string | undefined => around.hashFile(place.root, path);
  const fromHere = (path: string): string => fromTop(place, path, (one) => hashOf(one) !== undefined);
  for (const path of named.map(fromHere)) {
    const hash = hashOf(path);
    marks.set(path, { path, ...(hash === undefined ? {} : { hash }) });
  }
  for (const path of mentionedFiles(text, MOST_MENTIONED).map(fromHere)) {
    const hash = marks.has(path) || marks.size >= MOST_FILES ? undefined : hashOf(path);
    if (hash !== undefined) marks.set(path, { path, hash });
  }
  return [...marks.values()].map((mark) =>
    withNames(mark, text, (path) => around.readFile(place.root, path)),
  );
}

/** What was not committed belongs to where the work stood, whether or not the text speaks of it. */
function addDirty(
  files: readonly FileMark[],
  dirty: Uncommitted['files'],
  hashOf: (path: string) => string | undefined,
): readonly FileMark[] {
  const marks = new Map(files.map((file) => [file.path, file]));
  for (const { path, state } of dirty) {
    const known = marks.get(path);
    if (known === undefined && marks.size >= MOST_FILES) break;
    const hash = known === undefined ? hashOf(path) : known.hash;
    marks.set(path, { path, ...(hash === undefined ? {} : { hash }), dirty: state });
  }
  return [...marks.values()];
}

/** The project files a text speaks of. Pure. */
const MENTIONED_PATH =
  /(?<![\w/.@-])(?:[\w@-][\w.@-]{0,80}\/){0,12}[\w@-][\w.@-]{0,80}\.[A-Za-z][\w]{0,7}(?![\w/-])/g;
const MOST_READ_CHARS = 100_000;

/** In the order they are first mentioned; whether they exist is for the caller to find out. */
function mentionedFiles(text: string, most: number): readonly string[] {
  const found = new Set<string>();
  for (const [path] of text.slice(0, MOST_READ_CHARS).matchAll(MENTIONED_PATH)) {
    if (path.split('/').includes('..')) continue;
    found.add(path);
    if (found.size >= most) break;
  }
  return [...found];
}

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
  /** What such a file says. */
  readFile(root: string, path: string): string | undefined;
  /** Which files of the working tree have uncommitted changes. */
  uncommitted(place: ProjectPlace): Promise<Uncommitted>;
  readonly user: string;
  /** By what the memory is found that the person takes along into every project. */
  readonly person: string;
  /** Where a project keeps its memory as files; if it is left out, it keeps none. */
  openFiles?(root: string): LinkFolder;
  /** The documents a repository brings along: foreign text. */
  readGuides(root: string): readonly GuideText[];
  /** Whether any of these patterns matches a path. */
  matcher(globs: readonly string[]): (path: string) => boolean;
}

/** A folder of text, by paths within it; the machine provides it. */
export interface LinkFolder {
  /** Where not, the branch that is checked out may be one without it. */
  exists(): boolean;
  list(): readonly string[];
  read(path: string): string | undefined;
  write(path: string, text: string): void;
  remove(path: string): void;
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
