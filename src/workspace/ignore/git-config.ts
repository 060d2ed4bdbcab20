/** One value of a git configuration file, by a parser that knows sections, quotes and comments. Git is never run. */

/** The last value of `core.<key>`; includes and conditions are not followed. */
export function readCoreSetting(text: string, key: string): string | undefined {
  let isCore = false;
  let value: string | undefined;
  for (const line of text.replaceAll(/\\\r?\n/g, '').split(/\r?\n/)) {
    // Without its end a section is none, and looking for one would go back and forth over a long line.
    const section = !line.includes(']') ? null : /^\s*\[\s*([^\]"\s]+)\s*("?)[^\]]*\]/.exec(line);
    if (section !== null) isCore = section[1]?.toLowerCase() === 'core' && section[2] === '';
    const rest = section === null ? line : line.slice(section[0].length);
    const setting = isCore ? /^\s*([a-z][a-z0-9-]*)\s*(?:=(.*))?$/i.exec(rest) : null;
    if (setting?.[1]?.toLowerCase() === key) value = parseValue(setting[2] ?? 'true');
  }
  return value;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b' };

/** Quotes keep spaces and comment signs; outside of them a comment ends the value and spaces around it go. */
function parseValue(written: string): string {
  let value = '';
  let kept = 0;
  let isQuoted = false;
  const text = written.trimStart();
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (char === '#' || char === ';')) break;
    else if (char === '\\') {
      at++;
      value += ESCAPES[text[at] ?? ''] ?? text[at] ?? '';
      kept = value.length;
      continue;
    } else value += char;
    if (isQuoted || !/\s/.test(char)) kept = value.length;
  }
  return value.slice(0, kept);
}
