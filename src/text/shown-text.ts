/** Text as it is shown: safe characters, numbered lines, and what it costs in tokens. The page's browser runs it too: it imports nothing. */

/** The lines of a text, cut out when they are asked for: of a file that is shown, few are. */
export class TextLines {
  readonly length: number;
  /** All of them, with `\n` between them. */
  readonly text: string;
  /** Where each begins, and where one behind the last would. */
  private readonly starts: Uint32Array;

  /** Lines are broken as `splitLines` breaks them. */
  constructor(text: string) {
    const even = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
    this.text = even.endsWith('\n') ? even.slice(0, -1) : even;
    // Where there is nothing there is no line.
    this.starts = even === '' ? new Uint32Array([0]) : lineStarts(this.text);
    this.length = this.starts.length - 1;
  }

  /** By its place, from 0; empty where there is none. */
  at(place: number): string {
    if (place < 0 || place >= this.length) return '';
    return this.text.slice(this.starts[place] ?? 0, (this.starts[place + 1] ?? 0) - 1);
  }

  /** The lines from one to before another as one text. */
  piece(from: number, to: number): string {
    const last = Math.min(to, this.length);
    return from >= last ? '' : this.text.slice(this.starts[from] ?? 0, (this.starts[last] ?? 0) - 1);
  }

  slice(from: number, to: number): string[] {
    const lines: string[] = [];
    for (let place = Math.max(0, from); place < Math.min(to, this.length); place++)
      lines.push(this.at(place));
    return lines;
  }
}

/** And where one behind the last would. */
function lineStarts(text: string): Uint32Array {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  starts.push(text.length + 1);
  return new Uint32Array(starts);
}

/** What code costs a model, closely and hardly ever too low: 1.2 times the truth in the middle of the files we measured. Pure. */
const SHORT_WORD = 5;
const LETTERS_PER_TOKEN = 4;
const MOST_DIGITS = 3;
const SHORTEST_DATA = 60;
const PER_SIGN = 0.6;
const PER_DATA_CHAR = 1;
const PER_FOREIGN_CHAR = 1.4;
const PER_PAIR = 3;

const LETTER = 1;
const DIGIT = 2;
const SIGN = 4;
const BLANK = 8;
/** May be in a key, a digest or packed data. */
const DATA = 16;
/** By the code of each ASCII character. */
const SORTS = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/[A-Za-z]/.test(char)) return LETTER | DATA;
  if (/\d/.test(char)) return DIGIT | DATA;
  if (/[ \t]/.test(char)) return BLANK;
  if (/[+/_-]/.test(char)) return SIGN | DATA;
  return /[!-~]/.test(char) ? SIGN : 0;
});
const NEW_LINE = 10;

/** It is asked of every block of every answer, so characters are counted one by one. */
export function estimateCodeTokens(text: string): number {
  let tokens = 0;
  let dataEnd = 0;
  for (let at = 0; at < text.length;) {
    const sort = sortAt(text, at);
    if ((sort & DATA) !== 0) {
      if (at >= dataEnd) dataEnd = endOf(text, at, DATA);
      if (dataEnd - at >= SHORTEST_DATA) {
        tokens += costOfData(text, at, dataEnd);
        at = dataEnd;
        continue;
      }
    }
    let end = at + 1;
    if ((sort & LETTER) !== 0) {
      end = endOf(text, at, LETTER);
      tokens += costOfWord(end - at);
    } else if ((sort & DIGIT) !== 0) {
      end = Math.min(endOf(text, at, DIGIT), at + MOST_DIGITS);
      tokens += 1;
    } else if ((sort & SIGN) !== 0) {
      end = endOf(text, at, SIGN);
      tokens += costOfSigns(end - at);
    } else if ((sort & BLANK) !== 0) {
      end = endOf(text, at, BLANK);
      if (end - at > 1) tokens += 1;
    } else if (text.charCodeAt(at) === NEW_LINE) {
      // With what the next line is indented by.
      end = endOf(text, at + 1, BLANK);
      tokens += 1;
    } else {
      const char = String.fromCodePoint(text.codePointAt(at) ?? 0);
      end = at + char.length;
      if (!/\s/.test(char)) tokens += costOfOther(char);
    }
    at = end;
  }
  return Math.ceil(tokens);
}

