/** One server that is limited to a folder, for all attacks on the limit: each has a project inside and a folder outside. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AttackPlace } from './attack.ts';
import { homeOf, put } from './run-command.ts';

export interface Cell {
  /** The project of this attack, inside. */
  readonly inside: string;
  /** A folder of its own outside. Every name and text in it holds `CANARY`. */
  readonly outside: string;
  /** The text of an answer, errors too. */
  call(tool: string, args?: object, meta?: object): Promise<string>;
  /** The answer to a connection with this in its address. */
  open(projectPath: string): Promise<string>;
}

export const CANARY = 'quokkacanary';

interface Server {
  readonly base: string;
  readonly child: ChildProcess;
  readonly url: string;
  readonly session: string;
}

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const kept: { server: Promise<Server> | undefined; cells: number } = { server: undefined, cells: 0 };

async function startServer({ program }: AttackPlace): Promise<Server> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'waymark-jail-')));
  // The folder around the limit is a repository with rules of its own.
  put(base, {
    '.gitignore': 'ruled-*\n',
    '.ignore': 'searched-*\n',
    '.waymarkignore': 'marked-*\n',
    'hidden/x': '',
  });
  mkdirSync(join(base, 'allowed'));
  mkdirSync(join(base, 'home', 'home'), { recursive: true });
  git(base, 'init', '-q', '-b', `${CANARY}-around`);
  put(base, { '.git/info/exclude': 'excluded-*\n' });
  const child = spawn(
    process.execPath,
    [program, 'serve', '--port', '0', '--allow-project-root', join(base, 'allowed'), '--toolsets', 'all'],
    { cwd: join(base, 'home'), env: homeOf({ folder: base, home: join(base, 'home'), program }) },
  );
  const url = await new Promise<string>((resolve, reject) => {
    let seen = '';
    const look = (text: Buffer): void => {
      seen += text.toString();
      const found = /serving (http:\S+)/.exec(seen)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.once('close', () => reject(new Error(`the server ended: ${seen}`)));
  });
  const hello = await fetch(url, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify(initialize()),
  });
  await hello.text();
  return { base, child, url, session: hello.headers.get('mcp-session-id') ?? '' };
}

/** After the attacks: no process and no folder is left. */
export async function stopJailServer(): Promise<void> {
  const server = await kept.server?.catch(() => undefined);
  kept.server = undefined;
  if (server === undefined) return;
  const { child, base } = server;
  const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
  child.kill('SIGKILL');
  await ended;
  rmSync(base, { recursive: true, force: true });
}

function initialize(): object {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'attack', version: '1' },
  };
  return { jsonrpc: '2.0', id: 1, method: 'initialize', params };
}

export async function openCell(place: AttackPlace): Promise<Cell> {
  kept.server ??= startServer(place);
  const { base, url, session } = await kept.server;
  const name = `cell${++kept.cells}`;
  const inside = join(base, 'allowed', name);
  const outside = join(base, 'hidden', name);
  mkdirSync(inside);
  mkdirSync(outside);
  return {
    inside,
    outside,
    async call(tool, args = {}, meta) {
      const params = { name: tool, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) };
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...HEADERS, 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params }),
      });
      return toText(await response.text());
    },
    async open(projectPath) {
      const response = await fetch(`${url}?project_path=${encodeURIComponent(projectPath)}`, {
        method: 'POST',
        headers: HEADERS,
        body: JSON.stringify(initialize()),
      });
      return `${response.status} ${await response.text()}`;
    },
  };
}

/** The texts of the last message, as a model reads them. */
function toText(body: string): string {
  const last = body.split('\n').findLast((line) => line.startsWith('data: {'));
  const message: unknown = JSON.parse(last?.slice('data: '.length) ?? body);
  const texts: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  collect(message);
  return texts.join('\n');
}

export function git(cwd: string, ...args: readonly string[]): void {
  execFileSync('git', args, {
    cwd,
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'] ?? '',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_SYSTEM: '/dev/null',
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@example.com',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@example.com',
    },
  });
}
