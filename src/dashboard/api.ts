/** What the page and the server say to each other, typed once for both. Types only: the page imports nothing else of the server. */

export interface ApiFailure {
  readonly error: { readonly code: string; readonly message: string; readonly hint: string | null };
}

/** What a one-time code is exchanged for, beside the cookie. */
export interface SessionAnswer {
  readonly token: string;
}

export interface OverviewAnswer {
  readonly version: string;
  /** The address that clients connect to. */
  readonly url: string;
  /** What connects Claude Code; shown while no client was seen. */
  readonly connect: string;
  readonly hasClients: boolean;
  /** The project that clients get which name none. */
  readonly usual: ProjectName | null;
}

export interface ProjectName {
  readonly root: string;
  readonly name: string;
}

export interface ProjectRow extends ProjectName {
  readonly usedAt: number | null;
  /** Of its index on disk. */
  readonly sizeBytes: number | null;
  readonly index: 'none' | 'current' | 'old' | 'damaged';
  readonly isGone: boolean;
}

export interface ProjectsAnswer {
  readonly total: number;
  readonly rows: readonly ProjectRow[];
}

export type FreshnessValue =
  | { readonly state: 'indexed' | 'missing' }
  | { readonly state: 'updating'; readonly percent: number | null };

export interface ProjectDetails {
  readonly root: string;
  readonly branch: string | null;
  readonly freshness: FreshnessValue;
  readonly files: number;
  readonly definitions: number;
  readonly sourceBytes: number;
  readonly leftOut: number;
  readonly languages: readonly { readonly language: string; readonly files: number }[];
  readonly parsed: {
    readonly exact: number;
    readonly failed: number;
    /** Not read by their grammar yet. */
    readonly waiting: number;
    /** Share of the source that no grammar could read. */
    readonly errorShare: number;
  };
  readonly memory: readonly { readonly kind: string; readonly count: number }[] | null;
  readonly lastCall: { readonly client: string; readonly tool: string; readonly at: number } | null;
}

export type OperationValue =
  | { readonly id: string; readonly state: 'running'; readonly percent: number | null }
  | { readonly id: string; readonly state: 'done' | 'elsewhere' | 'stopped' }
  | { readonly id: string; readonly state: 'failed'; readonly message: string };

export interface SearchRequestValue {
  readonly root: string;
  readonly query: string;
  readonly lang?: readonly string[];
  readonly path?: readonly string[];
  readonly kind?: readonly string[];
  readonly changed?: boolean;
  readonly limit?: number;
}

export interface ReasonValue {
  readonly meaning: string;
  readonly points: number;
}

export interface HitValue {
  readonly rank: number;
  readonly path: string;
  readonly language: string;
  readonly startLine: number;
  readonly symbol: string | null;
  readonly kind: string | null;
  readonly lines: readonly string[];
  readonly score: number;
  readonly reasons: readonly ReasonValue[];
}

export interface SearchAnswerValue {
  readonly readAs: readonly string[];
  readonly stages: readonly { readonly name: string; readonly files: number | null; readonly ms: number }[];
  readonly notes: readonly string[];
  readonly hits: readonly HitValue[];
  readonly nearest: readonly { readonly path: string; readonly startLine: number }[];
  readonly matched: number;
  readonly files: number;
  readonly ms: number;
  /** The words that were looked for, to be marked in the code. */
  readonly words: readonly string[];
}

/** One call of a tool, without what was answered. */
export interface CallRow {
  readonly id: number;
  readonly at: number;
  readonly client: string;
  readonly project: string | null;
  readonly tool: string;
  /** What was asked, in one line. */
  readonly question: string;
  readonly ms: number;
  /** Of the answer, about. */
  readonly tokens: number;
  readonly hits: number | null;
  /** Tokens of the files that the hits stand for, about; null where it is not known. */
  readonly fileTokens: number | null;
  readonly isError: boolean;
}

export interface CallDetails extends CallRow {
  readonly args: string;
  /** Exactly what the agent read; null once it had to make room. */
  readonly text: string | null;
}

/** One event of the live stream. */
export interface LiveEvent {
  readonly calls: readonly CallRow[];
  /** Calls that came in the same tick and are not listed. */
  readonly unlisted: number;
  readonly totals: LiveTotals;
}

export interface LiveTotals {
  readonly calls: number;
  readonly errors: number;
  readonly tokens: number;
  readonly fileTokens: number;
  /** The last minutes, one point for every five seconds, the oldest first. */
  readonly series: readonly SeriesPoint[];
}

export interface SeriesPoint {
  readonly at: number;
  readonly calls: number;
  readonly p50: number | null;
  readonly p95: number | null;
}