function sortAt(text: string, at: number): number {
  return SORTS[text.charCodeAt(at)] ?? 0;
}

function endOf(text: string, from: number, sort: number): number {
  let at = from;
  while (at < text.length && (sortAt(text, at) & sort) !== 0) at += 1;
  return at;
}

function costOfWord(length: number): number {
  return length <= SHORT_WORD ? 1 : 1 + (length - SHORT_WORD) / LETTERS_PER_TOKEN;
}

function costOfSigns(length: number): number {
  return Math.max(1, length * PER_SIGN);
}

/** Keys, digests and packed data have no words to be short by. */
function costOfData(text: string, from: number, end: number): number {
  let sorts = 0;
  for (let at = from; at < end; at++) sorts |= sortAt(text, at);
  if ((sorts & DIGIT) !== 0) return (end - from) * PER_DATA_CHAR;
  return (sorts & LETTER) === 0 ? costOfSigns(end - from) : costOfWord(end - from);
}

function costOfOther(char: string): number {
  if (char.charCodeAt(0) <= 0x7e) return 1;
  return char.length > 1 ? PER_PAIR : PER_FOREIGN_CHAR;
}

/**
 * Safe for one line of a terminal or a log: C0 and C1 controls, line separators, bidirectional
 * overrides and invisible tag characters become visible escapes. Ordinary text comes back unchanged.
 */
const UNSAFE =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the point
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Cs}/gu;

export function escapeControl(text: string): string {
  return text.replace(UNSAFE, (char) => {
    if (char === '\n') return '\\n';
    if (char === '\r') return '\\r';
    if (char === '\t') return '\\t';
    const point = char.codePointAt(0) ?? 0;
    return point <= 0xff ? `\\x${point.toString(16).padStart(2, '0')}` : `\\u{${point.toString(16)}}`;
  });
}

/** Brackets and quotes are what fences and markup are made of: a name in a line of ours needs none. */
const FENCE_SIGNS = /[<>"`|\\]/g;

/** A foreign name in a line of ours: like escapeControl, and unlike the end of a fence. */
export function escapeName(name: string): string {
  return escapeControl(name).replaceAll(FENCE_SIGNS, '?');
}

/** The same for JSON, which stays what it means: JSON itself escapes C0 controls only. Its line breaks are its layout. */
export function escapeControlInJson(json: string): string {
  return json.replace(UNSAFE, (char) =>
    char === '\n'
      ? char
      : // A pair of surrogates is two units, each with an escape of its own.
        char.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

/** Like escapeControl, but line breaks and tabs stay: for text of several lines. */
export function escapeControlKeepingLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.split('\t').map(escapeControl).join('\t'))
    .join('\n');
}

/** Safe to show, indent and trailing blanks kept; of a very long line the beginning, and how much is missing. */
export function renderCodeLine(line: string, mostChars = Infinity): string {
  if (line.length <= mostChars) return escapeControlKeepingLines(line);
  const end = isHighSurrogate(line.charCodeAt(mostChars - 1)) ? mostChars - 1 : mostChars;
  return `${escapeControlKeepingLines(line.slice(0, end))} … (line cut: ${countOf(line.length - end, 'more character')})`;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

const MOST_QUOTED_CHARS = 60;

/** Foreign text inside one of our messages: short, visible, and plainly a quotation. */
export function quoteForeign(text: string): string {
  const short = text.length > MOST_QUOTED_CHARS ? `${text.slice(0, MOST_QUOTED_CHARS)}…` : text;
  return `\`${escapeControl(short).replaceAll('`', "'")}\``;
}

/** `1 file`, `2 files`; `3 entries` where the plural is given. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Counted with OpenAI's o200k_base, our own listing has 4.4 characters to a token; a test compares. */
const LISTING_CHARACTERS_PER_TOKEN = 4.4;

/** What a client hands its model of a listing: neither hints nor output schemas. */
export function estimateListingTokens(tools: readonly object[]): number {
  const listed = tools.map((tool) => ({
    name: Reflect.get(tool, 'name'),
    description: Reflect.get(tool, 'description'),
    inputSchema: Reflect.get(tool, 'inputSchema'),
  }));
  return Math.ceil(JSON.stringify(listed).length / LISTING_CHARACTERS_PER_TOKEN);
}
