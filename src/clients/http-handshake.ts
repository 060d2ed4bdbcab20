/** The handshake with a server at an address. */
import type { Clock } from '../core/index.ts';
import { readUpTo } from '../platform/index.ts';
import { INITIALIZE, LIST_TOOLS, readTools, toMessage, type Handshake } from './handshake-result.ts';

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
} as const;

/** Many times the size of a list of tools; longer answers are not read to the end. */
const MOST_BYTES = 8 * 1024 * 1024;

interface AddressOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Those of the client's own entry. */
  readonly headers: Readonly<Record<string, string>>;
}

export async function httpHandshake(
  url: string,
  { clock, timeoutMs, headers: own }: AddressOptions,
): Promise<Handshake> {
  const base = { ...own, ...HEADERS };
  const startedAt = clock.elapsed();
  const signal = AbortSignal.timeout(timeoutMs);
  const post = (message: object, headers: Record<string, string>): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: { ...base, ...headers },
      body: JSON.stringify(message),
      redirect: 'error',
      signal,
    });
  try {
    const opened = await post(INITIALIZE, {});
    if (opened.status === 401) return whyRefused(own);
    if (!opened.ok)
      return { kind: 'failed', why: 'refused', detail: `it answers with status ${opened.status}` };
    const session = opened.headers.get('mcp-session-id');
    const held = session === null ? {} : { 'mcp-session-id': session };
    const hello = await messageIn(opened, signal);
    const list = await messageIn(await post(LIST_TOOLS, held), signal);
    const ms = Math.round(clock.elapsed() - startedAt);
    // Its answer is not read, and leads nowhere else.
    if (session !== null)
      await fetch(url, { method: 'DELETE', headers: { ...base, ...held }, redirect: 'manual', signal });
    if (hello === 'no message' || list === 'no message') {
      return { kind: 'failed', why: 'no MCP', detail: 'it answers something else than MCP' };
    }
    return readTools(hello, list, ms);
  } catch {
    return { kind: 'failed', why: 'unreachable', detail: 'nothing answers there' };
  }
}

function whyRefused(headers: AddressOptions['headers']): Handshake {
  const sent = Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1];
  if (sent === undefined) {
    return { kind: 'failed', why: 'no token', detail: 'it asks for a token, and none was sent' };
  }
  const name = /\$?\{[^}]*\}+/.exec(sent)?.[0];
  return name === undefined
    ? { kind: 'failed', why: 'wrong token', detail: 'it refuses the token that was sent' }
    : { kind: 'failed', why: 'not filled in', detail: `the client sends ${name} as it stands` };
}

/** Answers come as JSON or as a stream of events. */
async function messageIn(
  response: Response,
  signal: AbortSignal,
): Promise<Record<string, unknown> | 'no message'> {
  const text = await readUpTo(response, MOST_BYTES, signal);
  if (text === undefined) return 'no message';
  if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) return toMessage(text);
  const last = text.split('\n').findLast((line) => line.startsWith('data: {')) ?? '';
  return toMessage(last.slice('data: '.length));
}
