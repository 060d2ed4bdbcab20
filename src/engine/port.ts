/**
 * What the front asks of the engine. Each method takes one request and resolves with one answer, both plain data, so that the
 * engine may run in this thread or in another. Cancellation and progress travel beside the request.
 */
import type { Project, ProjectPlace, Skip } from '../core/index.ts';
import type {
  EncoderState,
  Freshness,
  IndexProgress,
  IndexRun,
  IndexState,
  KeptIndex,
  Operation,
} from '../indexing/index.ts';
import type {
  Author,
  Collection,
  EntryChange,
  EntryDraft,
  EntryEdit,
  FileState,
  FactDraft,
  GuideDocument,
  RecallAnswer,
  RecallQuery,
  Resumed,
  Saved,
  SavedFact,
  Stale,
} from '../memory/index.ts';
import type { Analysis, SearchAnswer, SearchRequest } from '../search/index.ts';
import type {
  CodeMapAnswer,
  CodeMapRequest,
  DependenciesRequest,
  FilesAnswer,
  ImpactRequest,
  OutlineAnswer,
  OutlineRequest,
  ReferencesAnswer,
  ReferencesRequest,
} from '../structure/index.ts';
import type {
  BranchSize,
  EntryKind,
  IndexStats,
  MemoryEntry,
  MemorySize,
  SharedKeys,
  PushedFile,
  Pushes,
  PushState,
  PushTarget,
  StagedEntry,
  StoredEntry,
} from '../storage/index.ts';
import type { PathExplanation } from '../workspace/index.ts';

export interface EngineCall {
  /** Aborted when the caller no longer waits. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: IndexProgress) => void;
  /** The same for all calls of one client: clients take turns where work is queued. */
  readonly client?: string | undefined;
}

interface InProject {
  readonly root: string;
}

export interface Engine {
  /** Sees to it that there is an index to answer from; waits for little work, not for much. */
  ensureIndex(request: InProject & { readonly mayWrite: boolean }, call?: EngineCall): Promise<Freshness>;
  /** Brings the index up to date, and waits for it at most this long. */
  index(request: InProject & { readonly waitMs: number }, call?: EngineCall): Promise<IndexRun>;
  /** Undefined if this engine never ran it, or long ago. */
  operation(request: { readonly id: string }): Promise<Operation | undefined>;
  /** Resolves when the operation has ended; reports progress until then. */
  followOperation(request: { readonly id: string }, call?: EngineCall): Promise<Operation | undefined>;
  /** Looks at no file of the project. */
  indexState(request: InProject): Promise<IndexState>;
  indexStats(request: InProject): Promise<
    IndexStats & {
      readonly encoder: EncoderState;
      /** Files of languages that have a grammar. */
      readonly parsable: number;
    }
  >;
  listIndexes(request: Empty): Promise<readonly KeptIndex[]>;
  clearIndex(request: InProject): Promise<boolean>;

  search(request: Omit<SearchRequest, 'signal' | 'client'>, call?: EngineCall): Promise<SearchAnswer>;
  analyzeQuery(request: Omit<SearchRequest, 'signal' | 'client'>, call?: EngineCall): Promise<Analysis>;

  /** Who uses a symbol, or what it uses; from the facts of the last commit. */
  findReferences(request: ReferencesRequest, call?: EngineCall): Promise<ReferencesAnswer>;
  fileDependencies(request: DependenciesRequest, call?: EngineCall): Promise<FilesAnswer>;
  fileImpact(request: ImpactRequest, call?: EngineCall): Promise<FilesAnswer>;
  outline(request: OutlineRequest, call?: EngineCall): Promise<OutlineAnswer>;
  /** Folders, or what is around a file, to be drawn. */
  codeMap(request: CodeMapRequest, call?: EngineCall): Promise<CodeMapAnswer>;

  /** Every indexed file with how it was read, and what was left out. */
  coverage(request: InProject): Promise<Coverage>;
  /** Bytes of every indexed file. */
  fileSizes(request: InProject): Promise<readonly (readonly [path: string, sizeBytes: number])[]>;
  /** Why a path is in the index, or is not. */
  explainFile(
    request: InProject & { readonly path: string },
  ): Promise<PathExplanation & { readonly failure: string | undefined }>;

  saveEntry(request: SaveRequest, call?: EngineCall): Promise<Saved>;
  saveFact(request: FactRequest, call?: EngineCall): Promise<SavedFact>;
  /** Revises an entry, forgets it, or takes back what was last done to it. */
  changeEntry(request: ChangeRequest): Promise<MemoryEntry>;
  recall(request: InProject & { readonly query: RecallQuery }): Promise<RecallAnswer>;
  listEntries(request: ListRequest): Promise<readonly StoredEntry[]>;
  getEntry(request: InProject & { readonly id: string }): Promise<StoredEntry | undefined>;
  /** The branches that entries were written on; asking makes no memory. */
  memoryBranches(request: InProject): Promise<readonly BranchSize[]>;
  /** What became of the files that each of these entries speaks of, in their order. */
  staleness(
    request: InProject & { readonly entries: readonly Pick<MemoryEntry, 'files'>[] },
  ): Promise<readonly Stale[]>;
  /** With its earlier versions, and what became of its files. Throws `not_found`. */
  entryHistory(request: InProject & { readonly id: string }): Promise<EntryHistory>;
  editEntry(request: EditRequest): Promise<MemoryEntry>;
  /** Into the bin; false if there is none. */
  forgetEntry(request: InProject & { readonly id: string; readonly by: string }): Promise<boolean>;
  /** Out of the bin. Throws `not_found`. */
  unforgetEntry(request: InProject & { readonly id: string; readonly by: string }): Promise<void>;
  resume(request: InProject & { readonly id?: string | undefined }): Promise<Resumed | undefined>;
  rateFix(request: RateRequest): Promise<MemoryEntry>;
  memorySizes(request: InProject): Promise<readonly MemorySize[]>;
  placeOf(request: InProject): Promise<ProjectPlace>;
  /** All guides, or those whose `category/name` a pattern matches. */
  listGuides(
    request: InProject & { readonly expressions?: readonly string[] },
  ): Promise<readonly GuideDocument[]>;
  listCollections(request: InProject): Promise<readonly Collection[]>;
  /** Resolves with its version. */
  saveCollection(
    request: InProject & { readonly author: Author; readonly collection: Collection },
  ): Promise<number>;
  deleteCollection(request: InProject & { readonly name: string; readonly by: string }): Promise<void>;

