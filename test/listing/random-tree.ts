/** Trees with ignore files that use every feature of the syntax, the same ones for the same seed. */

export interface RandomTree {
  /** Folders end with a slash. */
  readonly paths: readonly string[];
  /** Content of ignore files by path. */
  readonly ruleFiles: ReadonlyMap<string, string>;
  readonly exclude: string;
  readonly globalExcludes: string;
  readonly ignoresCase: boolean;
}

export type Random = (below: number) => number;

/** mulberry32 */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

// Separated by bars, because names hold everything else.
const NAMES = [
  'a|b|c|ab|abc|aab|ba|foo|bar|foobar|A|Ab|FOO|x1|x2|x-y|x_y|a.log|b.log|a.txt|b.c|a.b.c|.hid|.h.log',
  "é|éa|ü.log|日本|😀|a b| lead|end |a]|[b]|!c|#d|e\\f|t\\|:|[|g*|h?|-|^|a\tb|n\nl|~|q'|{a,b}|tail.|1|9z|_|+",
].flatMap((line) => line.split('|'));

const LITERALS = NAMES.filter((name) => !/[*?[\\\n]/.test(name)).concat('a', 'b', 'foo', 'log');
const CLASSES = [
  '[ab] [a-c] [!a] [^b] [a-] []a] [!]a] [[:alpha:]] [[:digit:]x] [![:upper:]] [A-F] [[:lower:][:space:]]',
  '[\\]] [a\\-c] [+--] [.-0] [é] [[:punct:]] [[:xdigit:]] [z-a] [B] [[:bogus:]] [a [ [! [[:alpha:] [[:a]',
  '[[:] [[:x] [[.a.]] [a-\\c] [/] [a/b] [[:graph:]] [!/]',
].flatMap((line) => line.split(' '));

export function createRandomTree(seed: number): RandomTree {
  const random = createRandom(seed);
  const pick = <T>(list: readonly [T, ...T[]] | readonly T[], otherwise: T): T =>
    list[random(list.length)] ?? otherwise;
  const folders = [''];
  const paths = new Map<string, string>();
  for (let count = 8 + random(14); count > 0; count--) {
    const parent = pick(folders, '');
    const path = parent + pick(NAMES, 'a');
    if (paths.has(path) || parent.split('/').length > 6) continue;
    paths.set(path, `${path}/`);
    folders.push(`${path}/`);
  }
  for (let count = 15 + random(25); count > 0; count--) {
    const path = pick(folders, '') + pick(NAMES, 'a');
    if (!paths.has(path)) paths.set(path, path);
  }
  const known = [...paths.keys()];

  function piece(): string {
    const kind = random(14);
    if (kind < 5) return pick(LITERALS, 'a');
    if (kind === 5) return '*';
    if (kind === 6) return '?';
    if (kind === 7) return '**';
    if (kind === 8) return pick(CLASSES, '[a]');
    if (kind === 9) return `\\${pick(LITERALS, 'a')}`;
    if (kind === 10) return `*${pick(['.log', 'a', '.c', 'b'], 'a')}`;
    if (kind === 11) return `${pick(LITERALS, 'a').slice(0, 1)}*`;
    if (kind === 12) return pick(['***', '\\*', '\\?', '\\[', '\\\\', '\\ ', '?*', '*?'], '*');
    return pick(CLASSES, '[a]') + pick(LITERALS, 'a');
  }

  function segment(): string {
    return Array.from({ length: 1 + (random(3) === 0 ? random(3) : 0) }, piece).join('');
  }

  /** A path that exists with parts of it replaced by wildcards: random patterns alone would seldom match. */
  function fromPath(): string {
    const parts = pick(known, 'a').split('/');
    const start = random(parts.length);
    return parts
      .slice(random(2) === 0 ? 0 : start)
      .map((part) => {
        const kind = random(9);
        if (kind === 0) return '*';
        if (kind === 1) return '**';
        if (kind === 2) return `${part.slice(0, 1)}*`;
        if (kind === 3) return part.replace(/./u, '?');
        if (kind === 4) return part.replace(/[a-z]/, '[a-z]');
        if (kind === 5) return part.toUpperCase();
        if (kind === 6) return `${part.slice(0, 1)}**`;
        return part.replaceAll(/[[\]*?\\#! ]/g, '\\$&');
      })
      .join(pick(['/', '/', '/', '/**/', '\\/', '[!x]', '?'], '/'));
  }

  function line(): string {
    if (random(14) === 0)
      return pick(
        ['', '# note', '   ', '!', '/', '//', '\\', '**', '*', '!*', '**/', '/**', '*/', '/*', '!*/', '***/'],
        '',
      );
    const body = random(2) === 0 ? fromPath() : Array.from({ length: 1 + random(3) }, segment).join('/');
    return [
      pick(['', '', '', '!', '!', '\\'], ''),
      pick(['', '', '', '/', '**/'], ''),
      body,
      pick(['', '', '', '/', '/**', '/*', '//'], ''),
      pick(['', '', '', '', '', ' ', '  ', '\\ ', '\\  ', '\\\\ ', '\t', ' \\'], ''),
      pick(['', '', '', '', '', '\r'], ''),
    ].join('');
  }

  function rules(most: number): string {
    const lines = Array.from({ length: 1 + random(most) }, () => line().replaceAll('\n', ''));
    const bom = random(12) === 0 ? '\uFEFF' : '';
    return bom + lines.join('\n') + (random(3) === 0 ? '' : '\n');
  }

  const ruleFiles = new Map<string, string>([['.gitignore', rules(8)]]);
  for (const folder of folders) if (random(4) === 0) ruleFiles.set(`${folder}.gitignore`, rules(4));
  return {
    paths: [...paths.values(), ...ruleFiles.keys()],
    ruleFiles,
    exclude: random(3) === 0 ? rules(3) : '',
    globalExcludes: random(3) === 0 ? rules(3) : '',
    ignoresCase: random(8) === 0,
  };
}
