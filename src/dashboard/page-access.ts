/** Who may use the page: a one-time code becomes a cookie and a token, and every request for anything must bring both. */
import { createHash } from 'node:crypto';
import type { Clock } from '../core/index.ts';
import { jsonReply, type Exchange, type Reply } from '../transport/index.ts';
import { failureReply } from './page-replies.ts';

export interface PageAccess {
  /** For a link; good for one exchange. */
  newCode(): string;
  /** The answer to a code: cookie and token, or a refusal that does not say what was wrong with it. */
  exchange(exchange: Exchange, code: unknown): Reply;
  /** A refusal, unless the request comes from a page that was let in. */
  refuse(exchange: Exchange): Reply | undefined;
}

export interface PageAccessOptions {
  /** 256 bits that cannot be guessed. */
  readonly newSecret: () => string;
  readonly clock: Clock;
}

const CODE_MS = 30 * 60_000;
const MOST_CODES = 20;
const MOST_SESSIONS = 50;
const SESSION_IDLE_MS = 7 * 24 * 3600_000;
const TOKEN_HEADER = 'x-waymark-page';

interface Session {
  readonly token: string;
  usedAt: number;
}

const REFUSED = {
  code: 'page_locked',
  message: 'This page is not open here, or its link was used before.',
  hint: 'Run `waymark ui` in a terminal; it prints a fresh link.',
};

/** Secrets are kept and looked up as digests: no comparison takes longer for a better guess. */
export function createPageAccess({ newSecret, clock }: PageAccessOptions): PageAccess {
  const codes = new Map<string, number>();
  const sessions = new Map<string, Session>();
  return {
    newCode() {
      const code = newSecret();
      codes.set(digest(code), clock.elapsed());
      dropOldest(codes, MOST_CODES);
      return code;
    },
    exchange(exchange, code) {
      const key = digest(typeof code === 'string' ? code : '');
      const madeAt = codes.get(key);
      codes.delete(key);
      if (madeAt === undefined || clock.elapsed() - madeAt > CODE_MS) return failureReply(403, REFUSED);
      const [cookie, token] = [newSecret(), newSecret()];
      sessions.set(digest(cookie), { token: digest(token), usedAt: clock.elapsed() });
      dropOldest(sessions, MOST_SESSIONS);
      const attributes = 'Path=/ui; HttpOnly; SameSite=Strict';
      return jsonReply(200, { token }, { 'Set-Cookie': `${cookieName(exchange)}=${cookie}; ${attributes}` });
    },
    refuse(exchange) {
      if (!isOwnPage(exchange))
        return failureReply(403, { ...REFUSED, message: 'Only the page of this server may ask this.' });
      const cookie = readCookie(exchange);
      const session = cookie === undefined ? undefined : sessions.get(digest(cookie));
      const now = clock.elapsed();
      const isGood =
        session !== undefined &&
        now - session.usedAt <= SESSION_IDLE_MS &&
        session.token === digest(exchange.header(TOKEN_HEADER) ?? '');
      if (!isGood) return failureReply(401, REFUSED);
      session.usedAt = now;
      return undefined;
    },
  };
}

/**
 * Stricter than the listener, which lets every page of this machine in: an Origin has to be this very address, port included,
 * and a write must have one.
 */
export function isOwnPage(exchange: Exchange): boolean {
  const site = exchange.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') return false;
  const origin = exchange.header('origin');
  if (origin === undefined) return exchange.method === 'GET';
  const host = exchange.header('host')?.toLowerCase();
  const said = origin.toLowerCase();
  return host !== undefined && (said === `http://${host}` || said === `https://${host}`);
}

/** Cookies do not tell ports apart: another server on this machine has one of another name. */
function cookieName(exchange: Exchange): string {
  const port = /:(\d+)$/.exec(exchange.header('host') ?? '')?.[1] ?? 'default';
  return `waymark_page_${port}`;
}

function readCookie(exchange: Exchange): string | undefined {
  const name = `${cookieName(exchange)}=`;
  const pairs = (exchange.header('cookie') ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(name))?.slice(name.length);
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
