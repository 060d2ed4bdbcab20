/** The last calls of all clients, in a ring that is bounded in number and in characters. Filled on the calls' own path: it only notes. */
import type { Clock, SourceReport } from '../core/index.ts';
import type { CallObserver } from '../tools/index.ts';
import { escapeControl, estimateCodeTokens, redactSecrets } from '../text/index.ts';
import type { CallDetails, CallRow, ClientRow, SourceValue } from './api.ts';
import { MOST_LITTLE_CHARS, toCallNote, toSources, type CallNote } from './call-note.ts';

export interface NotedCall extends CallNote {
  readonly id: number;
}

/** Of another process, with what every source said of its project; undefined where nothing was looked for. */
export interface ToldCall extends CallNote {
  readonly sources: readonly SourceValue[] | undefined;
}

export interface CallLog extends CallObserver {
  /** Calls that ran in another process of this user. */
  told(calls: readonly ToldCall[]): void;
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
  sources: () => readonly SourceValue[];
}

const MOST_CALLS = 2_000;
const MOST_CHARS = 8_000_000;
const MOST_CLIENTS = 200;
const MOST_QUESTION_CHARS = 200;

export function createCallLog(clock: Clock): CallLog {
  const calls: NotedCall[] = [];
  const clients = new Map<string, MetClient>();
  let chars = 0;
  let lastId = 0;
  let errors = 0;
  let latest: MetClient | undefined;

  /** The client that was heard of last is the last of the table, and the first is the one that makes room. */
  const meet = ({ client, transport }: Pick<CallNote, 'client' | 'transport'>): MetClient => {
    const lastAt = clock.now();
    if (latest?.client === client && latest.transport === transport) {
      latest.lastAt = lastAt;
      return latest;
    }
    const key = `${client} ${transport}`;
    const fresh = { firstAt: lastAt, listings: 0, calls: 0, project: null, sources: () => [] };
    const met = clients.get(key) ?? { client, transport, lastAt, ...fresh };
    met.lastAt = lastAt;
    clients.delete(key);
    clients.set(key, met);
    const [oldest] = clients.keys();
    if (clients.size > MOST_CLIENTS && oldest !== undefined) clients.delete(oldest);
    return (latest = met);
  };

  const note = (call: CallNote, sources: MetClient['sources'] | undefined): void => {
    calls.push({ ...call, id: ++lastId });
    chars += sizeOf(calls.at(-1));
    if (call.isError) errors++;
    while (calls.length > MOST_CALLS || (chars > MOST_CHARS && calls.length > 1))
      chars -= sizeOf(calls.shift());
    const met = meet(call);
    met.calls += 1;
    met.project = call.root ?? met.project;
    met.sources = sources ?? met.sources;
  };

  return {
    call(started) {
      const [at, since] = [clock.now(), clock.elapsed()];
      return (ended) => {
        const call = toCallNote({ started, ended, at, ms: clock.elapsed() - since });
        const reports = ended.detection?.reports;
        if (call !== undefined) note(call, reports && later(reports));
      };
    },
    told(some) {
      for (const { sources, ...call } of some) note(call, sources && (() => sources));
    },
    listing(client) {
      meet(client).listings += 1;
    },
    after: (id) => calls.slice(calls.length - Math.min(calls.length, Math.max(0, lastId - id))),
    find: (id) => calls.find((call) => call.id === id),
    lastOf: (root) => calls.findLast((call) => call.root === root),
    clients: () =>
      [...clients.values()].toReversed().map(({ sources, ...client }) => ({ ...client, sources: sources() })),
    counts: () => ({ calls: lastId, errors }),
  };
}

/** Worded when the page asks. Holds on to nothing else of the call. */
function later(reports: readonly SourceReport[]): MetClient['sources'] {
  return () => toSources(reports);
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

function toArgsText(args: unknown): string {
  return typeof args === 'string' ? args : (JSON.stringify(args) ?? '');
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
