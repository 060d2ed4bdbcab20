/**
 * Every tool, resource, completion, address of plain HTTP, error and figure, asked by one tenant with the names of others: no answer holds
 * a word of another tenant's, and none differs from the answer about a name that does not exist.
 */
import { TOOLS } from '../../../src/tools/index.ts';
import { TOOL_ROUTES } from '../../../src/rest/index.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { modern } from '../../support/rpc.ts';
import { fillWorld, REPOSITORY, type Asked, type Push, type TenantWorld, type Told } from './world.ts';

export interface FuzzOptions {
  readonly port: number;
  readonly world: readonly TenantWorld[];
  readonly calls: number;
  readonly seed: number;
  readonly lanes?: number;
  /** Where the server takes indexes. */
  readonly push?: Push;
  readonly onProgress?: (done: number) => void;
}

export interface Leak {
  readonly tenant: string;
  readonly asked: Asked;
  readonly why: string;
}

export interface FuzzReport {
  readonly calls: number;
  /** Pairs of a foreign name and one that does not exist. */
  readonly compared: number;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly leaks: readonly Leak[];
}

const MOST_LEAKS = 20;

export async function runTenantFuzz({
  port,
  world,
  calls,
  seed,
  lanes = 4,
  push,
  onProgress,
}: FuzzOptions): Promise<FuzzReport> {
  const send = createSender(port);
  await fillWorld(world, send, push);
  const random = createRandom(seed);
  const byStatus: Record<string, number> = {};
  const leaks: Leak[] = [];
  let done = 0;
  let compared = 0;
  const note = ({ name }: TenantWorld, asked: Asked, why: string): void => {
    if (leaks.length < MOST_LEAKS) leaks.push({ tenant: name, asked, why });
  };
  const ask = async (tenant: TenantWorld, asked: Asked): Promise<Told> => {
    const told = await send(tenant, asked);
    done += 1;
    byStatus[told.status] = (byStatus[told.status] ?? 0) + 1;
    if (told.status >= 500 && told.status !== 503)
      note(tenant, asked, `${told.status}: ${told.text.slice(0, 300)}`);
    for (const why of foreignWords(tenant, { asked, told, world })) note(tenant, asked, why);
    return told;
  };
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (done < calls) {
        const tenant = pick(random, world);
        const foreign = pick(
          random,
          world.filter((one) => one !== tenant),
        );
        const handle = pick(random, foreign.handles);
        const chance = random.below(1_000_000);
        const make = (name: string): Asked =>
          makeRequest(createRandom(chance + 1), { tenant, foreign, handle: name });
        const asked = make(handle);
        const told = await ask(tenant, asked);
        onProgress?.(done);
        // The same with a name of the same form that is not there: it must come to the same.
        const text = JSON.stringify(asked);
        if (!text.includes(handle) || mayDiffer(asked) || chance % 3 !== 0) continue;
        const phantom = phantomOf(handle);
        const other = await ask(tenant, make(phantom));
        compared += 1;
        const [here, there] = [plain(told, handle), plain(other, phantom)];
        if (here !== there) note(tenant, asked, `differs from what does not exist:\n${here}\n${there}`);
      }
    }),
  );
  return { calls: done, compared, byStatus, leaks };
}

function createSender(port: number): (tenant: TenantWorld, asked: Asked) => Promise<Told> {
  return async ({ token }, { method, path, body, headers = {} }) => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const shown = [...reply.headers].filter(([name]) => name !== 'date').map((pair) => pair.join(': '));
    return { status: reply.status, text: `${shown.join('\n')}\n\n${await reply.text()}` };
  };
}