/** Fields in the order of `CoverageAnswer.files`, to keep 50,000 rows small. */
export type CoverageFile = readonly [
  path: string,
  lines: number,
  language: number,
  state: CoverageState,
  /** Of one that is read partly: the share that its grammar could not read. */
  errorShare?: number,
];
/** Parsed by its grammar, or all but a part of it; waiting for it, failed at it, or of a language without one. */
export type CoverageState = 'exact' | 'partly' | 'waiting' | 'failed' | 'fast';

export interface CoverageAnswer {
  readonly languages: readonly string[];
  readonly files: readonly CoverageFile[];
  readonly skips: readonly {
    readonly path: string;
    readonly reason: string;
    readonly detail: string | null;
  }[];
  /** By reason, all of them. */
  readonly leftOut: readonly { readonly reason: string; readonly count: number }[];
}

export interface WhyAnswer {
  readonly kind: 'listed' | 'skipped' | 'missing' | 'outside';
  readonly path: string;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly failure: string | null;
}

export interface EntryRow {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly summary: string;
  readonly branch: string | null;
  readonly client: string;
  readonly tags: readonly string[];
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly version: number;
  readonly deletedAt: number | null;
  readonly why: readonly string[];
  readonly flags: readonly string[];
  /** What it speaks of and what became of that since, as `src/a.ts is gone`; empty if nothing did. */
  readonly stale: readonly string[];
}

export interface EntriesAnswer {
  readonly rows: readonly EntryRow[];
  readonly sizes: readonly { readonly kind: string; readonly count: number }[];
  readonly hasMore: boolean;
}

export interface BranchesAnswer {
  readonly branches: readonly { readonly branch: string; readonly count: number }[];
}

export interface EntryVersion {
  readonly version: number;
  readonly updatedAt: number;
  readonly client: string;
  readonly summary: string;
  readonly content: string;
  readonly tags: readonly string[];
}

export interface EntryDetails extends EntryRow {
  readonly content: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly metadata: string;
  readonly origin: string;
  readonly commit: string | null;
  readonly confidence: number;
  /** What became of the files it speaks of since. */
  readonly files: readonly { readonly path: string; readonly state: string }[];
  /** The latest first, the present one among them. */
  readonly versions: readonly EntryVersion[];
}

export interface EntryEditValue {
  readonly root: string;
  readonly id: string;
  readonly summary?: string;
  readonly content?: string;
  readonly tags?: readonly string[];
}

export interface MapNode {
  readonly id: string;
  readonly kind: 'folder' | 'file';
  readonly files: number;
  /** Nodes of the same cycle have the same number. */
  readonly cycle: number | null;
  /** How many of its files are in a cycle with other files. */
  readonly cyclic: number;
  /** Steps from the file that was asked for. */
  readonly distance: number;
}

export interface MapAnswer {
  readonly folder: string | null;
  readonly file: string | null;
  readonly nodes: readonly MapNode[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly count: number }[];
  /** Nodes that were left out to keep the picture readable. */
  readonly unlisted: number;
  /** Files of the whole project that use one another in a circle, and how many such circles there are. */
  readonly cycles: {
    readonly files: number;
    readonly count: number;
    /** The first paths of each. */
    readonly largest: readonly { readonly files: number; readonly paths: readonly string[] }[];
  };
  /** Files whose facts were not read yet. */
  readonly waiting: number;
}

export interface ImpactAnswer {
  readonly changed: readonly string[];
  readonly files: readonly {
    readonly path: string;
    readonly distance: number;
    readonly via: string;
    readonly isTest: boolean;
  }[];
}

export interface SourceValue {
  readonly source: string;
  readonly outcome: string;
  readonly path: string | null;
  readonly why: string;
}

export interface ClientRow {
  readonly client: string;
  readonly transport: string;
  readonly firstAt: number;
  readonly lastAt: number;
  /** How often it shook hands and asked for the listing of the tools. */
  readonly listings: number;
  readonly calls: number;
  readonly project: string | null;
  /** What every source said of its last call, the most trusted first. */
  readonly sources: readonly SourceValue[];
}

export interface ClientsAnswer {
  readonly clients: readonly ClientRow[];
  readonly toolsets: readonly {
    readonly name: string;
    readonly isServed: boolean;
    readonly tools: readonly { readonly name: string; readonly title: string; readonly tokens: number }[];
  }[];
  readonly listingTokens: number;
}

export interface FindingValue {
  readonly id: string;
  readonly level: 'ok' | 'note' | 'problem';
  readonly seen: string;
  readonly means: string;
  readonly todo: string;
}

export interface DoctorAnswer {
  readonly findings: readonly FindingValue[];
}
