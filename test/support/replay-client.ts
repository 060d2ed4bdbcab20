/** Plays a client of the zoo against Waymark over stdio, message by message: in this process, or the binary where it has to be one. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import type { ClientVariant, Place, RootsBehaviour } from '../fixtures/zoo-client.ts';
import type { CallAnswer } from './clients.ts';
import { beginCommand } from './in-process.ts';
import { tempFolder } from './temp-folder.ts';
import { BIN } from './waymark.ts';

export type Places = Readonly<Record<Place, string>>;

/** The made-up machine of the zoo, with everything that could mislead a guess. */
export function createPlaces(): Places {
  const folder = tempFolder({
    'home/.git/HEAD': 'ref: refs/heads/dotfiles\n',
    'home/package.json': '{}',
    'home/.codex/plugins/cache/waymark/.git/HEAD': 'ref: refs/heads/main\n',
    'home/.codex/plugins/cache/waymark/package.json': '{}',
    'home/plugins/waymark/.git/HEAD': 'ref: refs/heads/main\n',
    'home/.vscode/extensions/some.extension-1.0.0/package.json': '{}',
    'home/code/web shop/.git/HEAD': 'ref: refs/heads/main\n',
    'home/code/web shop/src/index.ts': '',
    'home/code/second/.git/HEAD': 'ref: refs/heads/main\n',
  });
  return {
    PROJECT: folder.join('home/code/web shop'),
    'PROJECT/src': folder.join('home/code/web shop/src'),
    SECOND: folder.join('home/code/second'),
    HOME: folder.join('home'),
    EXTENSION: folder.join('home/.vscode/extensions/some.extension-1.0.0'),
    PLUGIN: folder.join('home/plugins/waymark'),
    PLUGIN_CACHE: folder.join('home/.codex/plugins/cache/waymark'),
    '/': '/',
  };
}

/** Puts this machine's paths where the fixture has placeholders. */
export function fillIn<Value>(value: Value, places: Places): Value {
  const filled = JSON.stringify(value)
    .replaceAll('<PROJECT_URI>', pathToFileURL(places.PROJECT).href)
    .replaceAll(
      /<(PROJECT|SECOND|HOME|PLUGIN)>/g,
      (_all, name: 'PROJECT' | 'SECOND' | 'HOME' | 'PLUGIN') => places[name],
    );
  // The same shape as went in: only text within strings was replaced.
  return JSON.parse(filled) as Value;
}

