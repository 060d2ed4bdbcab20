/** One call of a tool as it is noted where it runs: in the server that has the page, or in another process that tells it. Pure. */
import type { SourceReport } from '../core/index.ts';
import type { EndedCall, StartedCall } from '../tools/index.ts';
import type { SourceValue } from './api.ts';

export interface CallNote {
  readonly at: number;
  readonly ms: number;
  readonly client: string;
  readonly transport: string;
  readonly tool: string;
  /** As it was given where that is little, else as JSON, as far as it is kept. */
  readonly args: unknown;
  readonly root: string | undefined;
  readonly text: string | undefined;
  /** Paths of the files that were shown; undefined for tools that show none. */
  readonly paths: readonly string[] | undefined;
  readonly isError: boolean;
}

/** One that has ended. */
export interface MadeCall {
  readonly started: StartedCall;
  readonly ended: EndedCall;
  readonly at: number;
  readonly ms: number;
}

const MOST_ARGS_CHARS = 20_000;
export const MOST_LITTLE_CHARS = 1_000;

/** Undefined where the client is asked something first: the call comes again. */
export function toCallNote({ started, ended, at, ms }: MadeCall): CallNote | undefined {
  const { answer, detection } = ended;
  if (answer === undefined) return undefined;
  const { tool, args, client, transport } = started;
  return {
    at,
    ms,
    client,
    transport,
    tool,
    args: isLittle(args) ? args : kept(JSON.stringify(args) ?? '', MOST_ARGS_CHARS),
    root: detection?.kind === 'found' ? detection.project.root : undefined,
    text: answer.text,
    paths: pathsIn(answer.structured),
    isError: answer.isError === true,
  };
}

/** A few short values: kept as they are, which costs the call nothing. */
function isLittle(args: unknown): boolean {
  if (typeof args !== 'object' || args === null) return args === undefined;
  let chars = 0;
  for (const name of Object.keys(args)) {
    const value: unknown = Reflect.get(args, name);
    if (typeof value === 'object' && value !== null) return false;
    chars += name.length + (typeof value === 'string' ? value.length : 8);
    if (chars > MOST_LITTLE_CHARS) return false;
  }
  return true;
}

/** A copy, not a piece: a piece keeps the whole text in memory. */
function kept(text: string, most: number): string {
  return text.length <= most ? text : Buffer.from(text.slice(0, most)).toString();
}

function pathsIn(structured: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  const { hits } = structured;
  if (!Array.isArray(hits)) return undefined;
  return hits.flatMap((hit: unknown) => {
    const path: unknown = typeof hit === 'object' && hit !== null ? Reflect.get(hit, 'path') : undefined;
    return typeof path === 'string' ? [path] : [];
  });
}

export function toSources(reports: readonly SourceReport[]): readonly SourceValue[] {
  const winner = reports.find((report) => report.kind !== 'nothing');
  return reports.map((report) => {
    const { source } = report;
    switch (report.kind) {
      case 'found': {
        const outcome = report === winner ? 'won' : 'lost';
        return { source, outcome, path: report.project.root, why: report.via };
      }
      case 'refused':
        return { source, outcome: 'refused', path: null, why: report.message };
      case 'nothing':
        return { source, outcome: 'nothing', path: null, why: report.reason };
    }
  });
}
