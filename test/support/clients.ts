/** Real clients of the official SDKs over every transport, behind one face. */
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as SseV1 } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import { beginCommand, type RunningCommand } from './in-process.ts';
import type { OnEnd } from './temp-folder.ts';
import { placeOf } from './waymark.ts';

export const CLIENT_KINDS = [
  'stdio, version 1',
  'stdio, version 2, modern',
  'HTTP, version 1',
  'HTTP, version 2, legacy',
  'HTTP, version 2, modern',
  'HTTP+SSE, version 1',
] as const;
export type ClientKind = (typeof CLIENT_KINDS)[number];

export function isStdio(kind: ClientKind): boolean {
  return kind.startsWith('stdio');
}

/** Whether the connection remembers anything between two calls. */
export function keepsState(kind: ClientKind): boolean {
  return !kind.endsWith('modern');
}

/** The address of a server for clients of this kind, by what `serve` prints. */
export function addressFor(kind: ClientKind, url: string): string {
  return kind.startsWith('HTTP+SSE') ? url.replace(/mcp$/, 'sse') : url;
}

/** What the client says when it is asked for its roots: URIs, or anything else that stands in the place of a root. */
export type Roots = 'undeclared' | (() => readonly unknown[] | Promise<readonly unknown[]>);

export interface OpenOptions {
  readonly kind: ClientKind;
  /** The server's address, for the HTTP kinds; a query belongs to it. */
  readonly url?: string;
  /** How to start the server, for the stdio kinds. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** A program with Waymark's command line, to be started as a process of its own: the binary, or another. */
  readonly program?: string;
  readonly roots?: Roots;
  readonly listChanged?: boolean;
  readonly name?: string;
  /** `false` takes what a client gets by default: text alone. Most tests read the structured form, which says the same. */
  readonly structured?: boolean;
  readonly onEnd?: OnEnd;
}

export interface CallAnswer {
  readonly text: string;
  readonly isError: boolean;
  readonly structured: Readonly<Record<string, unknown>>;
}

export interface LongOptions {
  readonly onprogress?: (step: { readonly progress: number; readonly total?: number | undefined }) => void;
  readonly signal?: AbortSignal;
}

export interface OpenClient {
  call(tool: string, args?: Record<string, unknown>, meta?: Record<string, unknown>): Promise<CallAnswer>;
  /** The same with what long calls have: progress and cancelling. */
  callLong(tool: string, args: Record<string, unknown>, options: LongOptions): Promise<CallAnswer>;
  rootsChanged(): Promise<void>;
  /** The SDK's client itself, for what this face does not show. */
  readonly raw: ClientV1 | ClientV2;
  close(): Promise<void>;
}

export async function openClient(options: OpenOptions): Promise<OpenClient> {
  const client = options.kind.includes('version 1') ? await openV1(options) : await openV2(options);
  const { onEnd = onTestFinished } = options;
  onEnd(() => client.close().catch(() => {}));
  return {
    async call(tool, args = {}, meta) {
      const params = { name: tool, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) };
      return toAnswer(await client.callTool(params));
    },
    async callLong(tool, args, options) {
      const params = { name: tool, arguments: args };
      return toAnswer(
        await (client instanceof ClientV1
          ? client.callTool(params, undefined, options)
          : client.callTool(params, options)),
      );
    },
    rootsChanged: () => client.sendRootsListChanged(),
    raw: client,
    close: () => client.close(),
  };
}

function toAnswer(result: Readonly<Record<string, unknown>>): CallAnswer {
  // Both SDKs describe content as a union; these tools answer with one block of text.
  const [block] = result['content'] as readonly { readonly text?: string }[];
  return {
    text: block?.text ?? '',
    isError: result['isError'] === true,
    // Structured content is an object by the protocol.
    structured: (result['structuredContent'] ?? {}) as Record<string, unknown>,
  };
}

function capabilities({ roots = 'undeclared', listChanged }: OpenOptions) {
  if (roots === 'undeclared') return {};
  return { roots: listChanged === undefined ? {} : { listChanged } };
}

async function listRoots({ roots = 'undeclared' }: OpenOptions) {
  const uris = roots === 'undeclared' ? [] : await roots();
  // What is no text stands for a whole root, as a client with a fault would send it; the SDKs check nothing here.
  return { roots: uris.map((uri) => (typeof uri === 'string' ? { uri } : uri)) as { uri: string }[] };
}

/** `waymark mcp` in this process, unless a program is given. */
function openPipe<Target>(
  { cwd, env, args = [], program, structured = true, onEnd }: OpenOptions,
  Started: new (target: {
    command: string;
    args: string[];
    cwd: string;
    env: Record<string, string>;
    stderr: 'ignore';
  }) => Target,
): Target | ReturnType<typeof connectPipe> {
  const place = placeOf({
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...(structured ? { WAYMARK_STRUCTURED: 'true' } : {}), ...env },
    ...(onEnd === undefined ? {} : { onEnd }),
  });
  if (program === undefined) {
    const running = beginCommand(['mcp', ...args], place);
    (onEnd ?? onTestFinished)(running.end);
    return connectPipe(running);
  }
  return new Started({
    command: process.execPath,
    args: [program, 'mcp', ...args],
    cwd: place.cwd,
    env: place.env,
    stderr: 'ignore',
  });
}

/** What the SDKs' own transports do with a process, with a command that runs here. */
function connectPipe({ stdin, out, ended }: RunningCommand) {
  const buffer = new ReadBuffer();
  const transport: Transport = {
    async start() {
      out.on('data', (chunk: Buffer) => {
        buffer.append(chunk);
        for (let message = buffer.readMessage(); message !== null; message = buffer.readMessage())
          transport.onmessage?.(message);
      });
      void ended.then(() => transport.onclose?.());
    },
    async send(message) {
      stdin.write(serializeMessage(message));
    },
    async close() {
      stdin.end();
      await ended;
    },
  };
  return transport;
}

function httpTarget({ url, structured = true }: OpenOptions): URL {
  if (url === undefined) throw new Error('an HTTP client needs the url of a server');
  // Appended as text: URLSearchParams would write a path's %20 as +.
  return new URL(structured ? `${url}${url.includes('?') ? '&' : '?'}structured=true` : url);
}

async function openV1(options: OpenOptions): Promise<ClientV1> {
  const client = new ClientV1(
    { name: options.name ?? 'test', version: '1' },
    { capabilities: capabilities(options) },
  );
  if (options.roots !== undefined && options.roots !== 'undeclared') {
    client.setRequestHandler(ListRootsRequestSchema, () => listRoots(options));
  }
  if (isStdio(options.kind)) await client.connect(openPipe(options, StdioV1));
  else if (options.kind.startsWith('HTTP+SSE')) await client.connect(new SseV1(httpTarget(options)));
  else await client.connect(new HttpV1(httpTarget(options)));
  return client;
}

async function openV2(options: OpenOptions): Promise<ClientV2> {
  const mode = options.kind.endsWith('modern') ? ({ pin: '2026-07-28' } as const) : ('legacy' as const);
  const client = new ClientV2(
    { name: options.name ?? 'test', version: '1' },
    { capabilities: capabilities(options), versionNegotiation: { mode } },
  );
  if (options.roots !== undefined && options.roots !== 'undeclared') {
    client.setRequestHandler('roots/list', () => listRoots(options));
  }
  const transport = isStdio(options.kind) ? openPipe(options, StdioV2) : new HttpV2(httpTarget(options));
  await client.connect(transport);
  return client;
}
