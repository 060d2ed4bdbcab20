/**
 * Text as git sees it: one character per byte. Git matches bytes, so `?` is half of an `é`; a string of bytes keeps that
 * exact, costs nothing for ASCII, and holds rule files that are not valid UTF-8.
 */

const NOT_ASCII = /[^\0-\x7f]/;

export function toByteText(text: string): string {
  return NOT_ASCII.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;
}

export function fromByteText(bytes: string): string {
  return NOT_ASCII.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes;
}

/** Git folds ASCII only, whatever the locale. */
export function foldAscii(bytes: string): string {
  return bytes.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