export function rootUris(roots: RootsBehaviour, places: Places): readonly string[] {
  return roots.kind === 'answers' ? roots.places.map((place) => pathToFileURL(places[place]).href) : [];
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

export interface Replay {
  call(tool: string, args?: Readonly<Record<string, unknown>>): Promise<CallAnswer>;
  request(method: string, params?: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>;
  /** As SIGKILL, where it is a process of its own. */
  kill(): void;
  /** Everything printed beside the protocol so far. */
  stderr(): string;
  close(): Promise<void>;
}

export interface ReplayOptions {
  /** The command to play against, as a process of its own; `mcp` in this one if left out. */
  readonly command?: string;
}

export async function replayClient(
  variant: ClientVariant,
  places: Places,
  { command }: ReplayOptions = {},
): Promise<Replay> {
  const child = startPlayed(variant, places, command);
  onTestFinished(child.end);
  const waiting = new Map<number | string, (message: Message) => void>();
  const { ended } = child;
  let stderr = '';
  let nextId = 1;
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const send = (message: Readonly<Record<string, unknown>>): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

  createInterface({ input: child.stdout }).on('line', (line) => {
    // The server's own words; the test fails if they are not JSON.
    const message = JSON.parse(line) as Message;
    if (message.method === undefined) waiting.get(message.id ?? -1)?.(message);
    else if (message.id !== undefined) answer(message.id, message.method);
  });

  const answer = (id: number | string, method: string): void => {
    const { roots } = variant;
    if (method === 'roots/list' && roots.kind === 'silent') return;
    if (method === 'roots/list' && roots.kind === 'answers') send({ id, result: listRoots() });
    else if (method === 'ping') send({ id, result: {} });
    else send({ id, error: { code: roots.kind === 'error' ? roots.code : -32601, message: 'Not found' } });
  };
  const listRoots = () => ({ roots: rootUris(variant.roots, places).map((uri) => ({ uri })) });

  const request: Replay['request'] = async (method, params = {}) => {
    const id = nextId++;
    const answered = new Promise<Message>((resolve) => waiting.set(id, resolve));
    send({ id, method, params });
    const message = await Promise.race([answered, ended.then(() => undefined)]);
    if (message?.result !== undefined) return { ...message.result };
    throw new Error(`${method}: ${message?.error?.message ?? `the server ended:\n${stderr}`}`);
  };

  const open = await handshake(variant, request, send);
  const meta = { ...open.envelope, ...(open.sendsMeta ? fillIn(variant.meta ?? {}, places) : {}) };
  return {
    async call(tool, args = {}) {
      const params = {
        name: tool,
        arguments: args,
        ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
      };
      let result = await request('tools/call', params);
      if (result['resultType'] === 'input_required') {
        const { inputRequests = {}, requestState } = result;
        // An object by the protocol; a modern client answers under the names it was asked by.
        const asked = Object.keys(inputRequests as object);
        const inputResponses = Object.fromEntries(asked.map((key) => [key, listRoots()]));
        result = await request('tools/call', { ...params, inputResponses, requestState });
      }
      return toAnswer(result);
    },
    request,
    kill: child.kill,
    stderr: () => stderr,
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}

interface Played {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly ended: Promise<unknown>;
  kill(): void;
  end(): Promise<void> | void;
}

function startPlayed(variant: ClientVariant, places: Places, command: string | undefined): Played {
  const { args = [], throughShellIn } = variant.launch ?? {};
  if (command === undefined && throughShellIn === undefined) {
    const { stdin, out, err, ended, end } = beginCommand(['mcp', ...args], {
      cwd: places[variant.cwd],
      env: { WAYMARK_STRUCTURED: 'true', ...fillIn(variant.env, places) },
    });
    return { stdin, stdout: out, stderr: err, ended, kill: () => void end(), end };
  }
  const child = startChild(variant, places, command ?? 'mcp');
  const kill = (): void => void child.kill('SIGKILL');
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return { stdin: child.stdin, stdout: child.stdout, stderr: child.stderr, ended, kill, end: kill };
}

function startChild(variant: ClientVariant, places: Places, command: string): ChildProcessWithoutNullStreams {
  const { args = [], throughShellIn } = variant.launch ?? {};
  const line = [process.execPath, BIN, command, ...args];
  const how = {
    cwd: places[variant.cwd],
    env: { WAYMARK_STRUCTURED: 'true', ...fillIn(variant.env, places) },
  };
  if (throughShellIn === undefined) return spawn(process.execPath, line.slice(1), how);
  const quoted = line.map((word) => `'${word}'`).join(' ');
  return spawn('/bin/sh', ['-c', `cd '${places[throughShellIn]}' && exec ${quoted}`], how);
}

interface Opened {
  /** What goes into the metadata of every modern request. */
  readonly envelope: Readonly<Record<string, unknown>>;
  readonly sendsMeta: boolean;
}

async function handshake(
  variant: ClientVariant,
  request: Replay['request'],
  send: (message: Readonly<Record<string, unknown>>) => void,
): Promise<Opened> {
  const { roots, opens, metaNeeds } = variant;
  const declared =
    roots.kind === 'undeclared'
      ? {}
      : { roots: roots.listChanged === undefined ? {} : { listChanged: true } };
  const capabilities = { ...variant.capabilities, ...declared };
  const clientInfo = { name: variant.clientName, version: '1.0.0' };
  if (opens.kind === 'discover') {
    const envelope = {
      'io.modelcontextprotocol/protocolVersion': opens.protocol,
      'io.modelcontextprotocol/clientInfo': clientInfo,
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    };
    await request('server/discover', { _meta: envelope });
    return { envelope, sendsMeta: true };
  }
  const result = await request('initialize', { protocolVersion: opens.protocol, capabilities, clientInfo });
  if (result['protocolVersion'] !== opens.protocol)
    throw new Error(`the server answered ${opens.protocol} with ${String(result['protocolVersion'])}`);
  send({ method: 'notifications/initialized' });
  // Capabilities are an object of objects by the protocol.
  const { experimental = {} } = result['capabilities'] as { experimental?: Record<string, unknown> };
  return { envelope: {}, sendsMeta: metaNeeds === undefined || metaNeeds in experimental };
}

function toAnswer(result: Readonly<Record<string, unknown>>): CallAnswer {
  // Waymark's tools answer with one block of text and structured content.
  const [block] = result['content'] as readonly { readonly text: string }[];
  return {
    text: block?.text ?? '',
    isError: result['isError'] === true,
    // By the protocol an object.
    structured: (result['structuredContent'] ?? {}) as Record<string, unknown>,
  };
}
