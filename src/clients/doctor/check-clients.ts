/** What each client has been told about us, and whether it would work. */
import { isAbsolute } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { toAppError, type Clock } from '../../core/index.ts';
import {
  findProgram,
  isProgram,
  listServers,
  pathKind,
  readEditable,
  startLineProcess,
} from '../../platform/index.ts';
import type { Client, Places, Scope } from '../client.ts';
import { readEntry } from '../edit/edit-document.ts';
import { readConnection, variableExpander, type Connection, type ExpandVariables } from '../entry.ts';
import { isTokenTrouble, type Handshake } from '../handshake-result.ts';
import { tryHandshake, whyUntried } from '../handshake.ts';
import type { WrittenFile } from '../manifest.ts';
import { isTemporaryInstall } from '../permanent-copy.ts';
import { decode, fileOf, placeOf } from '../setup-files.ts';
import { CLIENTS } from '../table/index.ts';
import { judgeNode } from './check-runtime.ts';
import { note, ok, problem, type Finding } from './finding.ts';

/** A program that prints no version by then is not Node. */
const VERSION_MS = 5_000;

type StdioConnection = Extract<Connection, { kind: 'stdio' }>;

interface ClientCheck {
  readonly places: Places;
  readonly root: string | undefined;
  readonly dataDir: string;
  readonly written: readonly WrittenFile[];
  readonly clock: Clock;
}

/** What several clients have in common is looked at once. */
interface FileCheck extends ClientCheck {
  readonly tried: Map<string, Promise<Handshake>>;
  /** By program. */
  readonly versions: Map<string, Promise<string | undefined>>;
}

export async function checkClients(given: ClientCheck): Promise<readonly Finding[]> {
  const check: FileCheck = { ...given, tried: new Map(), versions: new Map() };
  const findings: Finding[] = [];
  const seen = new Set<string>();
  for (const client of CLIENTS) {
    for (const scope of ['user', 'project'] as const) {
      const file = fileOf(client, check.places, { scope, root: check.root });
      if (file === undefined || seen.has(file)) continue;
      seen.add(file);
      findings.push(...(await checkFile(client, { file, scope }, check)));
    }
  }
  const lost = check.written.filter(
    ({ absPath, client }) => !findings.some(({ seen: text }) => text.includes(absPath)) && known(client),
  );
  findings.push(...lost.map(({ absPath }) => problem('client-lost', absPath)));
  return findings.length === 0 ? [note('client-none', 'no client is set up')] : findings;
}

function known(id: string): boolean {
  return CLIENTS.some((client) => client.id === id);
}

async function checkFile(
  client: Client,
  { file, scope }: { readonly file: string; readonly scope: Scope },
  check: FileCheck,
): Promise<readonly Finding[]> {
  const name = `${client.name}, ${file}`;
  try {
    const within = scope === 'project' ? check.root : undefined;
    const entry = readEntry(decode(readEditable(file, within)), placeOf(client, file));
    if (entry === undefined) return [];
    // A repository can bring such a file along. What it names is started only if setup wrote it.
    if (scope === 'project' && !isOurs(entry, file, check)) return [note('client-foreign', name)];
    const fields = new Map(Object.entries(Object(entry)));
    if (fields.get('disabled') === true || fields.get('enabled') === false)
      return [problem('client-off', name)];
    const connection = readConnection(client, entry);
    if (connection === undefined)
      return [problem('client-program', `${name}: the entry names no command and no address`)];
    const unfollowed = UNFOLLOWED.find((key) => fields.has(key));
    const untried = unfollowed ? `the entry uses ${unfollowed}` : whyUntried(client, connection);
    if (untried !== undefined) return [note('client-untried', `${name}: not tried: ${untried}`)];
    const expand = variableExpander(client, 'launch', { env: check.places.env, root: check.root });
    const wrong =
      connection.kind === 'http'
        ? checkAddress(name, expand(connection.url), check)
        : await checkLaunch(name, withVariables(connection, expand), check);
    return wrong ?? [await checkHandshake(client, { name, scope }, connection, check)];
  } catch (thrown) {
    return [problem('client-file', `${client.name}: ${toAppError(thrown).message}`)];
  }
}