  /** One step of a push: an index that was made where the project is checked out. */
  push(request: PushRequest, call?: EngineCall): Promise<PushAnswer>;
  /** Pushed projects of this name, each with what the person has over its branch, if anything. */
  findPushed(request: { readonly name: string; readonly person: string }): Promise<readonly Project[]>;

  /** Most recently used first. */
  knownProjects(request: Empty): Promise<readonly Project[]>;
  projectsNamed(request: { readonly name: string }): Promise<readonly string[]>;
  /** Notes that a project is in use; never fails. */
  rememberProject(request: { readonly project: Project }): Promise<void>;
  /** Throws if the data directory cannot be used. */
  checkStorage(request: Empty): Promise<void>;
  /** Keys to sign with that all instances of a shared storage have; undefined where this machine keeps its own. */
  sharedKeys(request: { readonly name: string }): Promise<SharedKeys | undefined>;
  /** The same engine for the calls of one client: no client takes the places of the others. */
  forClient(client: string): Engine;
  /** The engine of a tenant, which knows nothing of the others'; left out: of who runs the server. */
  forTenant(tenant: string | undefined): Engine;
  close(): Promise<void>;
}

type Empty = Readonly<Record<string, never>>;

export type PushRequest = {
  readonly target: PushTarget;
} & (
  | {
      readonly kind: 'state';
      readonly digests: Uint8Array;
      readonly kept: readonly string[];
      /** What made the client's rows. */
      readonly maker: { readonly analysis: string; readonly parser: string };
    }
  | { readonly kind: 'stage'; readonly entries: readonly StagedEntry[] }
  | { readonly kind: 'add'; readonly files: readonly PushedFile[] }
  | { readonly kind: 'commit'; readonly end: Parameters<Pushes['commit']>[1] }
);

export type PushAnswer =
  | (PushState & { readonly kind: 'state'; readonly keepsSource: boolean })
  | { readonly kind: 'stage'; readonly missing: readonly number[] }
  | { readonly kind: 'add' }
  | { readonly kind: 'commit'; readonly generation: number; readonly files: number };

export interface SaveRequest extends InProject {
  readonly author: Author;
  readonly draft: EntryDraft;
  /** The same key makes the same entry. */
  readonly saveKey?: string | undefined;
}

export interface FactRequest extends InProject {
  readonly author: Author;
  readonly fact: FactDraft;
  /** The same key makes the same entry. */
  readonly saveKey?: string | undefined;
}

export interface ChangeRequest extends InProject {
  readonly author: Author;
  readonly id: string;
  readonly change: EntryChange;
}

export interface ListRequest extends InProject {
  readonly kinds?: readonly EntryKind[];
  readonly limit: number;
  readonly offset?: number;
  readonly inBin?: boolean;
  readonly branch?: string | undefined;
}

export interface EditRequest extends InProject {
  readonly author: Author;
  readonly id: string;
  readonly edit: EntryEdit;
}

/** Parsed by its grammar, or all but a part of it; waiting for it, failed at it, or of a language without one. */
export type ReadState = 'exact' | 'partly' | 'waiting' | 'failed' | 'fast';

export interface CoveredFile {
  readonly path: string;
  readonly language: string;
  readonly lines: number;
  readonly state: ReadState;
  /** Of one that is read partly: the share of its text that its grammar could not read. */
  readonly errorShare?: number | undefined;
}

export interface Coverage {
  readonly files: readonly CoveredFile[];
  readonly skips: readonly Skip[];
}

export interface EntryHistory extends StoredEntry {
  /** Earlier ones, the latest first. */
  readonly versions: readonly MemoryEntry[];
  readonly files: readonly { readonly path: string; readonly state: FileState['state'] }[];
}

export interface RateRequest extends InProject {
  readonly author: Author;
  readonly id: string;
  readonly helped: boolean;
}

/** Every method that a message can name; `close` ends the thread instead. */
export const ENGINE_METHODS = [
  'ensureIndex',
  'index',
  'operation',
  'followOperation',
  'indexState',
  'indexStats',
  'listIndexes',
  'clearIndex',
  'search',
  'analyzeQuery',
  'findReferences',
  'fileDependencies',
  'fileImpact',
  'outline',
  'codeMap',
  'coverage',
  'fileSizes',
  'explainFile',
  'memoryBranches',
  'staleness',
  'entryHistory',
  'editEntry',
  'forgetEntry',
  'unforgetEntry',
  'saveEntry',
  'saveFact',
  'changeEntry',
  'recall',
  'listEntries',
  'getEntry',
  'resume',
  'rateFix',
  'memorySizes',
  'placeOf',
  'listGuides',
  'listCollections',
  'saveCollection',
  'deleteCollection',
  'push',
  'findPushed',
  'knownProjects',
  'projectsNamed',
  'rememberProject',
  'checkStorage',
  'sharedKeys',
] as const satisfies readonly Exclude<keyof Engine, 'close' | 'forClient' | 'forTenant'>[];

export type EngineMethod = (typeof ENGINE_METHODS)[number];
