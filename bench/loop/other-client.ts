/**
 * The client that is not to be disturbed, in a process of its own: sends `ping` over Streamable HTTP and GET /healthz at a fixed rate,
 * whether or not the last one was answered, so that a server that stands still is seen by every request of that time.
 */
import { setMaxListeners } from 'node:events';
import { Agent, get } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const EVERY_MS = 20;
/** Both sides compile what they run: not measured. */
const WARM_UP = 200;

export interface Probes {
  readonly ping: readonly number[];
  readonly healthz: readonly number[];
  /** Answers of `search_code`, if a project was named. */
  readonly search: readonly number[];
  readonly failures: readonly string[];
}

/** What the bench says to this process. */
export type ToOther =
  | { readonly kind: 'connect'; readonly url: string; readonly searchIn?: string | undefined }
  | { readonly kind: 'begin' }
  | { readonly kind: 'end' };

// The SDK's transport hangs one on a signal for each request; they go when garbage is collected.
setMaxListeners(0);
const agent = new Agent({ keepAlive: true });
const client = new Client({ name: 'other', version: '1' });
let address = '';
let searchIn: string | undefined;
let taken = newProbes();
let timer: NodeJS.Timeout | undefined;
let isSearching = false;
const open = new Set<Promise<void>>();

function newProbes(): { [Kind in keyof Probes]: Probes[Kind][number][] } {
  return { ping: [], healthz: [], search: [], failures: [] };
}

function time(kind: 'ping' | 'healthz' | 'search', work: Promise<unknown>): Promise<void> {
  const started = performance.now();
  const into = taken;
  const done = work.then(
    () => void into[kind].push(performance.now() - started),
    (thrown: unknown) => void into.failures.push(`${kind}: ${String(thrown)}`),
  );
  open.add(done);
  return done.finally(() => open.delete(done));
}

function healthz(): Promise<void> {
  return new Promise((resolve, reject) => {
    get(`${address}/healthz`, { agent }, (reply) => {
      reply.resume().once('end', () => (reply.statusCode === 200 ? resolve() : reject(reply.statusCode)));
    }).once('error', reject);
  });
}

function tick(): void {
  void time('ping', client.ping());
  void time('healthz', healthz());
  if (searchIn === undefined || isSearching) return;
  isSearching = true;
  const params = { name: 'search_code', arguments: { project: searchIn, query: 'total of an order' } };
  void time('search', client.callTool(params)).then(() => (isSearching = false));
}

async function hear(message: ToOther): Promise<unknown> {
  switch (message.kind) {
    case 'connect':
      address = new URL(message.url).origin;
      await client.connect(new StreamableHTTPClientTransport(new URL(message.url)));
      ({ searchIn } = message);
      for (let count = 0; count < WARM_UP; count++) await Promise.all([client.ping(), healthz()]);
      return undefined;
    case 'begin':
      taken = newProbes();
      timer = setInterval(tick, EVERY_MS);
      return undefined;
    case 'end':
      clearInterval(timer);
      await Promise.all(open);
      return taken;
  }
}

process.on('message', (message) => {
  // Both sides are of one build.
  void hear(message as ToOther).then((answer) => process.send?.(answer ?? null));
});
