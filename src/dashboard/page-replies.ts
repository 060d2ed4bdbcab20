/** Replies of the page: its files with the rules a browser enforces, JSON, and failures in our own words. */
import type { AppError } from '../core/index.ts';
import { emptyReply, jsonReply, type Exchange, type Headers, type Reply } from '../transport/index.ts';
import type { ApiFailure } from './api.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const PAGE_HEADERS: Headers = {
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
};

const PRIVATE: Headers = { ...PAGE_HEADERS, 'Cache-Control': 'no-store' };

const FILES = {
  '/ui/': { name: 'index.html', type: 'text/html; charset=utf-8' },
  '/ui/page.js': { name: 'page.js', type: 'text/javascript; charset=utf-8' },
  '/ui/styles.css': { name: 'styles.css', type: 'text/css; charset=utf-8' },
  '/ui/icon.svg': { name: 'icon.svg', type: 'image/svg+xml' },
} as const;

export type PageFile = (typeof FILES)[keyof typeof FILES]['name'];

export interface PageFiles {
  /** Undefined if no file has this address. */
  reply(exchange: Exchange): Reply | undefined;
}

/** Each is read once, when it is first asked for. */
export function createPageFiles(read: (name: PageFile) => string): PageFiles {
  const kept = new Map<PageFile, string>();
  return {
    reply({ method, path }) {
      if (method !== 'GET') return undefined;
      if (path === '/' || path === '/ui') return emptyReply(302, { ...PRIVATE, Location: '/ui/' });
      const [, file] = Object.entries(FILES).find(([address]) => address === path) ?? [];
      if (file === undefined) return undefined;
      const body = kept.get(file.name) ?? read(file.name);
      kept.set(file.name, body);
      return { kind: 'whole', status: 200, headers: { ...PRIVATE, 'Content-Type': file.type }, body };
    },
  };
}

export function valueReply(value: unknown): Reply {
  return jsonReply(200, value, PRIVATE);
}

export function failureReply(
  status: number,
  { code, message, hint }: { readonly code: string; readonly message: string; readonly hint?: string },
): Reply {
  const failure: ApiFailure = { error: { code, message, hint: hint ?? null } };
  return jsonReply(status, failure, PRIVATE);
}

export function errorAsReply({ code, message, hint, facts }: AppError): Reply {
  return failureReply(facts.httpStatus, { code, message, ...(hint === undefined ? {} : { hint }) });
}
