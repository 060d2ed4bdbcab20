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

/** What a URL says: several values if they differ. Which of them was meant, nobody knows. */
export type QueryPath = string | readonly string[];

/** The value of a query parameter, percent-decoded once. A plus stays a plus: it is a letter of a path, not a space. */
export function readQueryPath(url: string, name: string): QueryPath | undefined {
  const mark = url.indexOf('?');
  const pairs = mark === -1 ? [] : url.slice(mark + 1).split('&');
  const values = pairs.flatMap((pair) => {
    const at = pair.indexOf('=');
    const key = decodeLeniently(at === -1 ? pair : pair.slice(0, at));
    return key === name ? [decodeLeniently(at === -1 ? '' : pair.slice(at + 1))] : [];
  });
  const different = [...new Set(values)];
  return different.length > 1 ? different : different[0];
}

function decodeLeniently(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