/** Keys of an entry that only the client itself can follow. */
const UNFOLLOWED = ['envFile', 'env_vars', 'env_http_headers', 'headersHelper'] as const;

function withVariables(launch: StdioConnection, expand: ExpandVariables): StdioConnection {
  const env = Object.entries(launch.env).map(([key, value]) => [key, expand(value)]);
  return {
    ...launch,
    command: expand(launch.command),
    args: launch.args.map(expand),
    env: Object.fromEntries(env),
  };
}

function isOurs(entry: unknown, file: string, { written }: ClientCheck): boolean {
  const plain: unknown = JSON.parse(JSON.stringify(entry));
  return written.some((record) => record.absPath === file && isDeepStrictEqual(record.entry, plain));
}

/** Undefined if the address may be tried. */
function checkAddress(name: string, url: string, { dataDir }: ClientCheck): readonly Finding[] | undefined {
  const wanted = URL.canParse(url) ? new URL(url) : undefined;
  const running = listServers(dataDir).filter(({ alive }) => alive);
  const local = wanted !== undefined && ['127.0.0.1', 'localhost', '[::1]'].includes(wanted.hostname);
  if (!local || running.some((server) => new URL(server.url).port === wanted.port)) return undefined;
  const served = running.map((server) => server.url).join(', ');
  return [
    problem(
      'client-address',
      `${name}: ${url}, but ${served === '' ? 'no server runs' : `served is ${served}`}`,
    ),
  ];
}

async function checkLaunch(
  name: string,
  { command, args, env }: StdioConnection,
  { places: { env: own }, versions }: FileCheck,
): Promise<readonly Finding[] | undefined> {
  const program = isAbsolute(command)
    ? command
    : findProgram(command, { path: own['PATH'], extensions: own['PATHEXT'] });
  if (program === undefined || !isProgram(program)) {
    return [problem('client-program', `${name}: there is no program ${command}`)];
  }
  const script = args.find((word) => isAbsolute(word) && /\.[cm]?js$/.test(word));
  if (script !== undefined && pathKind(script) !== 'file') {
    return [problem('client-program', `${name}: there is no script ${script}`)];
  }
  if (script !== undefined && isTemporaryInstall(script))
    return [problem('client-passing', `${name}: ${script}`)];
  const project = env['WAYMARK_PROJECT'];
  if (project !== undefined && !project.includes('${') && pathKind(project) !== 'directory') {
    return [problem('client-project', `${name}: ${project}`)];
  }
  if (script === undefined) return undefined;
  const asked = versions.get(program) ?? versionOf(program);
  versions.set(program, asked);
  const version = await asked;
  if (version === undefined || judgeNode(version).level === 'ok') return undefined;
  return [problem('client-node', `${name}: ${program} is Node ${version}`)];
}

async function versionOf(program: string): Promise<string | undefined> {
  const child = startLineProcess({ command: program, args: ['--version'], env: {}, cwd: '/' });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), VERSION_MS);
  });
  const line = await Promise.race([child.next(), late]);
  clearTimeout(timer);
  child.stop();
  return /^v(\d+\.\d+\.\d+)/.exec(line ?? '')?.[1];
}

/** `ok` only after a handshake by the client's own rules: its command, directory, environment, address and headers. */
async function checkHandshake(
  client: Client,
  { name, scope }: { readonly name: string; readonly scope: Scope },
  connection: Connection,
  { places, root, clock, tried }: FileCheck,
): Promise<Finding> {
  const handshake = await tryHandshake(client, connection, { places, root, clock, tried });
  if (handshake.kind === 'not tried') return note('client-untried', `${name}: not tried: ${handshake.why}`);
  if (handshake.kind === 'failed') {
    const id = isTokenTrouble(handshake.why) ? 'client-token' : 'client-greeting';
    return problem(id, `${name}: ${handshake.detail}`);
  }
  const { tools, ms, version } = handshake;
  const limits = [
    ...(scope === 'project' && client.projectFilesNeed !== undefined ? [client.projectFilesNeed] : []),
    ...(connection.kind === 'stdio' && client.known.starts === 'assumed'
      ? ['how it starts servers is assumed']
      : []),
  ];
  return ok('client', [`${name}: version ${version}, ${tools} tools, ${ms} ms`, ...limits].join('; '));
}
