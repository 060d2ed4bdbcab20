/** Starts a configured server as its client would, makes the MCP handshake, and says what came of it. */
import { resolve } from 'node:path';
import type { Clock } from '../core/index.ts';
import { startLineProcess } from '../platform/index.ts';
import type { Client, Places } from './client.ts';
import { findPromptVariable, variableExpander, type Address, type Connection, type Launch } from './entry.ts';
import { INITIALIZE, LIST_TOOLS, readTools, toMessage, type Handshake } from './handshake-result.ts';
import { httpHandshake } from './http-handshake.ts';

interface HandshakeOptions {
  readonly places: Places;
  /** The project that would be open in the client. */
  readonly root: string | undefined;
  readonly clock: Clock;
  readonly timeoutMs?: number;
  /** What was tried before and what came of it: clients that start the server in the same way need it only once. */
  readonly tried?: Map<string, Promise<Handshake>>;
}

const TIMEOUT_MS = 15_000;

export async function tryHandshake(
  client: Client,
  connection: Connection,
  options: HandshakeOptions,
): Promise<Handshake> {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const { clock } = options;
  const why = whyUntried(client, connection);
  if (why !== undefined) return { kind: 'not tried', why };
  const { tried = new Map<string, Promise<Handshake>>() } = options;
  if (connection.kind === 'stdio') {
    const started = asStarted(client, connection, options);
    return once(tried, started, () => stdioHandshake(started, { clock, timeoutMs }));
  }
  const asked = asRequested(client, connection, options);
  if ('kind' in asked) return asked;
  return once(tried, asked, () => httpHandshake(asked.url, { clock, timeoutMs, headers: asked.headers }));
}

function once(
  tried: Map<string, Promise<Handshake>>,
  what: object,
  make: () => Promise<Handshake>,
): Promise<Handshake> {
  const key = JSON.stringify(what);
  const known = tried.get(key) ?? make();
  tried.set(key, known);
  return known;
}

/** Why only the client itself can try the entry; undefined if we can. */
export function whyUntried({ name }: Client, connection: Connection): string | undefined {
  const askedFor = findPromptVariable(textsIn(connection));
  return askedFor && `only ${name} knows what it puts in the place of ${askedFor}`;
}

function textsIn(connection: Connection): readonly string[] {
  if (connection.kind === 'http') return [connection.url, ...Object.values(connection.headers ?? {})];
  const { command, args, env, cwd = '' } = connection;
  return [command, ...args, ...Object.values(env), cwd];
}

interface Requested {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The address and headers as this client sends them. */
function asRequested(
  client: Client,
  { url, token, headers = {} }: Address,
  { places, root }: HandshakeOptions,
): Requested | Handshake {
  const values = { env: places.env, root };
  const expand = variableExpander(client, 'headers', values);
  const filled = Object.entries(headers).map(([name, value]) => [name, expand(value)] as const);
  const address = variableExpander(client, 'launch', values)(url);
  if (token?.kind !== 'variable') return { url: address, headers: Object.fromEntries(filled) };
  const held = places.env[token.name];
  if (held === undefined || held === '') {
    return { kind: 'failed', why: 'no variable', detail: `${token.name} is not set here` };
  }
  const named = client.http?.token?.kind === 'name' ? { authorization: `Bearer ${held}` } : {};
  return { url: address, headers: { ...Object.fromEntries(filled), ...named } };
}

interface Started extends Launch {
  readonly cwd: string;
}

/** The program with the environment and directory that this client gives it. */
function asStarted(client: Client, launch: Launch, { places, root }: HandshakeOptions): Started {
  const { in: where, env } = client.starts;
  const start = where === 'root' ? '/' : where === 'home' ? places.home : (root ?? places.home);
  const expand = variableExpander(client, 'launch', { env: places.env, root });
  const own = Object.entries(launch.env).map(([name, value]) => [name, expand(value)]);
  return {
    command: expand(launch.command),
    args: launch.args.map(expand),
    cwd: launch.cwd === undefined ? start : resolve(start, expand(launch.cwd)),
    env: { ...inherited(env, places), ...Object.fromEntries(own) },
  };
}

/** On Windows programs need some system variables, so there they get all. */
function inherited(how: Client['starts']['env'], { env, system, home }: Places): Launch['env'] {
  const whole = Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined);
  if (how === 'whole' || system === 'win32') return Object.fromEntries(whole);
  const names = [
    'HOME',
    'LOGNAME',
    'USER',
    'SHELL',
    'TMPDIR',
    ...(how === 'basic' ? ['PATH', 'TERM', 'LANG'] : []),
  ];
  // Programs started from a dock or menu do not get the PATH of the shell.
  const menu = how === 'desktop' ? { PATH: '/usr/bin:/bin' } : {};
  return {
    ...Object.fromEntries(whole.filter(([name]) => names.includes(name))),
    HOME: env['HOME'] ?? home,
    ...menu,
  };
}

async function stdioHandshake(
  started: Started,
  { clock, timeoutMs }: { clock: Clock; timeoutMs: number },
): Promise<Handshake> {
  const startedAt = clock.elapsed();
  const child = startLineProcess(started);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), timeoutMs);
  });
  const ask = async (message: object): Promise<Record<string, unknown> | 'late' | undefined> => {
    child.send(JSON.stringify(message));
    for (;;) {
      const line = await Promise.race([child.next(), late]);
      if (line === 'late' || line === undefined) return line;
      const found = toMessage(line);
      if (found === 'no message') return undefined;
      if (found['id'] === Reflect.get(message, 'id')) return found;
    }
  };
  try {
    const hello = await ask(INITIALIZE);
    if (hello === 'late')
      return { kind: 'failed', why: 'silent', detail: `no answer within ${timeoutMs / 1000} s` };
    if (hello === undefined) return await howItFailed(child, late);
    child.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    const tools = await ask(LIST_TOOLS);
    if (tools === 'late' || tools === undefined) {
      const within = tools === 'late' ? ` within ${timeoutMs / 1000} s` : '';
      return { kind: 'failed', why: 'silent', detail: `no list of tools${within}` };
    }
    return readTools(hello, tools, Math.round(clock.elapsed() - startedAt));
  } finally {
    clearTimeout(timer);
    child.stop();
  }
}

async function howItFailed(
  child: ReturnType<typeof startLineProcess>,
  late: Promise<'late'>,
): Promise<Handshake> {
  child.stop();
  const ended = await Promise.race([child.ended, late]);
  if (ended === 'late')
    return { kind: 'failed', why: 'no MCP', detail: 'it answers something else than MCP' };
  if (ended.kind === 'missing') return { kind: 'failed', why: 'no program', detail: 'it cannot be started' };
  const said = child.complaint().trim().split('\n').at(-1) ?? '';
  const detail = `it ended with exit code ${ended.code ?? 'none'}${said === '' ? '' : `: ${said.slice(0, 200)}`}`;
  return { kind: 'failed', why: 'ended', detail };
}
