/** The last calls of all clients, in a ring that is bounded in number and in characters. Filled on the calls' own path: it only notes. */
import type { Clock, SourceReport } from '../core/index.ts';
import type { CallObserver, EndedCall, StartedCall } from '../tools/index.ts';
import { escapeControl, estimateCodeTokens, redactSecrets } from '../text/index.ts';
import type { CallDetails, CallRow, ClientRow, SourceValue } from './api.ts';

export interface NotedCall {
  readonly id: number;
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

export interface CallLog extends CallObserver {
  /** The oldest first; those behind this id. */
  after(id: number): readonly NotedCall[];
  find(id: number): NotedCall | undefined;
  lastOf(root: string): NotedCall | undefined;
  clients(): readonly ClientRow[];
  /** Calls and failures since the start, those included that had to make room. */
  counts(): { readonly calls: number; readonly errors: number };
}

interface MetClient {
  readonly client: string;
  readonly transport: string;
  readonly firstAt: number;
  lastAt: number;
  listings: number;
  calls: number;
  project: string | null;
  reports: readonly SourceReport[];
}

const MOST_CALLS = 2_000;
const MOST_CHARS = 8_000_000;
const MOST_CLIENTS = 200;
const MOST_QUESTION_CHARS = 200;
const MOST_ARGS_CHARS = 20_000;
const MOST_LITTLE_CHARS = 1_000;

export function createCallLog(clock: Clock): CallLog {
  const calls: NotedCall[] = [];
  const clients = new Map<string, MetClient>();
  let chars = 0;
  let lastId = 0;
  let errors = 0;
  let latest: MetClient | undefined;

  /** The client that was heard of last is the last of the table, and the first is the one that makes room. */
  const meet = ({ client, transport }: Pick<StartedCall, 'client' | 'transport'>): MetClient => {
    const lastAt = clock.now();
    if (latest?.client === client && latest.transport === transport) {
      latest.lastAt = lastAt;
      return latest;
    }
    const key = `${client} ${transport}`;
    const fresh = { firstAt: lastAt, listings: 0, calls: 0, project: null, reports: [] };
    const met = clients.get(key) ?? { client, transport, lastAt, ...fresh };
    met.lastAt = lastAt;
    clients.delete(key);
    clients.set(key, met);
    const [oldest] = clients.keys();
    if (clients.size > MOST_CLIENTS && oldest !== undefined) clients.delete(oldest);
    return (latest = met);
  };

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
      args: isLittle(args) ? args : kept(JSON.stringify(args) ?? '', MOST_ARGS_CHARS),
      root,
      text,
      paths: pathsIn(answer.structured),
      isError,
    });
    chars += sizeOf(calls.at(-1));
    if (isError) errors++;
    while (calls.length > MOST_CALLS || (chars > MOST_CHARS && calls.length > 1))
      chars -= sizeOf(calls.shift());
    const met = meet(started);
    met.calls += 1;
    met.project = root ?? met.project;
    met.reports = detection?.reports ?? met.reports;
  };

  return {
    call(started) {
      const [at, since] = [clock.now(), clock.elapsed()];
      return (ended) => note(started, ended, at, clock.elapsed() - since);
    },
    listing(client) {
      meet(client).listings += 1;
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
    question: redactSecrets(questionOf(call.args)).text,
    ms: Math.round(ms * 10) / 10,
    tokens: estimateCodeTokens(text ?? ''),
    hits: paths?.length ?? null,
    fileTokens: fileTokens ?? null,
    isError,
  };
}

export function toCallDetails(call: NotedCall): CallDetails {
  return {
    ...toCallRow(call, undefined),
    args: redactSecrets(toArgsText(call.args)).text,
    text: call.text ?? null,
  };
}

function sizeOf(call: NotedCall | undefined): number {
  if (call === undefined) return 0;
  return (typeof call.args === 'string' ? call.args.length : MOST_LITTLE_CHARS) + (call.text?.length ?? 0);
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

function toArgsText(args: unknown): string {
  return typeof args === 'string' ? args : (JSON.stringify(args) ?? '');
}

/** A copy, not a piece: a piece keeps the whole text in memory. */
function kept(text: string, most: number): string {
  return text.length <= most ? text : Buffer.from(text.slice(0, most)).toString();
}

const TELLING = [
  'query',
  'symbol',
  'error',
  'summary',
  'fact',
  'name',
  'file',
  'files',
  'path',
  'id',
  'content',
];
/** Which project is meant stands in a column of its own. */
const TOLD_ELSEWHERE = 'project';

/** What says most about a call in one line: its question, else all that it was given. */
function questionOf(args: unknown): string {
  const given: object = typeof args === 'string' ? parsed(args) : Object(args);
  const said = TELLING.map((name) => toWords(Reflect.get(given, name))).find((words) => words !== '');
  const isBare = Object.keys(given).every((name) => name === TOLD_ELSEWHERE);
  const text = said ?? (isBare ? '' : toArgsText(args));
  return text.slice(0, MOST_QUESTION_CHARS).replaceAll(/\s+/g, ' ');
}

function toWords(value: unknown): string {
  if (Array.isArray(value)) return value.filter((each) => typeof each === 'string').join(', ');
  return typeof value === 'string' ? value : '';
}

/** What was cut is no JSON any more: then its beginning says what it can. */
function parsed(text: string): object {
  try {
    return Object(JSON.parse(text));
  } catch {
    return { content: text };
  }
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
