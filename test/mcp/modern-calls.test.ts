/** The short way of a modern tools/call, held against the SDK's own handler: same answers, same refusals. */
import {
  ProtocolError,
  Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LOCAL_PRINCIPAL } from '../../src/core/index.ts';
import { createHttpEdge, type HttpEdge } from '../../src/mcp/index.ts';
import { createLogger } from '../../src/text/index.ts';
import { systemClock } from '../../src/platform/index.ts';
import type { Exchange, Reply } from '../../src/transport/index.ts';

const VERSION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
};
const HEADERS: Readonly<Record<string, string>> = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
  'mcp-protocol-version': VERSION,
  'mcp-method': 'tools/call',
  'mcp-name': 'echo',
};
const PARAMS = { name: 'echo', arguments: { text: 'hi' }, _meta: META };
const CALL = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: PARAMS };

type Way = 'short' | 'long';
type Handler = (name: string, args: unknown, context: ServerContext) => Promise<string>;

const sayBack: Handler = async (name, args) => {
  if (name === 'crash') throw new Error('boom');
  if (name === 'unknown') throw new ProtocolError(-32602, 'unknown tool: unknown');
  return JSON.stringify({ name, args });
};

/** A server that does not list the revision is left to the SDK's handler, which is what makes it the long way. */
function openEdge(way: Way, handle: Handler = sayBack): HttpEdge {
  const versions = { supportedProtocolVersions: [...SUPPORTED_PROTOCOL_VERSIONS, VERSION] };
  const edge = createHttpEdge({
    factory() {
      const server = new Server(
        { name: 'test', version: '1' },
        { capabilities: { tools: {} }, ...(way === 'short' ? versions : {}) },
      );
      server.setRequestHandler('tools/call', async ({ params }, context) => ({
        content: [{ type: 'text', text: await handle(params.name, params.arguments, context) }],
      }));
      return server;
    },
    logger: createLogger({ level: 'error', format: 'text', clock: systemClock, write: () => {} }),
    clock: systemClock,
    newId: () => 'id',
    legacySse: true,
    stateless: false,
    lenient: false,
    maxSessions: 10,
    newReference: () => 'ref-1',
    checkQuery: () => ({ kind: 'nothing', source: 'query_param', reason: 'none' }),
    sessionIdleMs: 60_000,
  });
  onTestFinished(() => edge.close());
  return edge;
}

/** Its calls never end by themselves; `started` is the signal of the first one. */
function openStuckEdge(way: Way): { readonly edge: HttpEdge; readonly started: Promise<AbortSignal> } {
  let start = (_signal: AbortSignal): void => {};
  const started = new Promise<AbortSignal>((resolve) => (start = resolve));
  const edge = openEdge(way, (_name, _args, { mcpReq }) => {
    start(mcpReq.signal);
    return new Promise(() => {});
  });
  return { edge, started };
}

interface Given {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

async function post(edge: HttpEdge, { headers, body = CALL, signal }: Given = {}): Promise<Reply> {
  const sent = new Map(Object.entries({ ...HEADERS, ...headers }));
  const exchange: Exchange = {
    method: 'POST',
    path: '/mcp',
    query: new URLSearchParams(),
    url: '/mcp',
    header: (name) => sent.get(name),
    readBytes: async () => ({ kind: 'gone' }),
    readBody: async () => ({ kind: 'json', value: structuredClone(body) }),
    signal: signal ?? new AbortController().signal,
    note: {},
    principal: LOCAL_PRINCIPAL,
    clientKey: 'local',
    projectPath: undefined,
  };
  const reply = await edge.handle(exchange);
  if (reply === undefined) throw new Error('the edge does not know its own path');
  return reply;
}

async function answerOf(reply: Reply) {
  const type = new Headers(reply.headers).get('content-type');
  const text = reply.kind === 'whole' ? (reply.body ?? '') : await readStream(reply);
  return { status: reply.status, type, message: type === 'application/json' ? JSON.parse(text) : text };
}

function readStream(reply: Extract<Reply, { kind: 'stream' }>): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    reply.start({ write: (more) => (text += more), end: () => resolve(text) });
  });
}

const withMeta = (meta: Readonly<Record<string, unknown>>): Given => ({
  body: { ...CALL, params: { ...PARAMS, _meta: meta } },
});
const withParams = (params: Readonly<Record<string, unknown>>): Given => ({
  body: { ...CALL, params: { ...PARAMS, ...params } },
});

