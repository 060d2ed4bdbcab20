/** A remote's address as it may be shown: people put passwords and tokens into it, and what is shown reaches a model. */

const AUTHORITY = /^(?:\[[0-9a-f:.]+\]|[\p{L}\p{N}._~-]*)(?::\d*)?$/iu;

/** The address without users, passwords, query and fragment; undefined if it cannot be told which part is which. */
export function withoutCredentials(address: string): string | undefined {
  // Control characters belong into no address; `name::` hands the rest to a program, in a form that only that one knows.
  if (/\p{Cc}/u.test(address) || /^[a-z0-9+.-]+::/i.test(address)) return undefined;
  const [, scheme, rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)(.*)$/i.exec(address) ?? [];
  if (scheme !== undefined) return shown(scheme, rest);
  // `user@host:path`, as scp has it; what has no colon before its first slash is a path of this machine.
  const [head = ''] = address.split('/', 1);
  return /[:@]/.test(head) ? shown('', address) : address;
}

function shown(scheme: string, rest: string): string | undefined {
  const end = /[/?#]/.exec(rest)?.index ?? rest.length;
  const path = rest.slice(end);
  // A password with a slash in it would look like a host and its path.
  if (/(?<!\/)@/.test(path)) return undefined;
  const authority = rest.slice(rest.lastIndexOf('@', end) + 1, end);
  if (scheme !== '' && !AUTHORITY.test(authority)) return undefined;
  return cut(scheme + authority + path);
}

function cut(address: string): string {
  return address.replace(/[?#].*$/, '');
}
