/** The service behind tools and commands: saves what was learned and finds it again. */
import { createHash } from 'node:crypto';
import { AppError, type Clock, type ProjectPlace } from '../core/index.ts';
import type {
  EntryKind,
  FileMark,
  MemoryEntry,
  MemorySpaces,
  MemoryStore,
  SavedEntry,
  SaveOptions,
  StoredEntry,
  TakenIn,
} from '../storage/index.ts';
import type { Encoder } from './entry-keys.ts';
import { withoutDraft } from './draft-fix.ts';
import { type Author, type EntryDraft, makeEntry, type Surroundings } from './make-entry.ts';
import { createRecall, type RecallAnswer, type RecallQuery } from './recall-spaces.ts';

export interface MemoryOptions {
  readonly spaces: MemorySpaces;
  readonly around: Surroundings;
  /** Asked for when the first question comes. */
  readonly encoder: () => Encoder | undefined;
  readonly clock: Clock;
  readonly newId: () => string;
}

export interface Saved {
  readonly entry: MemoryEntry;
  /** This call was a repetition of an earlier one. */
  readonly repeated: boolean;
  /** An entry of the same name was replaced; its old version is kept. */
  readonly revised: boolean;
  /** The kinds of secrets that were taken out, with how many of each. */
  readonly redacted: SavedEntry['redacted'];
}

export interface FileState {
  readonly path: string;
  readonly state: 'unchanged' | 'changed' | 'missing';
  /** How it differed from the last commit then, if it did. */
  readonly dirty?: string | undefined;
}

export interface Resumed {
  readonly entry: MemoryEntry;
  readonly files: readonly FileState[];
  /** It was written in another worktree than the one asked from. */
  readonly otherWorktree: boolean;
}

export interface SaveCall {
  /** The same key makes the same entry. */
  readonly saveKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whose it is: the project's, or the person's who works in all of them. */
  readonly scope?: 'project' | 'person' | undefined;
  /** Which entry it is about and what becomes of that one; by its kind, if left out. */
  readonly matches?: SaveOptions['matches'];
  readonly replaces?: SaveOptions['replaces'];
}

export interface Memory {
  placeOf(root: string): ProjectPlace;
  save(root: string, author: Author, draft: EntryDraft, options?: SaveCall): Promise<Saved>;
  /** An entry as `save` would save it, for those who save several at once. */
  prepare(
    root: string,
    author: Author,
    draft: EntryDraft,
    saveKey: string,
  ): Pick<TakenIn, 'entry' | 'saveAs'>;
  recall(root: string, query: RecallQuery): Promise<RecallAnswer>;
  list(
    root: string,
    filter: {
      readonly kinds?: readonly EntryKind[];
      readonly limit: number;
      readonly offset?: number;
      readonly inBin?: boolean;
      readonly branch?: string | undefined;
    },
  ): Promise<readonly StoredEntry[]>;
  get(root: string, id: string): Promise<StoredEntry>;
  /** The checkpoint with this id, or the newest. */
  resume(root: string, id?: string): Promise<Resumed | undefined>;
  /** Moves the confidence of a remediation; gives it back as it is now. */
  feedback(root: string, author: Author, id: string, helped: boolean): Promise<MemoryEntry>;
  /** The memory of a project, for what is done with all of it. */
  storeOf(root: string): Promise<MemoryStore>;
  /** The memory that the person takes along into every project. */
  storeOfPerson(): Promise<MemoryStore>;
  /** The one of these two that holds this entry; the project's, if none does. */
  storeWith(root: string, id: string): Promise<MemoryStore>;
  readonly spaces: MemorySpaces;
  readonly around: Surroundings;
  readonly clock: Clock;
  readonly newId: () => string;
  close(): Promise<void>;
}

export const BIN_MS = 30 * 24 * 3600 * 1000;
const LATEST = 50;
/** A step of feedback goes this part of the way to sure or to useless. */
const FEEDBACK_STEP = 0.3;

