/** The last calls of all clients, in a ring that is bounded in number and in characters. Filled on the calls' own path: it only notes. */
import type { Clock, SourceReport } from '../core/index.ts';
import type { CallObserver, EndedCall, StartedCall } from '../tools/index.ts';
import { escapeControl, estimateCodeTokens } from '../text/index.ts';
import type { CallDetails, CallRow, ClientRow, SourceValue } from './api.ts';

export interface NotedCall {
  readonly id: number;
  readonly at: number;
  readonly ms: number;
  readonly client: string;
  readonly transport: string;
  readonly tool: string;
  readonly args: unknown;
  readonly root: string | undefined;
  readonly text: string | undefined;
  /** Paths of the files that were shown; undefined for tools that show none. */
  readonly paths: readonly string[] | undefined;
  readonly isError: boolean;
}

export interface CallLog {
  readonly observe: CallObserver;
  /** The oldest first; those behind this id. */
  after(id: number): readonly NotedCall[];
  find(id: number): NotedCall | undefined;
  lastOf(root: string): NotedCall | undefined;
  clients(): readonly ClientRow[];
  /** Calls and failures since the start, those included that had to make room. */
  counts(): { readonly calls: number; readonly errors: number };
}

const MOST_CALLS = 2_000;
const MOST_CHARS = 8_000_000;
const MOST_CLIENTS = 200;
const MOST_QUESTION_CHARS = 200;
const MOST_ARGS_CHARS = 20_000;

export function createCallLog(clock: Clock): CallLog {
  const calls: NotedCall[] = [];
  const clients = new Map<string, ClientRow & { reports: readonly SourceReport[] }>();
  let chars = 0;
  let lastId = 0;
  let errors = 0;

  const note = (started: StartedCall, ended: EndedCall, at: number, ms: number): void => {
    const { answer, detection } = ended;
    // The client is asked something first: the call comes again.
    if (answer === undefined) return;
    const root = detection?.kind === 'found' ? detection.project.root : undefined;
    const { tool, args, client, transport } = started;
    const isError = answer.isError === true;
    const { text } = answer;
    calls.push({
      id: ++lastId,
      at,
      ms,
      client,
      transport,
      tool,
      args,
      root,
      text,
      paths: pathsIn(answer.structured),
      isError,
    });
    chars += text.length;
    if (isError) errors++;
    while (calls.length > MOST_CALLS || (chars > MOST_CHARS && calls.length > 1))
      chars -= calls.shift()?.text?.length ?? 0;
    const key = `${client} ${transport}`;
    const known = clients.get(key);
    clients.delete(key);
    clients.set(key, {
      client,
      transport,
      firstAt: known?.firstAt ?? at,
      lastAt: at,
      calls: (known?.calls ?? 0) + 1,
      project: root ?? known?.project ?? null,
      sources: [],
      reports: detection?.reports ?? known?.reports ?? [],
    });
    const [oldest] = clients.keys();
    if (clients.size > MOST_CLIENTS && oldest !== undefined) clients.delete(oldest);
  };

  return {
    observe(started) {
      const [at, since] = [clock.now(), clock.elapsed()];
      return (ended) => note(started, ended, at, clock.elapsed() - since);
    },
    after: (id) => calls.slice(calls.length - Math.min(calls.length, Math.max(0, lastId - id))),
    find: (id) => calls.find((call) => call.id === id),
    lastOf: (root) => calls.findLast((call) => call.root === root),
    clients: () =>
      [...clients.values()]
        .toReversed()
        .map(({ reports, ...client }) => ({ ...client, sources: toSources(reports) })),
    counts: () => ({ calls: lastId, errors }),
  };
}

/** `fileTokens`: of the files that were shown, where that is known. */
export function toCallRow(call: NotedCall, fileTokens: number | undefined): CallRow {
  const { id, at, client, root, tool, ms, text, paths, isError } = call;
  return {
    id,
    at,
    client: escapeControl(client),
    project: root ?? null,
    tool,
    question: questionOf(call.args),
    ms: Math.round(ms * 10) / 10,
    tokens: estimateCodeTokens(text ?? ''),
    hits: paths?.length ?? null,
    fileTokens: fileTokens ?? null,
    isError,
  };
}

export function toCallDetails(call: NotedCall): CallDetails {
  const args = JSON.stringify(call.args, null, 2) ?? '';
  return {
    ...toCallRow(call, undefined),
    args: args.slice(0, MOST_ARGS_CHARS),
    text: call.text ?? null,
  };
}

/** What says most about a call in one line: its question, else all that it was given. */
function questionOf(args: unknown): string {
  const fields = new Map<string, unknown>(Object.entries(Object(args)));
  const said = ['query', 'symbol', 'error', 'summary', 'name', 'file', 'path', 'id', 'content']
    .map((name) => fields.get(name))
    .find((value) => typeof value === 'string' && value !== '');
  const rest = fields.size === 0 ? '' : JSON.stringify(Object.fromEntries(fields));
  const text = typeof said === 'string' ? said : rest;
  return text.slice(0, MOST_QUESTION_CHARS).replaceAll(/\s+/g, ' ');
}

function pathsIn(structured: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  const { hits } = structured;
  if (!Array.isArray(hits)) return undefined;
  return hits.flatMap((hit: unknown) => {
    const path: unknown = typeof hit === 'object' && hit !== null ? Reflect.get(hit, 'path') : undefined;
    return typeof path === 'string' ? [path] : [];
  });
}

function toSources(reports: readonly SourceReport[]): readonly SourceValue[] {
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
