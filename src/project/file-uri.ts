/** From a `file:` URI to a path, or nothing. Decoded exactly once; never a guess. */

/** Absolute POSIX paths and Windows drive paths come back; everything else yields undefined. */
export function parseFileUri(uri: string): string | undefined {
  const match = /^file:\/\/([^/?#]*)(\/[^?#]*)$/i.exec(uri);
  if (match === null) return undefined;
  const [, host = '', encoded = ''] = match;
  if (host !== '' && host.toLowerCase() !== 'localhost') return undefined;
  const path = decodeOnce(encoded);
  // Two slashes at the start are another machine's share on some systems.
  if (path === undefined || path.includes('\0') || path.startsWith('//')) return undefined;
  const drive = /^\/([a-z]):(\/.*|$)/i.exec(path);
  if (drive === null) return path;
  return `${drive[1]?.toUpperCase()}:${(drive[2] === '' ? '/' : (drive[2] ?? '/')).replaceAll('/', '\\')}`;
}

/** Undefined if the text is not valid percent-encoding, or hides a separator or a NUL in it. */
function decodeOnce(encoded: string): string | undefined {
  // An encoded slash would make two names out of one, depending on who decodes: no client sends one in good faith.
  if (/%(?:2f|5c|00)/i.test(encoded)) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/** The value of a query parameter, percent-decoded once. A plus stays a plus: it is a letter of a path, not a space. */
export function readQueryPath(url: string, name: string): string | undefined {
  const mark = url.indexOf('?');
  if (mark === -1) return undefined;
  for (const pair of url.slice(mark + 1).split('&')) {
    const at = pair.indexOf('=');
    const key = at === -1 ? pair : pair.slice(0, at);
    if (key !== name) continue;
    const value = at === -1 ? '' : pair.slice(at + 1);
    try {
      return decodeURIComponent(value);
    } catch {
      return value;
    }
  }
  return undefined;
}
