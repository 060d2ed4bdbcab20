/** Text as it is shown: foreign text escaped, as a line of code or as a quotation; counts with their noun. */

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
  return `${escapeControlKeepingLines(line.slice(0, end))} … (line cut: ${line.length - end} more characters)`;
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
