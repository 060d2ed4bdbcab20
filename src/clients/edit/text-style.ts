/** How a text is laid out, so that what is added looks like what is there. */

export function endOfLineOf(text: string): string {
  const at = text.indexOf('\n');
  return at > 0 && text[at - 1] === '\r' ? '\r\n' : '\n';
}

/** The white space at the start of the line that holds this offset. */
export function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, at)))?.[0] ?? '';
}

export function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

/** Where the line's own characters end: before its line break, or at the end of the text. */
export function lineEnd(text: string, at: number): number {
  const found = text.indexOf('\n', at);
  if (found === -1) return text.length;
  return found > at && text[found - 1] === '\r' ? found - 1 : found;
}

/** Behind the line break, or at the end of the text. */
export function nextLine(text: string, at: number): number {
  const found = text.indexOf('\n', at);
  return found === -1 ? text.length : found + 1;
}

/** One level of indentation: that of the first indented line. */
export function indentUnit(text: string): string {
  const found = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  return found.startsWith('\t') ? '\t' : found;
}

/** Replaces [from, to) by the new text. */
export function splice(text: string, from: number, to: number, put: string): string {
  return text.slice(0, from) + put + text.slice(to);
}

/** Lines one under the other, all but the first indented. */
export function indentLines(text: string, indent: string, endOfLine: string): string {
  return text.split('\n').join(endOfLine + indent);
}
