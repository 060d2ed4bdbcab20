/** Bytes of a file become text with lines: whatever the encoding, and always the same text for the same bytes. */

export const TEXT_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type TextEncodingName = (typeof TEXT_ENCODINGS)[number];

export interface DecodedText {
  /** No byte order mark, no NUL, no lone surrogate; every line break is `\n`, so that line n is line n in an editor. */
  readonly text: string;
  readonly encoding: TextEncodingName;
  /** Whether characters were replaced because they could not be read. */
  readonly lossy: boolean;
  /** Characters in the longest line. Long lines are kept; what is too long is for the caller to decide. */
  readonly longestLine: number;
}

const REPLACEMENT = '\ufffd';
/** What windows-1252 has where Latin-1 has control characters; five places are empty there. */
const WINDOWS_1252 = '€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ';

export function decodeText(bytes: Uint8Array): DecodedText {
  const encoding = encodingByMark(bytes) ?? encodingByNuls(bytes);
  const { text, ...found } =
    encoding === undefined ? decodeBytes(bytes) : { text: decodeAs(encoding, bytes), encoding };
  const clean = text.includes('\0') ? text.replaceAll('\0', REPLACEMENT) : text;
  const lines = clean.includes('\r') ? clean.replace(/\r\n?/g, '\n') : clean;
  return {
    text: lines,
    ...found,
    lossy: isLossy(lines, bytes, found.encoding),
    longestLine: longestLineOf(lines),
  };
}

/** The lines of a text, broken at `\n`, `\r\n` and lone `\r`; a break at the end starts no further line. */
export function splitLines(text: string): readonly string[] {
  const lines = text.includes('\r') ? text.split(/\r\n|\r|\n/) : text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function encodingByMark(bytes: Uint8Array): TextEncodingName | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

/** Text of mostly Latin letters in UTF-16 has a NUL in every other byte, always on the same side. */
function encodingByNuls(bytes: Uint8Array): TextEncodingName | undefined {
  const pairs = Math.min(Math.floor(bytes.length / 2), 2048);
  if (pairs < 2 || bytes.length % 2 !== 0 || bytes.indexOf(0) === -1) return undefined;
  let first = 0;
  let second = 0;
  for (let at = 0; at < pairs * 2; at += 2) {
    if (bytes[at] === 0) first += 1;
    if (bytes[at + 1] === 0) second += 1;
  }
  if (second > pairs * 0.4 && first < pairs * 0.02) return 'utf-16le';
  if (first > pairs * 0.4 && second < pairs * 0.02) return 'utf-16be';
  return undefined;
}

function decodeAs(encoding: TextEncodingName, bytes: Uint8Array): string {
  return new TextDecoder(encoding).decode(bytes);
}

/** UTF-8 where it is valid; otherwise whichever explains the bytes better. */
function decodeBytes(bytes: Uint8Array): { readonly text: string; readonly encoding: TextEncodingName } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8' };
  } catch {
    const text = decodeAs('utf-8', bytes);
    // A few broken bytes in a text of many good multi-byte characters: it was UTF-8, and something cut into it.
    if (count(text, /[\u0080-\ufffc]/g) > count(text, /\ufffd/g)) return { text, encoding: 'utf-8' };
    return { text: decodeWindows1252(bytes), encoding: 'windows-1252' };
  }
}

/** Some releases of Node decode this label as plain Latin-1: what they leave as control characters is put right here. */
function decodeWindows1252(bytes: Uint8Array): string {
  return decodeAs('windows-1252', bytes).replace(
    /[\u0080-\u009f]/g,
    (char) => WINDOWS_1252[char.charCodeAt(0) - 0x80] ?? REPLACEMENT,
  );
}

/** A replacement character that the file itself holds, properly encoded, is not a loss. */
function isLossy(text: string, bytes: Uint8Array, encoding: TextEncodingName): boolean {
  if (!text.includes(REPLACEMENT)) return false;
  if (encoding !== 'utf-8') return true;
  let own = 0;
  for (let at = bytes.indexOf(0xef); at !== -1; at = bytes.indexOf(0xef, at + 1)) {
    if (bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) own += 1;
  }
  return count(text, /\ufffd/g) > own;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function longestLineOf(text: string): number {
  let longest = 0;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    if (end - start > longest) longest = end - start;
    start = end + 1;
  }
  return Math.max(longest, text.length - start);
}
