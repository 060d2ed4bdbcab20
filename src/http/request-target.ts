/** What a request line names. Mostly a path; proxies, and clients that think we are one, send a whole address. Pure. */

export interface RequestTarget {
  /** Path and query. */
  readonly url: string;
  /** The host that an absolute address names; it stands above the Host header (RFC 9112, 3.2.2). */
  readonly authority: string | undefined;
}

export function parseTarget(target: string): RequestTarget {
  // The cheap look first: this runs for every request.
  if (target.startsWith('/')) return { url: target, authority: undefined };
  const [, authority, rest = ''] = /^http:\/\/([^/?#]*)([^#]*)/i.exec(target) ?? [];
  if (authority === undefined) return { url: target, authority: undefined };
  return { url: rest.startsWith('/') ? rest : `/${rest}`, authority };
}

/**
 * The host to check. A request without a Host header, or with two, is wrong whatever its address says, and stays with the
 * header, which no rule allows.
 */
export function hostOf(target: string | undefined, header: string | undefined): string | undefined {
  if (header === undefined || header.includes(',')) return header;
  return parseTarget(target ?? '/').authority ?? header;
}
