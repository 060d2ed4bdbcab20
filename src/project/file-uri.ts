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
