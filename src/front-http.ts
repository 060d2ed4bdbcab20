/** Opens the HTTP server: what it listens on, whom it lets in, and what it serves. */
import { relative, resolve } from 'node:path';
import type { BaseServerParts } from './front-servers.ts';
import { readEnvironment, type Config } from './config/index.ts';
import { AppError, LOCAL_PRINCIPAL, parseToolsets, type Logger } from './core/index.ts';
import type { CallLog, FindingValue, PageEdge } from './dashboard/index.ts';
import type { ServedListener } from './cli/index.ts';
import { howToConnect } from './front-connect.ts';
import { openAuth, type OpenAuth } from './front-auth.ts';
import type { OpenOperations } from './front-operations.ts';
import type { RateLimit } from './http/index.ts';
import type { ServerFactory } from './mcp/index.ts';
import {
  packageFile,
  pathKind,
  readPackageFile,
  runProgram,
  systemClock,
  systemIds,
  writeServerNote,
} from './platform/index.ts';
import { isLoopback } from './text/index.ts';
import type { Edge } from './transport/index.ts';

/** Where others can reach the server, one client may not use it up. */
const REQUESTS_PER_MINUTE = 600;
const UPLOAD_MB_PER_MINUTE = 64;
const BYTES_PER_MB = 1024 * 1024;

interface HttpParts {
  readonly config: Config;
  readonly factory: ServerFactory;
  readonly logger: Logger;
  readonly checkStorage: () => Promise<void>;
  readonly parts: BaseServerParts;
  /** The calls that the page shows; without it there is no page. */
  readonly log: CallLog | undefined;
  readonly operations: OpenOperations;
}

export type ServedHttp = ServedListener;

export async function openHttp(http: HttpParts): Promise<ServedHttp> {
  const { config, factory, logger, checkStorage, parts, log, operations } = http;
  const { onAnswer, onRefused } = operations;
  const [{ createHttpEdge }, { createRateLimit, LOOPBACK_HOSTS, openListener, ...checks }] =
    await Promise.all([import('./mcp/index.ts'), import('./http/index.ts')]);
  let clientUrl = '';
  const auth = await openAuth({ config, logger, clientUrl: () => clientUrl });
  const allowHost = [...config.allowHost, ...auth.hosts];
  checks.checkBind({ ...config, allowHost, hasToken: auth.authenticate !== undefined });
  checks.checkHosts(config.allowHost);
  checks.checkOrigins(config.allowOrigin);
  requireFolders('--allow-project-root', config.allowProjectRoot);
  requireFolders('--tenant-project-root', [config.tenantProjectRoot ?? []].flat());
  requireApart(config);
  // Behind a proxy, others can reach a server that listens on loopback.
  const isShared = !isLoopback(config.host) || config.oauthIssuer !== undefined;
  const limit = (given: number, usual: number): RateLimit | undefined =>
    given > 0 || isShared ? createRateLimit(given > 0 ? given : usual, systemClock) : undefined;
  const rest = config.rest ? await openRest({ ...parts, onRefused }, auth) : undefined;
  const pushEdge = config.storage === undefined ? undefined : await openPush({ ...parts, onRefused }, auth);
  const pageKey = systemIds.token(32);
  const connect: ServedHttp['connect'] = (path) =>
    howToConnect(
      { config, detector: parts.partsOf(LOCAL_PRINCIPAL).detector, clientUrl: auth.publicUrl() },
      path,
    );
  const { onWrite } = operations;
  const pageParts = { config, parts, key: pageKey, onWrite, connect: async () => (await connect()).paste };
  const page = log === undefined ? undefined : await openPage({ ...pageParts, log });
  const mcpEdge = createHttpEdge({
    factory,
    logger,
    clock: systemClock,
    newId: () => systemIds.uuid(),
    newReference: () => systemIds.token(6),
    legacySse: config.legacySse,
    stateless: config.stateless,
    lenient: config.lenient,
    metadataUrl: auth.metadataUrl,
    onRefused,
    checkQuery: (path, caller) => parts.partsOf(caller).detector.checkQuery(path),
    maxSessions: config.maxSessions,
    sessionIdleMs: config.sessionIdleSeconds * 1000,
  });
  operations.watchSessions(() => mcpEdge.sessions);
  const listener = await openListener({
    edges: [
      mcpEdge,
      ...[rest, pushEdge, page].flatMap((edge) => (edge === undefined ? [] : [edge])),
      ...auth.edges,
      ...operations.edges,
    ],
    host: config.host,
    // Where others can reach it, only the names that were allowed are served.
    clientHost: isLoopback(config.host) ? undefined : allowHost[0],
    port: config.port,
    rules: {
      hosts: [
        ...LOOPBACK_HOSTS,
        ...(isLoopback(config.host) ? [config.host] : []),
        ...allowHost.map((name) => name.toLowerCase()),
      ],
      origins: config.allowOrigin.map((origin) => origin.toLowerCase()),
    },
    authenticate: auth.authenticate,
    rateLimit: limit(config.rateLimit, REQUESTS_PER_MINUTE),
    tenantRateLimit:
      config.tenantRateLimit > 0 ? createRateLimit(config.tenantRateLimit, systemClock) : undefined,
    uploadLimit: limit(config.uploadLimitMb * BYTES_PER_MB, UPLOAD_MB_PER_MINUTE * BYTES_PER_MB),
    checkStorage,
    onAnswer,
    logger,
    clock: systemClock,
    newReference: () => systemIds.token(6),
  });
  clientUrl = listener.clientUrl;
  const ui = page && pageKey;
  const forget = writeServerNote(config.dataDir, { url: listener.url, version: WAYMARK_VERSION, ui });
  return {
    ...listener,
    newPageUrl: page && (() => `${listener.clientUrl.replace(/\/mcp$/, '/ui/')}#code=${page.newCode()}`),
    clientUrl: auth.publicUrl(),
    connect,
    async close() {
      forget();
      await listener.close();
    },
  };
}