export const ID_PREFIXES: Readonly<Record<EntryKind, string>> = {
  checkpoint: 'cp',
  remediation: 'fix',
  skill: 'skill',
  fact: 'fact',
  guide: 'guide',
  collection: 'col',
};

export function createMemory(options: MemoryOptions): Memory {
  const { spaces, around, encoder, clock, newId } = options;
  const introduced = new Set<string>();

  async function open(space: string): Promise<MemoryStore> {
    const store = await spaces.open(space);
    if (introduced.has(space)) return store;
    introduced.add(space);
    await store.expireBin(BIN_MS, 'waymark');
    return store;
  }
  const storeOf = async (root: string): Promise<MemoryStore> =>
    open(await spaces.spaceOf(around.placeOf(root).identity));

  const storeOfPerson = async (): Promise<MemoryStore> => open(await spaces.spaceOf(around.person));
  const storeWith = async (root: string, id: string): Promise<MemoryStore> => {
    const own = await storeOf(root);
    const person = await spaces.spaceOf(around.person);
    if (!(await spaces.exists(person)) || (await own.get(id)) !== undefined) return own;
    const theirs = await open(person);
    return (await theirs.get(id)) === undefined ? own : theirs;
  };

  return {
    spaces,
    around,
    clock,
    newId,
    placeOf: (root) => around.placeOf(root),
    storeOf,
    storeOfPerson,
    storeWith,
    async save(root, author, draft, { saveKey, signal, scope = 'project', matches, replaces } = {}) {
      const place = around.placeOf(root);
      const owner = scope === 'person' ? { ...place, identity: around.person, name: 'the person' } : place;
      const store = await open(await spaces.spaceOf(owner.identity));
      const id = `${ID_PREFIXES[draft.kind]}-${newId()}`;
      const made = makeEntry(draft, {
        id,
        now: clock.now(),
        place,
        author,
        around,
        ...(draft.kind === 'checkpoint' ? { uncommitted: await around.uncommitted(place) } : {}),
      });
      // The files of one project mean nothing in another.
      const entry = scope === 'person' ? { ...made, files: [] } : made;
      await introduce(store, owner, clock);
      const { stored, repeated, revised, redacted } = await store.save(entry, {
        saveKey,
        matches,
        replaces: replaces ?? replacesOf(entry.kind),
        signal,
      });
      return { entry: stored.entry, repeated, revised, redacted };
    },
    prepare(root, author, draft, saveKey) {
      const id = `${ID_PREFIXES[draft.kind]}-${newId()}`;
      const entry = makeEntry(draft, {
        id,
        now: clock.now(),
        place: around.placeOf(root),
        author,
        around,
      });
      return { entry, saveAs: { saveKey, replaces: replacesOf(draft.kind) } };
    },
    recall: createRecall({ spaces, around, encoder, clock, open }),
    list: async (root, filter) => {
      const space = await spaces.spaceOf(around.placeOf(root).identity);
      return (await spaces.exists(space)) ? (await open(space)).list(filter) : [];
    },
    get: async (root, id) => {
      const found = await (await storeWith(root, id)).get(id);
      if (found === undefined) throw notFound(id);
      return found;
    },
    async resume(root, id) {
      const place = around.placeOf(root);
      const store = await open(await spaces.spaceOf(place.identity));
      const entry = id === undefined ? await latest(store, place) : (await store.get(id))?.entry;
      if (entry === undefined && id === undefined) return undefined;
      if (entry?.kind !== 'checkpoint') throw notFound(id ?? '');
      return {
        entry,
        files: entry.files.map((mark) => ({
          path: mark.path,
          state: fileStateOf(mark, around.hashFile(place.root, mark.path)),
          dirty: mark.dirty,
        })),
        otherWorktree: entry.provenance.worktree !== place.worktree,
      };
    },
    async feedback(root, author, id, helped) {
      const store = await storeWith(root, id);
      const now = clock.now();
      const changed = await store.revise(
        id,
        (entry) => {
          if (entry.kind !== 'remediation') throw notFound(id);
          const target = helped ? 1 : 0;
          return {
            ...entry,
            confidence: entry.confidence + (target - entry.confidence) * FEEDBACK_STEP,
            fields: helped ? withoutDraft(entry.fields) : entry.fields,
            metadata: countFeedback(entry, helped),
            updatedAt: now,
            // Who wrote the text stays who wrote it: a word of praise changes no authorship.
          };
        },
        `${author.origin}: ${author.client}`,
      );
      if (changed === undefined) throw notFound(id);
      return changed;
    },
    close: () => spaces.close(),
  };
}

