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
  /** As JSON, as far as it is kept. */
  readonly args: string;
  readonly question: string;
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

type MetClient = Omit<ClientRow, 'sources'> & { readonly reports: readonly SourceReport[] };

const NEW_CLIENT = { lastAt: 0, listings: 0, calls: 0, project: null, reports: [] } as const;

const MOST_CALLS = 2_000;
const MOST_CHARS = 8_000_000;
const MOST_CLIENTS = 200;
const MOST_QUESTION_CHARS = 200;
const MOST_ARGS_CHARS = 20_000;

export function createCallLog(clock: Clock): CallLog {
  const calls: NotedCall[] = [];
  const clients = new Map<string, MetClient>();
  let chars = 0;
  let lastId = 0;
  let errors = 0;

  /** The client that was heard of last is the last of the table, and the first is the one that makes room. */
  const meet = (
    { client, transport }: Pick<StartedCall, 'client' | 'transport'>,
    change: (known: MetClient) => Partial<MetClient>,
  ): void => {
    const key = `${client} ${transport}`;
    const lastAt = clock.now();
    const known = clients.get(key) ?? { ...NEW_CLIENT, client, transport, firstAt: lastAt };
    clients.delete(key);
    clients.set(key, { ...known, lastAt, ...change(known) });
    const [oldest] = clients.keys();
    if (clients.size > MOST_CLIENTS && oldest !== undefined) clients.delete(oldest);
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
      args: kept(JSON.stringify(args) ?? '', MOST_ARGS_CHARS),
      question: kept(questionOf(args), MOST_QUESTION_CHARS),
      root,
      text,
      paths: pathsIn(answer.structured),
      isError,
    });
    chars += sizeOf(calls.at(-1));
    if (isError) errors++;
    while (calls.length > MOST_CALLS || (chars > MOST_CHARS && calls.length > 1))
      chars -= sizeOf(calls.shift());
    meet(started, (known) => ({
      calls: known.calls + 1,
      project: root ?? known.project,
      reports: detection?.reports ?? known.reports,
    }));
  };

  return {
    call(started) {
      const [at, since] = [clock.now(), clock.elapsed()];
      return (ended) => note(started, ended, at, clock.elapsed() - since);
    },
    listing: (client) => meet(client, (known) => ({ listings: known.listings + 1 })),
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
    question: redactSecrets(call.question).text,
    ms: Math.round(ms * 10) / 10,
    tokens: estimateCodeTokens(text ?? ''),
    hits: paths?.length ?? null,
    fileTokens: fileTokens ?? null,
    isError,
  };
}

export function toCallDetails(call: NotedCall): CallDetails {
  return { ...toCallRow(call, undefined), args: redactSecrets(call.args).text, text: call.text ?? null };
}

function sizeOf(call: NotedCall | undefined): number {
  return call === undefined ? 0 : call.args.length + (call.text?.length ?? 0);
}

/** A copy, not a piece: a piece keeps the whole text in memory. */
function kept(text: string, most: number): string {
  return text.length <= most ? text : Buffer.from(text.slice(0, most)).toString();
}

/** What says most about a call in one line: its question, else all that it was given. */
function questionOf(args: unknown): string {
  const fields = new Map<string, unknown>(Object.entries(Object(args)));
  const said = ['query', 'symbol', 'error', 'summary', 'name', 'file', 'path', 'id', 'content']
    .map((name) => fields.get(name))
    .find((value) => typeof value === 'string' && value !== '');
  const text = typeof said === 'string' ? said : fields.size === 0 ? '' : JSON.stringify(args);
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
