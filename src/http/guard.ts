/**
 * Who may talk to us: Host against DNS rebinding, Origin against web pages. Pure, and asked for every verb and route.
 * A request without an Origin does not come from a web page; `null` is an origin like any other, and a foreign one.
 */
export interface GuardRules {
  /** Host names, lower-case, without ports. */
  readonly hosts: readonly string[];
  /** Origins beyond the loopback ones, as `https://app.example` or with a port. */
  readonly origins: readonly string[];
}

export type Verdict =
  | { readonly kind: 'pass' }
  | { readonly kind: 'refuse'; readonly status: 403 | 421; readonly message: string };

export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

const PASS: Verdict = { kind: 'pass' };

export function checkRequest(
  rules: GuardRules,
  host: string | undefined,
  origin: string | undefined,
): Verdict {
  if (host === undefined || !rules.hosts.includes(hostName(host))) {
    return { kind: 'refuse', status: 421, message: 'Invalid Host header' };
  }
  if (origin !== undefined && !isAllowedOrigin(origin, rules)) {
    return { kind: 'refuse', status: 403, message: 'Invalid Origin header' };
  }
  return PASS;
}

/** Whether this origin was named by the user: only such a page may read our answers. */
export function isNamedOrigin(origin: string | undefined, rules: GuardRules): origin is string {
  return origin !== undefined && rules.origins.includes(origin.toLowerCase());
}

function isAllowedOrigin(origin: string, rules: GuardRules): boolean {
  if (isNamedOrigin(origin, rules)) return true;
  const host = /^https?:\/\/([^/?#@\s]+)$/i.exec(origin)?.[1];
  return host !== undefined && LOOPBACK_HOSTS.includes(hostName(host));
}

/** The name in a Host header, lower-case, any port removed; text that is no host gives a name nobody has. */
function hostName(host: string): string {
  const match = /^(\[[0-9a-f:.]+\]|[^:[\]\s/@?#]+)(?::\d{1,5})?$/i.exec(host);
  return match?.[1]?.toLowerCase() ?? '';
}
