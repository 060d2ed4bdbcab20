/**
 * Tokens for programs, such as a build: a file each, which holds the digest of the token and what it may. A server reads the file
 * with every request, so that a token ends when its file does; and no two commands can undo each other's work.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { AppError, isTenantName, parseScope, type Clock, type Principal, type Scope } from '../core/index.ts';
import {
  ensurePrivateDir,
  namesIn,
  readOwnFile,
  removeIfPresent,
  writePrivateText,
  type Ids,
} from '../platform/index.ts';

/** What is known of a token; the token itself is nowhere. */
export interface ApiToken {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Whom its program works for; left out: who runs the server. */
  readonly tenant?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
}

export interface ApiTokenDraft {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly tenant?: string | undefined;
  readonly expiresAt: number | undefined;
}

interface KeptToken extends ApiToken {
  /** SHA-256 of the whole token, in hexadecimal. */
  readonly digest: string;
}

const FOLDER = 'tokens';
/** What is found in a log or a repository can be told for what it is. */
const TOKEN = /^waymark_([0-9a-f]{16})_[\w-]{43}$/;
const FILE = /^([0-9a-f]{16})\.json$/;
const NAME = /^[\w.@/ -]{1,64}$/;

/** The token is told once, here. Throws `bad_argument` for a name that another token has, or that cannot be shown. */
export function createApiToken(
  dataDir: string,
  draft: ApiTokenDraft,
  { ids, clock }: { readonly ids: Ids; readonly clock: Clock },
): { readonly token: string; readonly made: ApiToken } {
  if (!NAME.test(draft.name))
    throw new AppError('bad_argument', 'A name has up to 64 letters, digits, blanks and any of . _ - @ /', {
      hint: 'Name what the token is for: waymark token create ci --scope search',
    });
  if (listApiTokens(dataDir).some(({ name }) => name === draft.name))
    throw new AppError('bad_argument', `There is a token of the name ${draft.name}.`, {
      hint: `Choose another name, or end that one first: waymark token revoke ${JSON.stringify(draft.name)}`,
    });
  const id = createHash('sha256').update(ids.token(32)).digest('hex').slice(0, 16);
  const token = `waymark_${id}_${ids.token(32)}`;
  const made = { id, ...draft, createdAt: clock.now() };
  const kept: KeptToken = { ...made, digest: digest(token).toString('hex') };
  ensurePrivateDir(join(dataDir, FOLDER));
  writePrivateText(fileOf(dataDir, id), `${JSON.stringify(kept)}\n`);
  return { token, made };
}

/** Oldest first. A file that is none of ours is passed over. */
export function listApiTokens(dataDir: string): readonly ApiToken[] {
  return namesIn(join(dataDir, FOLDER))
    .flatMap((file) => {
      const kept = readKept(dataDir, FILE.exec(file)?.[1]);
      if (kept === undefined) return [];
      const { digest: _digest, ...token } = kept;
      return [token];
    })
    .toSorted((a, b) => a.createdAt - b.createdAt);
}

/** By its id or its name: two commands at once may have made two of one name. They end at once, on servers that run too. */
export function revokeApiTokens(dataDir: string, wanted: string): readonly ApiToken[] {
  const found = listApiTokens(dataDir).filter(({ id, name }) => id === wanted || name === wanted);
  for (const { id } of found) removeIfPresent(fileOf(dataDir, id));
  return found;
}

/** Whose token this is; undefined if it is none, was revoked or has expired. */
export function findApiToken(dataDir: string, token: string, clock: Clock): Principal | undefined {
  const kept = readKept(dataDir, TOKEN.exec(token)?.[1]);
  if (kept === undefined) return undefined;
  // As digests of one length: neither the time nor an error tells how much of a guess was right.
  const isSame = timingSafeEqual(digest(token), Buffer.from(kept.digest, 'hex'));
  const { id, scopes, tenant, expiresAt } = kept;
  if (!isSame || (expiresAt !== undefined && expiresAt <= clock.now())) return undefined;
  return { kind: 'api_token', id: `api_token:${id}`, scopes, tenant, expiresAt };
}

/** The id has the form of one, so that the path stays in its folder. */
function fileOf(dataDir: string, id: string): string {
  return join(dataDir, FOLDER, `${id}.json`);
}

function readKept(dataDir: string, id: string | undefined): KeptToken | undefined {
  if (id === undefined) return undefined;
  try {
    const text = readOwnFile(
      fileOf(dataDir, id),
      'Revoke the token (`waymark token revoke`), and make a new one.',
    );
    return text === undefined ? undefined : parseKept(JSON.parse(text), id);
  } catch {
    // Others had their hands on it, or it is damaged: it is no token.
    return undefined;
  }
}

function parseKept(value: unknown, id: string): KeptToken | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const {
    name,
    scopes,
    tenant,
    createdAt,
    expiresAt,
    digest: kept,
  }: Partial<Record<keyof KeptToken, unknown>> = value;
  const isWhole =
    typeof name === 'string' &&
    NAME.test(name) &&
    Array.isArray(scopes) &&
    typeof createdAt === 'number' &&
    (expiresAt === undefined || typeof expiresAt === 'number') &&
    // One that cannot be read must not become the token of who runs the server.
    (tenant === undefined || (typeof tenant === 'string' && isTenantName(tenant))) &&
    typeof kept === 'string' &&
    /^[0-9a-f]{64}$/.test(kept);
  if (!isWhole) return undefined;
  const known = scopes.flatMap((scope) => parseScope(String(scope)) ?? []);
  return { id, name, scopes: known, tenant, createdAt, expiresAt, digest: kept };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