/** Skills, guides and collections are known by name: saving one again makes a new version of it. */
function isKnownByName(kind: EntryKind): boolean {
  return kind !== 'checkpoint' && kind !== 'remediation';
}

function replacesOf(kind: EntryKind): SaveOptions['replaces'] {
  if (!isKnownByName(kind)) return undefined;
  return (old, entry) => ({ ...entry, id: old.id, createdAt: old.createdAt, confidence: old.confidence });
}

/** A memory knows whose it is, so that it can be named elsewhere and found again when links are lost. */
export async function introduce(
  store: MemoryStore,
  { identity, name }: ProjectPlace,
  clock: Clock,
): Promise<void> {
  await store.addIdentity({ identity, name, since: clock.now() });
}

/** The mark of a memory whose entries are kept in files, among the files that were agreed on. */
export const LINKED_TO_FILES = '';
/** What releases before wrote as the mark: any place that shares the memory. */
const ANY_PLACE = 'on';

/** Whether the files of this place are in step with its memory. Of several that share one, only those of the place that was linked last. */
export async function isLinkedToFiles(memory: Memory, root: string): Promise<boolean> {
  const { identity } = memory.placeOf(root);
  const space = await memory.spaces.spaceOf(identity);
  if (!(await memory.spaces.exists(space))) return false;
  const mark = (await (await memory.spaces.open(space)).agreed()).get(LINKED_TO_FILES);
  return mark === ANY_PLACE || mark === placeMark(identity);
}

/** Not the path itself, which may hold what must not be kept. */
export function placeMark(identity: string): string {
  return createHash('sha256').update(identity).digest('hex').slice(0, 32);
}

/** The newest of this branch, in this worktree if it can be; else of this worktree, else of the repository. */
async function latest(store: MemoryStore, place: ProjectPlace): Promise<MemoryEntry | undefined> {
  const found = (await store.list({ kinds: ['checkpoint'], limit: LATEST })).map(({ entry }) => entry);
  const isHere = ({ provenance }: MemoryEntry): boolean => provenance.worktree === place.worktree;
  const isOfBranch = ({ provenance }: MemoryEntry): boolean => provenance.branch === place.branch;
  return (
    found.find((entry) => isOfBranch(entry) && isHere(entry)) ??
    found.find(isOfBranch) ??
    found.find(isHere) ??
    found[0]
  );
}

/** What became of a file since an entry named it. */
export function fileStateOf({ hash, dirty }: FileMark, now: string | undefined): FileState['state'] {
  if (now === undefined) return dirty === 'deleted' ? 'unchanged' : 'missing';
  return hash === now ? 'unchanged' : 'changed';
}

function countFeedback({ metadata }: MemoryEntry, helped: boolean): Readonly<Record<string, unknown>> {
  const field = helped ? 'helped' : 'did_not_help';
  const before = metadata[field];
  return { ...metadata, [field]: (typeof before === 'number' ? before : 0) + 1 };
}

export function notFound(id: string): AppError {
  return new AppError('not_found', `There is no such entry: ${id}.`, {
    hint: 'List or search first, and pass an id from there.',
  });
}