const ROWS: readonly (readonly [string, Given, number, number | undefined])[] = [
  ['a plain call', {}, 200, undefined],
  ['a call with a text id', { body: { ...CALL, id: 'seven' } }, 200, undefined],
  ['a call without arguments', withParams({ arguments: undefined }), 200, undefined],
  [
    'a call that crashes',
    { ...withParams({ name: 'crash' }), headers: { 'mcp-name': 'crash' } },
    500,
    -32603,
  ],
  ['a name in the coded form', { headers: { 'mcp-name': '=?base64?ZWNobw==?=' } }, 200, undefined],
  ['a name with spaces around it', { headers: { 'mcp-name': ' echo ' } }, 200, undefined],
  ['JSON only', { headers: { accept: 'application/json' } }, 200, undefined],
  ['events only', { headers: { accept: 'text/event-stream' } }, 200, undefined],
  ['F08 not JSON-RPC', { body: { ...CALL, jsonrpc: '1.0' } }, 400, -32600],
  ['F08 a strange key', { body: { ...CALL, extra: 1 } }, 400, -32600],
  ['F08 an id that is no integer', { body: { ...CALL, id: 1.5 } }, 400, -32600],
  [
    'F10 an unknown version in both places',
    {
      headers: { 'mcp-protocol-version': '2027-01-01' },
      ...withMeta({ ...META, 'io.modelcontextprotocol/protocolVersion': '2027-01-01' }),
    },
    400,
    -32022,
  ],
  ['F11 no version header', { headers: { 'mcp-protocol-version': undefined } }, 400, -32020],
  ['F12 another version header', { headers: { 'mcp-protocol-version': '2025-11-25' } }, 400, -32020],
  ['F12 no method header', { headers: { 'mcp-method': undefined } }, 400, -32020],
  ['F12 another method header', { headers: { 'mcp-method': 'tools/list' } }, 400, -32020],
  ['F12 no name header', { headers: { 'mcp-name': undefined } }, 400, -32020],
  ['F12 another name header', { headers: { 'mcp-name': 'other' } }, 400, -32020],
  ['F12 a name header in broken code', { headers: { 'mcp-name': '=?base64?*?=' } }, 400, -32020],
  [
    'F12 a name that looks like code',
    { headers: { 'mcp-name': '=?base64?ZWNobw==?=' }, ...withParams({ name: '=?base64?ZWNobw==?=' }) },
    400,
    -32020,
  ],
  [
    'F19 another method',
    { headers: { 'mcp-method': 'no/such' }, body: { ...CALL, method: 'no/such' } },
    404,
    -32601,
  ],
  [
    'F20 an unknown tool',
    { ...withParams({ name: 'unknown' }), headers: { 'mcp-name': 'unknown' } },
    200,
    -32602,
  ],
  ['F26 a name that is no text', withParams({ name: 5 }), 400, -32602],
  ['F26 arguments that are no object', withParams({ arguments: [] }), 400, -32602],
  ['F28 no capabilities', withMeta({ 'io.modelcontextprotocol/protocolVersion': VERSION }), 400, -32602],
  [
    'F28 capabilities that are no object',
    withMeta({ ...META, 'io.modelcontextprotocol/clientCapabilities': 5 }),
    400,
    -32602,
  ],
  [
    'F28 no version in the envelope',
    withMeta({ 'io.modelcontextprotocol/clientCapabilities': {} }),
    400,
    -32602,
  ],
  ['F28 no envelope', withParams({ _meta: undefined }), 400, -32602],
];

describe('a modern tools/call is answered as by the SDK’s own handler', () => {
  test.each(ROWS)('%s', async (_label, given, status, code) => {
    const short = await answerOf(await post(openEdge('short'), given));
    const long = await answerOf(await post(openEdge('long'), given));

    expect(short).toEqual(long);
    expect(short.status).toBe(status);
    expect(short.message.error?.code).toBe(code);
  });

  test('F27 a notification is taken without a body', async () => {
    const body = { jsonrpc: '2.0', method: 'tools/call', params: PARAMS };
    const [short, long] = await Promise.all([
      post(openEdge('short'), { body }),
      post(openEdge('long'), { body }),
    ]);

    expect(short).toEqual(long);
    expect(short.status).toBe(202);
  });
});

describe.each(['short', 'long'] as const)('on the %s way', (way) => {
  test('progress before the answer makes it a stream', async () => {
    const edge = openEdge(way, async (_name, _args, { mcpReq }) => {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } });
      return 'done';
    });

    const { type, message } = await answerOf(await post(edge, withMeta({ ...META, progressToken: 'p' })));

    expect(type).toBe('text/event-stream');
    expect(message).toMatch(/notifications\/progress[^]*"text":"done"/);
  });

  test('a client that goes away cancels its call', async () => {
    const { edge, started } = openStuckEdge(way);
    const client = new AbortController();
    const reply = post(edge, { signal: client.signal });
    const signal = await started;

    client.abort();

    // It is never read; what counts is that nothing is left waiting.
    expect((await reply).status).toBe(503);
    expect(signal.aborted).toBe(true);
  });

  test('closing cancels what runs', async () => {
    const { edge, started } = openStuckEdge(way);
    const reply = post(edge);
    const signal = await started;

    await edge.close();

    expect(await reply).toMatchObject({
      status: 503,
      body: expect.stringContaining('The server is stopping'),
    });
    expect(signal.aborted).toBe(true);
  });
});
