/** What kind of POST is this? Decided from headers and body alone. Pure. */
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
import type { RequestId } from './reply.ts';

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
