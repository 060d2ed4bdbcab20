/** A client of a real `waymark mcp` that says what it likes, the name of the client included; for campaigns, without a test around it. */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface SessionPlace {
  readonly folder: string;
  readonly home: string;
  readonly program: string;
}

export interface SessionAnswer {
  readonly text: string;
  readonly isError: boolean;
  readonly structured: Readonly<Record<string, unknown>>;
}

export interface StdioSession {
  call(tool: string, args?: Readonly<Record<string, unknown>>, client?: string): Promise<SessionAnswer>;
  close(): Promise<void>;
}

/** Everything of its own below this home. */
export function environmentIn(home: string): Record<string, string> {
  mkdirSync(home, { recursive: true });
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'share'),
    XDG_CACHE_HOME: join(home, 'cache'),
    WAYMARK_LOG_LEVEL: 'debug',
    WAYMARK_LOG_FILE: join(home, 'waymark.log'),
  };
}

export function openSession({ folder, home, program }: SessionPlace): StdioSession {
  const child = spawn(process.execPath, [program, 'mcp', '--toolsets', 'all', '--structured'], {
    cwd: folder,
    env: environmentIn(home),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const waiting = new Map<number, (message: Reply) => void>();
  let lastId = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    // The program's own words; what is wrong with them is for other tests to find.
    const message = JSON.parse(line) as Reply;
    waiting.get(message.id ?? -1)?.(message);
    waiting.delete(message.id ?? -1);
  });
  const ask = (method: string, params: Readonly<Record<string, unknown>>): Promise<Reply> => {
    const id = (lastId += 1);
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return Promise.race([
      new Promise<Reply>((resolve) => waiting.set(id, resolve)),
      ended.then((): Reply => ({ error: { message: 'the program ended' } })),
    ]);
  };
  return {
    async call(tool, args = {}, client = 'campaign') {
      const { result, error } = await ask('tools/call', {
        name: tool,
        arguments: args,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
          'io.modelcontextprotocol/clientInfo': { name: client, version: '1' },
        },
      });
      return {
        text: error?.message ?? (result?.content ?? []).map(({ text = '' }) => text).join('\n'),
        isError: error !== undefined || result?.isError === true,
        structured: result?.structuredContent ?? {},
      };
    },
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}

interface Reply {
  readonly id?: number;
  readonly error?: { readonly message: string };
  readonly result?: {
    readonly isError?: boolean;
    readonly content?: readonly { readonly text?: string }[];
    readonly structuredContent?: Readonly<Record<string, unknown>>;
  };
}

export interface Ran {
  readonly code: number | null;
  readonly output: string;
}

export function runIn({ folder, home, program }: SessionPlace, args: readonly string[]): Promise<Ran> {
  const child = spawn(process.execPath, [program, ...args], { cwd: folder, env: environmentIn(home) });
  const parts: Buffer[] = [];
  child.stdin.end();
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  child.stderr.on('data', (part: Buffer) => parts.push(part));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output: Buffer.concat(parts).toString() }));
  });
}
