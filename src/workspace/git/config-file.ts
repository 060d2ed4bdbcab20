/** Single values out of a git configuration file, read as git reads them. */

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b', '"': '"', '\\': '\\' };

/** The first value of a key. `section` as it is written in its brackets. Undefined if absent, or not what git would take. */
export function readGitConfig(text: string, section: string, key: string): string | undefined {
  let inside = false;
  for (const line of text.replaceAll(/\\\r?\n/g, '').split(/\r?\n/)) {
    const [, named, after = ''] = /^\s*\[([^\]"]*(?:"(?:[^"\\]|\\.)*")?)\](.*)$/.exec(line) ?? [];
    if (named !== undefined) inside = isSection(named, section);
    const [, name = '', value = ''] =
      /^\s*([a-z][a-z0-9-]*)\s*=(.*)$/i.exec(named === undefined ? line : after) ?? [];
    if (inside && name.toLowerCase() === key) return unquote(value);
  }
  return undefined;
}

/** What stands in quotes is told apart by case, what stands before them is not. */
function isSection(named: string, section: string): boolean {
  const [name = '', ...rest] = named.trim().split('"');
  const [wanted = '', ...wantedRest] = section.split('"');
  return name.trim().toLowerCase() === wanted.trim() && rest.join('"') === wantedRest.join('"');
}

function unquote(written: string): string | undefined {
  let value = '';
  let quoted = false;
  /** Up to here the value was quoted, so that its spaces are meant. */
  let kept = 0;
  const text = written.trimStart();
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    if (letter === '"') {
      quoted = !quoted;
      kept = value.length;
    } else if (letter === '\\') {
      const meant = ESCAPED[text.charAt(++at)];
      if (meant === undefined) return undefined;
      value += meant;
    } else if (!quoted && /[#;]/.test(letter)) break;
    else value += letter;
  }
  return quoted ? undefined : value.slice(0, kept) + value.slice(kept).trimEnd();
}
