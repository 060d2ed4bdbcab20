/** A declaration on one line: what is shown of a definition when its body is not. */

export const MOST_SIGNATURE_CHARS = 200;
const MOST_SIGNATURE_LINES = 12;

/** The declaring line, and those after it while its brackets are open. */
export function signatureAt(lines: readonly string[], headLine: number): string {
  let signature = '';
  let open = 0;
  for (let line = headLine; line < headLine + MOST_SIGNATURE_LINES; line++) {
    const text = (lines[line - 1] ?? '').slice(0, MOST_SIGNATURE_CHARS * 2).trim();
    const glue = signature === '' || signature.endsWith('(') || /^[)\]>]/.test(text) ? '' : ' ';
    signature += glue + text;
    open += bracketsLeftOpen(text);
    if (open <= 0 || signature.length >= MOST_SIGNATURE_CHARS) break;
  }
  const bare = signature.replace(/,\)/, ')');
  return (bare.endsWith('{') ? bare.slice(0, -1).trimEnd() : bare).slice(0, MOST_SIGNATURE_CHARS);
}

function bracketsLeftOpen(text: string): number {
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 40 || code === 91) open++;
    else if (code === 41 || code === 93) open--;
  }
  return open;
}
