/** Addresses that authorization hangs on: only what no one on the way can read or change. */
import { AppError } from '../core/index.ts';
import { isLoopback } from '../text/index.ts';

/** As it is written: issuers are compared letter by letter. Throws `bad_config`. */
export function checkIssuer(text: string): string {
  readSafeUrl(text, '--oauth-issuer');
  return text;
}

/** Where clients find the server, in the form that they ask tokens for. Throws `bad_config`. */
export function checkPublicUrl(text: string): string {
  const { href, pathname } = readSafeUrl(text, '--public-url');
  return pathname === '/' ? href : href.replace(/\/$/, '');
}

/** Also for addresses that an issuer tells, such as that of its keys. */
export function isSafeUrl(url: URL): boolean {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(host));
}

function readSafeUrl(text: string, flag: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const hasMore = url !== undefined && [url.username, url.password, url.search, url.hash].join('') !== '';
  if (url !== undefined && isSafeUrl(url) && !hasMore) return url;
  throw new AppError(
    'bad_config',
    `${flag} takes an https address, or an http address of this machine, without a query, a fragment or a password.`,
    { hint: `Write it as ${flag} https://…` },
  );
}
