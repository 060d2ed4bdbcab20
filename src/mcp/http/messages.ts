/** Reads what a client posted: which era it speaks, what it accepts, its messages and their ids. Pure. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
  type JSONRPCMessage,
} from '@modelcontextprotocol/server';
import type { Exchange, RequestId } from '../../transport/index.ts';

/** The keys of the per-request envelope: any of them makes a request a modern one. Legacy revisions have others beside it. */
const ENVELOPE: ReadonlySet<string> = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
]);
const MODERN_SINCE = '2026-';
/** The modern revisions that are really served. The SDK lists the legacy ones only. */
export const MODERN_VERSIONS: readonly string[] = ['2026-07-28'];

export type Classified =
  | { readonly kind: 'modern' }
  | { readonly kind: 'initialize'; readonly messages: readonly JSONRPCMessage[] }
  | { readonly kind: 'legacy'; readonly messages: readonly JSONRPCMessage[]; readonly batch: boolean }
  | { readonly kind: 'not_json_rpc'; readonly era: 'legacy' | 'modern' };

export interface PostFacts {
  readonly body: unknown;
  readonly versionHeader: string | undefined;
  /** The request names a session, be it over or not: its client is a legacy one, whatever its version header says. */
  readonly inSession: boolean;
}

export function classifyPost({ body, versionHeader, inSession }: PostFacts): Classified {
  // The SDK would answer to the id as it was read, which is not the one that was sent.
  if (hasEnvelope(body))
    return hasLostId(body) ? { kind: 'not_json_rpc', era: 'modern' } : { kind: 'modern' };
  const modernHeader = isModernVersion(versionHeader);
  const messages = parseMessages(body);
  if (messages === undefined)
    return { kind: 'not_json_rpc', era: modernHeader && !inSession ? 'modern' : 'legacy' };
  // Claude Code has sent initialize with a modern version header; the handshake itself is what counts.
  if (isInitialize(body)) return { kind: 'initialize', messages };
  // Claude Code 2.1.245 sends a modern version header without the envelope inside a legacy session.
  if (modernHeader && !inSession) return { kind: 'modern' };
  return { kind: 'legacy', messages, batch: Array.isArray(body) };
}

/** Whether it names a revision of the modern era, one of the future included: how its sender wants to be answered. */
export function isModernVersion(version: string | undefined): boolean {
  return (
    version !== undefined &&
    /^\d{4}-\d\d-\d\d$/.test(version) &&
    version >= MODERN_SINCE &&
    !isLegacyVersion(version)
  );
}

export function isLegacyVersion(version: string): boolean {
  return SUPPORTED_PROTOCOL_VERSIONS.includes(version) && version < MODERN_SINCE;
}

export function legacyVersions(): readonly string[] {
  return SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version < MODERN_SINCE);
}

/** The id to answer with, whatever else is wrong with the message. */
export function readableId(body: unknown): RequestId | undefined {
  const id = isRecord(body) ? body['id'] : undefined;
  return typeof id === 'string' || (typeof id === 'number' && isExact(id)) ? id : undefined;
}

