/**
 * Makes foreign text safe for one line of a terminal or a log: C0 and C1 controls, line separators, bidirectional
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
