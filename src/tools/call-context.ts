/** What a call knows of its caller, its connection and the program: built once per call, at the edge. */
import type { Detection, GitIdentity, Logger, Project, RefusedReport, SourceReport } from '../core/index.ts';
import type { Engine } from '../engine/index.ts';
import type { DetectionRequest, Detector, KnownProjects } from '../project/index.ts';

/** What tools work with; the application provides it. */
export interface ToolServices {
  readonly engine: Engine;
  /** A word that cannot be guessed, for the fence around stored text. */
  newWord(): string;
}

/** What every call needs of the program, whatever edge it came by. */
export interface CallParts {
  readonly detector: Detector;
  readonly known: KnownProjects;
  readonly services: ToolServices;
  readonly logger: Logger;
}

/** What an edge knows of one call. */
export interface CallFacts {
  readonly transport: 'stdio' | 'http';
  /** Name and version of the client, as it calls itself. */
  readonly client: string;
  /** The same for all calls of one client: its session, its connection, or else its token and address. */
  readonly clientKey: string;
  /** Aborted when the client cancels or goes away. */
  readonly signal: AbortSignal;
  /** What the call brings along to find its project by. `unasked`: throws InputNeeded rather than ask the client. */
  sources(unasked: boolean): Omit<DetectionRequest, 'transport' | 'argument' | 'explain'>;
  /** Where the access line learns by which source the project was found. */
  readonly note?: { projectSource?: string } | undefined;
  /** Says how far a long call has come; received only by a client that asked for it. */
  progress(step: ProgressStep): Promise<void>;
  /** Makes this the project of the connection's later calls; false if there is no connection that could keep it. */
  choose(project: Project): boolean;
  /** Advice for users whose client does not report its project, once per connection. */
  tipFor(detection: Detection): string | undefined;
}

export interface CallContext extends Omit<CallFacts, 'transport' | 'sources' | 'note'> {
  readonly services: ToolServices;
  readonly logger: Logger;
  /** Finds the project of this call. `explain` asks every source. */
  detect(
    argument: string | undefined,
    how: { readonly explain: boolean; readonly unasked?: boolean },
  ): Promise<Detection>;
  /** Why what was found is no longer this call's project, if it is not. */
  recheck(detection: Detection): RefusedReport | undefined;
  /** What git says of a project, as far as this caller may hear of it. */
  git(detection: Detection): GitIdentity | undefined;
  /** What naming this project would come to. */
  name(text: string): Promise<NamedAnswer>;
  /** Projects that this caller may name, most recent first. */
  candidates(): Promise<readonly Project[]>;
}

export interface ProgressStep {
  readonly done: number;
  readonly total?: number;
  readonly message?: string;
}

export type NamedAnswer =
  | { readonly kind: 'found'; readonly project: Project }
  | { readonly kind: 'refused'; readonly message: string; readonly why: RefusedReport['why'] };

const MAX_CANDIDATES = 10;

export function createCallContext(parts: CallParts, facts: CallFacts): CallContext {
  const { detector, known, services, logger } = parts;
  const { transport, sources, note, ...rest } = facts;
  return {
    ...rest,
    services,
    logger,
    async detect(argument, { explain, unasked = false }) {
      const detection = await detector.detect({ ...sources(unasked), transport, argument, explain });
      if (note !== undefined)
        note.projectSource = detection.kind === 'found' ? detection.source : detection.kind;
      if (detection.kind === 'found') known.remember(detection.project);
      return detection;
    },
    recheck: (detection) => (detection.kind === 'found' ? detector.recheck(detection, transport) : undefined),
    git: (detection) =>
      detection.kind === 'found' ? detector.git(detection.project.root, transport) : undefined,
    name: async (text) => toNamedAnswer(await detector.name('switched', text, transport)),
    candidates: () => known.list(MAX_CANDIDATES, (root) => detector.maySuggest(root, transport)),
  };
}

function toNamedAnswer(report: SourceReport): NamedAnswer {
  if (report.kind === 'found') return { kind: 'found', project: report.project };
  if (report.kind === 'refused') return { kind: 'refused', message: report.message, why: report.why };
  return { kind: 'refused', message: report.reason, why: 'unusable' };
}