/** A number beyond 2^53 has lost digits when it was read: an answer would carry another id than the question. */
export function isExact(id: number): boolean {
  return Number.isFinite(id) && Math.abs(id) <= Number.MAX_SAFE_INTEGER;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether the id of this message is a number that could not be read exactly. */
export function hasLostId(body: unknown): boolean {
  const id = isRecord(body) ? body['id'] : undefined;
  return typeof id === 'number' && !isExact(id);
}

function hasEnvelope(body: unknown): boolean {
  return Object.keys(metaOf(body)).some((key) => ENVELOPE.has(key));
}

/** What a message says about itself; empty if it says nothing. */
export function metaOf(body: unknown): Readonly<Record<string, unknown>> {
  const params = isRecord(body) ? body['params'] : undefined;
  const meta = isRecord(params) ? params['_meta'] : undefined;
  return isRecord(meta) ? meta : {};
}

export function isInitialize(body: unknown): boolean {
  return isRecord(body) && body['method'] === 'initialize' && 'id' in body;
}

/** The messages of a body, one or a batch; undefined if any of them is not JSON-RPC. */
export function parseMessages(body: unknown): readonly JSONRPCMessage[] | undefined {
  const items: readonly unknown[] = Array.isArray(body) ? body : [body];
  return items.length > 0 && items.every(isMessage) ? items : undefined;
}

/** Whether the SDK will take it for a message. Its word counts; it costs more than the look below, and runs after it. */
export function isWireMessage(message: JSONRPCMessage): boolean {
  return (
    isJSONRPCRequest(message) ||
    isJSONRPCNotification(message) ||
    isJSONRPCResultResponse(message) ||
    isJSONRPCErrorResponse(message)
  );
}

/** By hand rather than by schema: this runs for every message, and the SDK parses what it dispatches anyway. */
function isMessage(item: unknown): item is JSONRPCMessage {
  if (!isRecord(item) || item['jsonrpc'] !== '2.0') return false;
  const { id, method, params } = item;
  if (id !== undefined && typeof id !== 'string' && !(typeof id === 'number' && isExact(id))) return false;
  if (method === undefined) return id !== undefined && ('result' in item || isRecord(item['error']));
  return typeof method === 'string' && (params === undefined || isRecord(params));
}

export interface Accepted {
  readonly json: boolean;
  readonly stream: boolean;
  /** Whether there was such a header at all. */
  readonly said: boolean;
}

/** Of the Accept header. The most specific range that fits a type decides, and q=0 refuses it. */
export function parseAccept(header: string | undefined): Accepted {
  if (header === undefined) return { json: false, stream: false, said: false };
  const ranges = header.split(',').map(parseRange);
  return {
    json: accepts(ranges, ['application/json', 'application/*', '*/*']),
    stream: accepts(ranges, ['text/event-stream', 'text/*', '*/*']),
    said: true,
  };
}

interface Range {
  readonly name: string;
  readonly wanted: boolean;
}

function parseRange(part: string): Range {
  const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
  return { name, wanted: !parameters.some((parameter) => /^q\s*=\s*0(\.0*)?$/.test(parameter)) };
}

/** `names` go from the closest to the widest. */
function accepts(ranges: readonly Range[], names: readonly string[]): boolean {
  for (const name of names) {
    const closest = ranges.filter((range) => range.name === name);
    if (closest.length > 0) return closest.some(({ wanted }) => wanted);
  }
  return false;
}

/** A tools/call whose params are null, text or a list gets empty ones, and so the answer of one whose params do not fit. */
export function withParams(body: unknown): unknown {
  if (Array.isArray(body)) return body.some(lacksParams) ? body.map(fill) : body;
  return fill(body);
}

function fill(message: unknown): unknown {
  return lacksParams(message) ? { ...message, params: {} } : message;
}

function lacksParams(message: unknown): message is Record<string, unknown> {
  return (
    isRecord(message) &&
    message['method'] === 'tools/call' &&
    readableId(message) !== undefined &&
    'params' in message &&
    !isRecord(message['params'])
  );
}

/** For the access line. */
const MAX_NOTED_NAME = 128;

export function noteMessage(exchange: Exchange, body: unknown): void {
  const id = readableId(body);
  if (id !== undefined) exchange.note.id = id;
  if (Array.isArray(body)) exchange.note.rpcMethod = 'batch';
  if (!isRecord(body) || typeof body['method'] !== 'string') return;
  exchange.note.rpcMethod = body['method'].slice(0, MAX_NOTED_NAME);
  const params = body['params'];
  // Sessions know their client from the handshake; other clients name themselves with each request.
  const client = body['method'] === 'initialize' && isRecord(params) ? params['clientInfo'] : undefined;
  noteClient(exchange, client ?? metaOf(body)[CLIENT_INFO_META_KEY]);
  if (body['method'] === 'tools/call' && isRecord(params) && typeof params['name'] === 'string')
    exchange.note.tool = params['name'].slice(0, MAX_NOTED_NAME);
}

const MAX_CLIENT_NAME = 64;

/** Keeps a client's name for the access line, from whatever it says it is. */
export function noteClient({ note }: Exchange, client: unknown): void {
  if (typeof client !== 'object' || client === null || !('name' in client)) return;
  if (typeof client.name === 'string') note.client = client.name.slice(0, MAX_CLIENT_NAME);
}
