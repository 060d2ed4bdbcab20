/** One name for a repository, however its remote is written: so that all who work on it share its memory. */

/** `git@host:path`, as ssh and git take it. A letter and a colon is a drive. */
const SHORT = /^(?:[^@/\s]+@)?([^:/\s]{2,}):(?!\/\/)([^\s]+)$/;
const LONG =
  /^(?:https?|ssh|git|git\+ssh|git\+https):\/\/(?:[^@/\s]*@)?(\[[0-9a-f:]+\]|[^:/\s]+)(?::\d+)?\/+([^\s]+)$/i;

/**
 * Host and path without user, password, port, `.git` and case; undefined for what is no address of another machine. It is the
 * same for ssh and https, and has no secret in it.
 *
 * @example
 * remoteIdentity('git@github.com:Acme/Shop.git') === 'github.com/acme/shop'
 */
export function remoteIdentity(remote: string): string | undefined {
  const [, host, path] = LONG.exec(remote) ?? SHORT.exec(remote) ?? [];
  if (host === undefined || path === undefined) return undefined;
  const clean = path
    .replace(/[?#].*$/, '')
    .replaceAll(/\/+/g, '/')
    .replace(/^\//, '')
    .replace(/\/$/, '')
    .replace(/\.git$/i, '');
  return clean === '' ? undefined : `${host}/${clean}`.toLowerCase();
}
