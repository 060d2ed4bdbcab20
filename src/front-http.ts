/** Opens the HTTP server: what it listens on, whom it lets in, and what it serves. */
import { join, resolve } from 'node:path';
import type { BaseServerParts } from './front-servers.ts';
import { readEnvironment, type Config } from './config/index.ts';
import { AppError, parseToolsets, type Logger, once } from './core/index.ts';
import type { CallLog, FindingValue, PageEdge } from './dashboard/index.ts';
import type { Listener } from './http/index.ts';
import type { ServerFactory } from './mcp/index.ts';
import {
  packageFile,
  pathKind,
  readGivenSecret,
  readOrCreateSecret,
  readPackageFile,
  runProgram,
  systemClock,
  systemIds,
  writeRunFile,
} from './platform/index.ts';
import type { Detector } from './project/index.ts';
import { isLoopback } from './text/index.ts';
import type { Edge } from './transport/index.ts';

/** Where others can reach the server, one client may not use it up. */
const REQUESTS_PER_MINUTE = 600;

interface HttpParts {
  readonly config: Config;
  readonly factory: ServerFactory;
  readonly detector: Detector;
  readonly logger: Logger;
  readonly checkStorage: () => Promise<void>;
  readonly parts: BaseServerParts;
  /** The calls that the page shows; without it there is no page. */
  readonly log: CallLog | undefined;
}

export interface ServedHttp extends Listener {
  /** A link that opens the page once; undefined where no page is served. */
  readonly newPageUrl: (() => string) | undefined;
}

export async function openHttp(http: HttpParts): Promise<ServedHttp> {
  const { config, factory, detector, logger, checkStorage, parts, log } = http;
  const [{ createHttpEdge }, { createRateLimit, LOOPBACK_HOSTS, openListener, ...checks }] =
    await Promise.all([import('./mcp/index.ts'), import('./http/index.ts')]);
  const givenToken = readGivenToken(config);
  if (givenToken !== undefined) checks.checkToken(givenToken);
  const wantsToken = config.requireToken || givenToken !== undefined;
  checks.checkBind({ ...config, hasToken: wantsToken });
  checks.checkHosts(config.allowHost);
  checks.checkOrigins(config.allowOrigin);
  requireFolders(config.allowProjectRoot);
  const ownToken = once(() => givenToken ?? readOrCreateSecret(join(config.dataDir, 'token'), systemIds));
  const token = wantsToken ? ownToken() : undefined;
  const perMinute = config.rateLimit > 0 ? config.rateLimit : REQUESTS_PER_MINUTE;
  const limited = config.rateLimit > 0 || !isLoopback(config.host);
  const rest = config.rest ? await openRest(parts, ownToken()) : undefined;
  const pageKey = systemIds.token(32);
  const page = log === undefined ? undefined : await openPage({ config, parts, log, key: pageKey });
  const mcpEdge = createHttpEdge({
    factory,
    logger,
    clock: systemClock,
    newId: () => systemIds.uuid(),
    newReference: () => systemIds.token(6),
    legacySse: config.legacySse,
    stateless: config.stateless,
    lenient: config.lenient,
    checkQuery: (path) => detector.checkQuery(path),
    maxSessions: config.maxSessions,
    sessionIdleMs: config.sessionIdleSeconds * 1000,
  });
  const listener = await openListener({
    edges: [mcpEdge, ...(rest === undefined ? [] : [rest]), ...(page === undefined ? [] : [page])],
    host: config.host,
    // Where others can reach it, only the names that were allowed are served.
    clientHost: isLoopback(config.host) ? undefined : config.allowHost[0],
    port: config.port,
    rules: {
      hosts: [
        ...LOOPBACK_HOSTS,
        ...(isLoopback(config.host) ? [config.host] : []),
        ...config.allowHost.map((name) => name.toLowerCase()),
      ],
      origins: config.allowOrigin.map((origin) => origin.toLowerCase()),
    },
    token,
    rateLimit: limited ? createRateLimit(perMinute, systemClock) : undefined,
    checkStorage,
    logger,
    clock: systemClock,
    newReference: () => systemIds.token(6),
  });
  const forget = writeRunFile(join(config.dataDir, 'servers'), {
    url: listener.url,
    version: WAYMARK_VERSION,
    ...(page === undefined ? {} : { ui: pageKey }),
  });
  return {
    ...listener,
    newPageUrl: page && (() => `${listener.clientUrl.replace(/\/mcp$/, '/ui/')}#code=${page.newCode()}`),
    async close() {
      forget();
      await listener.close();
    },
  };
}

interface OpenPage extends Pick<HttpParts, 'config' | 'parts'> {
  readonly log: CallLog;
  readonly key: string;
}

async function openPage({ config, parts, log, key }: OpenPage): Promise<PageEdge> {
  const [{ createPageEdge }, { hasToken }] = await Promise.all([
    import('./dashboard/index.ts'),
    import('./http/index.ts'),
  ]);
  return createPageEdge({
    ...parts,
    log,
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

/** Plain HTTP wants the token even where MCP does not: any program can speak it by accident. */
async function openRest(parts: BaseServerParts, token: string): Promise<Edge> {
  const [{ createRestEdge }, { hasToken, unauthorized }] = await Promise.all([
    import('./rest/index.ts'),
    import('./http/index.ts'),
  ]);
  return createRestEdge({
    ...parts,
    authorize: (header) => (hasToken(header, token) ? undefined : unauthorized(header)),
  });
}

/** The token of the user's own; where it is given twice, both must be the same, or clients would be refused without a word why. */
function readGivenToken({ token, tokenFile }: Config): string | undefined {
  const inFile = tokenFile === undefined ? undefined : readGivenSecret(tokenFile);
  if (token === undefined || inFile === undefined || token === inFile) return token ?? inFile;
  throw new AppError('bad_config', '--token (WAYMARK_TOKEN) and --token-file hold different tokens.', {
    hint: 'Give one of them.',
  });
}

/** A missing folder would allow nothing, and a typing error would show up far from its cause. */
function requireFolders(allowed: readonly string[]): void {
  const missing = allowed.find((folder) => pathKind(resolve(folder)) !== 'directory');
  if (missing === undefined) return;
  throw new AppError('bad_config', `--allow-project-root names no existing directory: ${missing}`, {
    hint: 'Make the directory first, or name the one that holds your projects.',
  });
}