/** Secrets of others at all, and names of theirs that this request did not bring along. */
function foreignWords(
  tenant: TenantWorld,
  {
    asked,
    told,
    world,
  }: { readonly asked: Asked; readonly told: Told; readonly world: readonly TenantWorld[] },
): readonly string[] {
  const written = JSON.stringify(asked);
  // As it stands, and with what addresses escape.
  const sent = `${written} ${written.replaceAll(/%([0-9A-F]{2})/g, (_, code) => String.fromCharCode(parseInt(code, 16)))}`;
  return world
    .filter((one) => one !== tenant)
    .flatMap(({ name, secrets, handles }) => [
      ...secrets.filter((word) => told.text.includes(word)).map((word) => `holds ${word} of ${name}`),
      ...handles
        .filter((word) => told.text.includes(word) && !sent.includes(word))
        .map((word) => `names ${word} of ${name}`),
    ]);
}

interface Chosen {
  readonly tenant: TenantWorld;
  readonly foreign: TenantWorld;
  readonly handle: string;
}

function makeRequest(random: Random, chosen: Chosen): Asked {
  switch (random.below(10)) {
    case 0:
      return readResource(random, chosen);
    case 1:
      return other(random, chosen);
    case 2:
    case 3:
    case 4: {
      const tool = pickTool(random);
      const params = { name: tool.name, arguments: makeArguments(random, tool, chosen) };
      return overMcp({ id: 1, method: 'tools/call', params }, random, chosen);
    }
    default: {
      const tool = pickTool(random);
      const path = TOOL_ROUTES.find((route) => route.tool === tool.name)?.path ?? '/mcp/status';
      const query = random.below(6) === 0 ? `?project_path=${encodeURIComponent(chosen.handle)}` : '';
      return { method: 'POST', path: `${path}${query}`, body: makeArguments(random, tool, chosen) };
    }
  }
}

function overMcp(call: Parameters<typeof modern>[0], random: Random, { handle }: Chosen): Asked {
  const { headers = {}, body } = modern(call);
  const sent = Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
  const query = random.below(6) === 0 ? `?project_path=${encodeURIComponent(handle)}` : '';
  return { method: 'POST', path: `/mcp${query}`, body, headers: sent };
}

function readResource(random: Random, chosen: Chosen): Asked {
  const id = pick(random, [
    'current',
    encodeURIComponent(chosen.handle),
    encodeURIComponent(chosen.tenant.root),
  ]);
  const part = pick(random, [
    'stats',
    'checkpoints',
    'skills',
    'guides',
    `entry/${chosen.handle.replaceAll(/\W/g, '')}`,
  ]);
  const uri = random.below(8) === 0 ? 'waymark://project/status' : `waymark://project/${id}/${part}`;
  return random.below(2) === 0
    ? overMcp({ id: 1, method: 'resources/read', params: { uri } }, random, chosen)
    : { method: 'POST', path: '/mcp/resources/read', body: { uri } };
}

function other(random: Random, chosen: Chosen): Asked {
  const { handle } = chosen;
  return pick<() => Asked>(random, [
    () => ({ method: 'GET', path: '/metrics' }),
    () => ({ method: 'GET', path: '/mcp/tools/list' }),
    () => ({ method: 'GET', path: '/mcp/resources/list' }),
    () => ({ method: 'GET', path: `/mcp/sse/${encodeURIComponent(handle)}` }),
    () => ({ method: 'GET', path: '/readyz' }),
    () => ({ method: 'GET', path: '/ui/api/projects' }),
    () => ({ method: 'POST', path: '/mcp/nowhere', body: { project: handle } }),
    () => overMcp({ id: 1, method: 'prompts/get', params: { name: 'start', arguments: {} } }, random, chosen),
    () => overMcp({ id: 1, method: 'tools/list' }, random, chosen),
    () => overMcp({ id: 1, method: handle }, random, chosen),
    () =>
      overMcp(
        {
          id: 1,
          method: 'completion/complete',
          params: {
            ref: { type: 'ref/resource', uri: 'waymark://project/{id}/{part}' },
            argument: { name: 'id', value: handle.slice(0, random.below(handle.length + 1)) },
          },
        },
        random,
        chosen,
      ),
  ])();
}

type Tool = (typeof TOOLS)[number];
type Schema = Readonly<Record<string, unknown>>;

/** Indexing takes seconds and clearing makes it necessary: now and then. */
const SLOW = new Set(['index_codebase', 'clear_index']);