interface OpenPage extends Pick<HttpParts, 'config' | 'parts'> {
  readonly log: CallLog;
  readonly key: string;
  readonly onWrite: OpenOperations['onWrite'];
  readonly connect: () => Promise<string>;
}

async function openPage({ config, parts, log, key, onWrite, connect }: OpenPage): Promise<PageEdge> {
  const [{ createPageEdge }, { hasToken }] = await Promise.all([
    import('./dashboard/index.ts'),
    import('./http/index.ts'),
  ]);
  return createPageEdge({
    ...parts,
    log,
    onWrite,
    connect,
    toolsets: parseToolsets(config.toolsets),
    readFile: (name) => Buffer.from(readPackageFile(`dist/web/${name}`)).toString('utf8'),
    newSecret: () => systemIds.token(32),
    key,
    hasKey: hasToken,
    examine: (signal) => examineHere(config, signal),
  });
}

const EXAMINE_MS = 120_000;

/** The doctor opens databases and starts what clients would start: in a process of its own, as on the command line. */
async function examineHere(
  { dataDir, cacheDir }: Config,
  signal: AbortSignal,
): Promise<readonly FindingValue[]> {
  const { stdout } = await runProgram({
    file: process.execPath,
    args: [packageFile('dist/main.js'), 'doctor', '--json', '--data-dir', dataDir, '--cache-dir', cacheDir],
    env: readEnvironment(),
    timeoutMs: EXAMINE_MS,
    signal,
  });
  const value: unknown = JSON.parse(stdout);
  // What our own command prints, of the same build.
  return (value as { readonly findings: readonly FindingValue[] }).findings;
}

/** Plain HTTP wants a token even where MCP does not: any program can speak it by accident. */
async function openRest(
  parts: BaseServerParts & Pick<OpenOperations, 'onRefused'>,
  { insist, metadataUrl }: OpenAuth,
): Promise<Edge> {
  const { createRestEdge } = await import('./rest/index.ts');
  return createRestEdge({ ...parts, authenticate: insist, metadataUrl });
}

/** Only a database has room for indexes that are made elsewhere. */
async function openPush(
  { partsOf, observe, onRefused }: BaseServerParts & Pick<OpenOperations, 'onRefused'>,
  { metadataUrl }: OpenAuth,
): Promise<Edge> {
  const { createPushEdge } = await import('./push/index.ts');
  return createPushEdge({
    engineOf: (caller) => partsOf(caller).services.engine,
    observe,
    onRefused,
    metadataUrl,
  });
}

/** Clients without a tenant must not reach the projects of one. */
function requireApart({ tenantProjectRoot, allowProjectRoot }: Config): void {
  if (tenantProjectRoot === undefined) return;
  const tenants = resolve(tenantProjectRoot);
  const isApart = (folder: string): boolean => {
    const path = relative(tenants, resolve(folder));
    return path.startsWith('..') && relative(resolve(folder), tenants).startsWith('..');
  };
  if (allowProjectRoot.length > 0 && allowProjectRoot.every(isApart)) return;
  throw new AppError(
    'bad_config',
    'With --tenant-project-root, clients without a tenant need a folder of their own.',
    { hint: 'Name one beside it, with --allow-project-root.' },
  );
}

/** A missing folder would allow nothing, and a typing error would show up far from its cause. */
function requireFolders(flag: string, allowed: readonly string[]): void {
  const missing = allowed.find((folder) => pathKind(resolve(folder)) !== 'directory');
  if (missing === undefined) return;
  throw new AppError('bad_config', `${flag} names no existing directory: ${missing}`, {
    hint: 'Make the directory first, or name the one that holds your projects.',
  });
}
