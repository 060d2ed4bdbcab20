/**
 * Git's configuration files, read by git's own rules: quotes, escapes, comments, continued lines, subsections. Includes are not
 * followed: a repository's could name any file of this machine.
 */

export interface GitSetting {
  /** `section.name` or `section.subsection.name`, as `git config --list` shows it. */
  readonly key: string;
  /** Undefined for a name without `=`, which means true. */
  readonly value: string | undefined;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['b', '\b'],
  ['"', '"'],
  ['\\', '\\'],
]);
const SPACE = /[ \t\r\n]/;
const LETTER = /[a-z]/i;
const NAME_CHAR = /[a-z0-9-]/i;
const SECTION_CHAR = /[a-z0-9.-]/i;
const END = '\n';

/** In the order of the file. Git refuses a file with a bad line; here, what stands before that line counts. */
export function parseGitConfig(text: string): readonly GitSetting[] {
  const settings: GitSetting[] = [];
  const source = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  let at = 0;
  /** The end of the file reads as the end of a line. */
  const next = (): string => source.charAt(at++) || END;
  let section = '';
  while (at < source.length) {
    const char = next();
    if (SPACE.test(char)) continue;
    if (char === '#' || char === ';') {
      const end = source.indexOf(END, at);
      at = end === -1 ? source.length : end;
    } else if (char === '[') {
      const named = readSection(next);
      if (named === undefined) break;
      section = named;
    } else {
      const setting = LETTER.test(char) ? readSetting(char, next) : undefined;
      if (setting === undefined) break;
      settings.push({ key: `${section}.${setting.key}`, value: setting.value });
    }
  }
  return settings;
}

/** `core`, `remote "origin"`, or `remote.origin` as it was once written. Only a quoted subsection keeps its case. */
function readSection(next: () => string): string | undefined {
  let name = '';
  let char = next();
  for (; SECTION_CHAR.test(char); char = next()) name += char.toLowerCase();
  if (char === ']') return name;
  if (!SPACE.test(char)) return undefined;
  while (char !== END && SPACE.test(char)) char = next();
  if (char !== '"') return undefined;
  name += '.';
  for (char = next(); char !== '"'; char = next()) {
    if (char === '\\') char = next();
    if (char === END) return undefined;
    name += char;
  }
  return next() === ']' ? name : undefined;
}

function readSetting(first: string, next: () => string): GitSetting | undefined {
  let key = first.toLowerCase();
  let char = next();
  for (; NAME_CHAR.test(char); char = next()) key += char.toLowerCase();
  while (char === ' ' || char === '\t') char = next();
  if (char === END) return { key, value: undefined };
  const value = char === '=' ? readValue(next) : undefined;
  return value === undefined ? undefined : { key, value };
}

/** Undefined for an open quote or an unknown escape. */
function readValue(next: () => string): string | undefined {
  let value = '';
  /** How much of it stays when unquoted spaces at its end go. */
  let kept = 0;
  let isQuoted = false;
  for (;;) {
    const char = next();
    if (char === END) return isQuoted ? undefined : value.slice(0, kept);
    if (!isQuoted && SPACE.test(char)) {
      if (value !== '') value += char;
      continue;
    }
    if (!isQuoted && (char === '#' || char === ';')) {
      while (next() !== END);
      return value.slice(0, kept);
    }
    if (char === '"') isQuoted = !isQuoted;
    else if (char === '\\') {
      const escaped = next();
      const meant = escaped === END ? '' : ESCAPES.get(escaped);
      if (meant === undefined) return undefined;
      value += meant;
    } else value += char;
    kept = value.length;
  }
}

/** The value that counts where git takes one: the last. Undefined if the key is absent or has no value. */
export function lastValue(settings: readonly GitSetting[], key: string): string | undefined {
  return settings.findLast((setting) => setting.key === key)?.value;
}

/** The first, as git takes the address of a remote. */
export function firstValue(settings: readonly GitSetting[], key: string): string | undefined {
  return settings.find((setting) => setting.key === key)?.value;
}

/** Whether a setting is on. */
export function isOn(settings: readonly GitSetting[], key: string): boolean {
  const setting = settings.findLast((one) => one.key === key);
  if (setting === undefined) return false;
  const { value = 'true' } = setting;
  return /^(?:true|yes|on|[+-]?0*[1-9]\d*[kmg]?)$/i.test(value);
}