function pickTool(random: Random): Tool {
  const tool = pick(random, TOOLS);
  return SLOW.has(tool.name) && random.below(12) > 0 ? pickTool(random) : tool;
}

/** By the schema of the tool, now and then against it. */
function makeArguments(random: Random, tool: Tool, given: Chosen): unknown {
  const schema = tool.inputSchema;
  // What a tenant saves is its own: it must not hold names of others, or they would be told back.
  const isKept = /save|create|change|feedback/.test(tool.name);
  const chosen = isKept
    ? { ...given, foreign: given.tenant, handle: pick(random, given.tenant.handles) }
    : given;
  // Both are objects in a JSON schema of an object.
  const properties = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Schema>>);
  // As above.
  const required = new Set((schema['required'] ?? []) as readonly string[]);
  const made = Object.fromEntries(
    properties
      .filter(([name]) => required.has(name) || random.below(3) === 0)
      .map(([name, property]) => [
        name,
        makeValue(random, { name, property, chosen: name === 'id' ? given : chosen }),
      ]),
  );
  const isNamed = random.below(3) > 0;
  const named = pick(random, [given.tenant.root, given.handle, given.handle, REPOSITORY]);
  return {
    ...made,
    ...(isNamed ? { project: named } : {}),
  };
}

interface Slot {
  readonly name: string;
  readonly property: Schema;
  readonly chosen: Chosen;
}

function makeValue(random: Random, { name, property, chosen }: Slot): unknown {
  const choices = property['enum'];
  if (Array.isArray(choices) && random.below(10) > 0) return pick(random, choices);
  switch (property['type']) {
    case 'boolean':
      // Waiting for an index says nothing about tenants.
      return name === 'background' || random.below(2) === 0;
    case 'integer':
    case 'number':
      return 1 + random.below(20);
    case 'array':
      return [makeText(random, chosen)];
    case 'object':
      return { key: makeText(random, chosen) };
    default:
      return random.below(30) === 0 ? 7 : makeText(random, chosen);
  }
}

function makeText(random: Random, { tenant, foreign, handle }: Chosen): string {
  const own = pick(random, tenant.handles);
  return pick(random, [
    handle,
    handle,
    pick(random, foreign.markers),
    `${pick(random, foreign.markers)} ${pick(random, tenant.markers)}`,
    own,
    `"${pick(random, foreign.markers)}"`,
    '/zz\\w+/',
    `../../tenants/${foreign.name}/`,
    `${tenant.root}/../../${foreign.name}`,
    pick(random, ['answer', '*', '%', "' OR 1=1 --", '..', 'src/shared.ts', foreign.name]),
  ]);
}

/** What another call may change meanwhile, and what is about the call and not about the name. */
function mayDiffer({ path, body }: Asked): boolean {
  const text = `${path} ${JSON.stringify(body)}`;
  return /save|create|change|feedback|delete|clear|index|status|stats|\/mcp\/sse|readyz|recall|search/.test(
    text,
  );
}

/** Of the same form and length, and none that is there. */
function phantomOf(handle: string): string {
  const at = handle.search(/\w+$/);
  const last = handle.slice(at);
  return `${handle.slice(0, at)}${last.replaceAll(/[a-z]/g, 'w').replaceAll(/[0-9]/g, '0').replaceAll(/[A-Z]/g, 'W')}`;
}

/** Without the name that was asked for, times and other numbers. */
function plain({ status, text }: Told, handle: string): string {
  const words = [handle, encodeURIComponent(handle), handle.replaceAll(/\W/g, '')].filter(
    (word) => word !== '',
  );
  const bare = words.reduce((left, word) => left.replaceAll(word, '<name>'), text);
  return `${status} ${bare.replaceAll(/[0-9]+/g, 'N').replaceAll(/\b[\w-]{16}\b(?=">|<)/g, 'WORD')}`;
}

function pick<T>(random: Random, list: readonly T[]): T {
  const found = list[random.below(list.length)];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
}
