/** A query as people type it: words, "exact text", /regular expressions/ and filters. Pure. */
import { AppError } from '../core/index.ts';
import { nearest, quoteForeign } from '../text/index.ts';

export const KINDS = ['function', 'class', 'test', 'doc', 'config', 'code'] as const;
export type Kind = (typeof KINDS)[number];

export interface Filters {
  /** As they were written; who knows languages resolves them. */
  readonly languages: readonly string[];
  /** Globs; a file must match one. */
  readonly paths: readonly string[];
  /** Globs; a file must match none. */
  readonly notPaths: readonly string[];
  /** A file must be of one of them. */
  readonly kinds: readonly Kind[];
  /** Names; a file must define one. */
  readonly symbols: readonly string[];
  /** Only files that are not as in the last commit. */
  readonly changed: boolean;
  /** Only files that are not as where the work left this branch. */
  readonly branch: string | undefined;
}

export interface Pattern {
  readonly source: string;
  readonly ignoreCase: boolean;
}

export interface ParsedQuery {
  /** What is left to rank by: the words, and what stands in quotes. */
  readonly words: string;
  /** Every one of them must be in the file, as it is written. */
  readonly phrases: readonly string[];
  readonly pattern: Pattern | undefined;
  readonly filters: Filters;
}

const FILTER_NAMES = ['lang', 'path', 'kind', 'symbol', 'changed', 'branch'] as const;
const MOST_CHARS = 10_000;
/** Each filter is tried on every file: of each sort there may be `count`, of `chars` characters. */
export const FILTER_LIMITS = { count: 50, chars: 500 } as const;
const PIECE =
  /"((?:[^"\\]|\\.){1,500})"|(?<=^|\s)(-?)([a-z]+):(?:"([^"]+)"|((?:(?<=path:)\/)?[^\s:/"][^\s"]*))(?=\s|$)|([^\s"]+)|"/g;
const FILTER = String.raw`-?[a-z]+:(?:"[^"]+"|(?:(?<=path:)/)?[^\s:/"][^\s"]*)`;
/** An expression is all there is to look for; only filters may stand before and behind it. */
const WHOLE_PATTERN = new RegExp(`^((?:${FILTER}\\s+)*)/(.+)/(i?)((?:\\s+${FILTER})*)$`, 's');

export function parseQuery(query: string, given: Partial<Filters> = {}): ParsedQuery {
  if (query.length > MOST_CHARS) {
    throw new AppError(
      'bad_argument',
      `A query may have ${MOST_CHARS} characters; this one has ${query.length}.`,
      {
        hint: 'Ask in a sentence, or search for the name of a function.',
      },
    );
  }
  const found: Record<'lang' | 'path' | 'notPath' | 'kind', string[]> = {
    lang: [],
    path: [],
    notPath: [],
    kind: [],
  };
  const symbols: string[] = [];
  let changed = given.changed ?? false;
  let { branch } = given;
  const phrases: string[] = [];
  const words: string[] = [];
  const pattern = WHOLE_PATTERN.exec(query.trim());
  const [, before = '', , , behind = ''] = pattern ?? [];
  const rest = pattern === null ? query : `${before} ${behind}`;
  for (const match of rest.matchAll(PIECE)) {
    const [whole, phrase, minus, name, quoted, bare] = match;
    if (phrase !== undefined) {
      const text = phrase.replaceAll(/\\(.)/gs, '$1');
      phrases.push(text);
      words.push(text);
    } else if (name === undefined) {
      if (whole !== '"') words.push(whole);
    } else {
      const value = quoted ?? bare ?? '';
      if (name === 'path' && (minus === '-' || value.startsWith('!')))
        found.notPath.push(value.replace(/^!/, ''));
      else if (name === 'path') found.path.push(value);
      else if (minus === '-') throw unknownFilter(`-${name}`);
      else if (name === 'lang') found.lang.push(...list(value));
      else if (name === 'kind') found.kind.push(...list(value));
      else if (name === 'symbol') symbols.push(value);
      else if (name === 'changed') changed = requireYes(value);
      else if (name === 'branch') branch = requireOne(value, branch);
      else throw unknownFilter(name);
    }
  }
  const filters: Filters = {
    languages: [...(given.languages ?? []), ...found.lang],
    paths: [...(given.paths ?? []), ...found.path],
    notPaths: [...(given.notPaths ?? []), ...found.notPath],
    kinds: [...(given.kinds ?? []), ...found.kind.map(requireKind)],
    symbols: [...(given.symbols ?? []), ...symbols],
    changed,
    branch,
  };
  requireFew('lang', filters.languages);
  requireFew('path', [...filters.paths, ...filters.notPaths]);
  requireFew('kind', filters.kinds);
  requireFew('symbol', filters.symbols);
  requireFew('branch', branch === undefined ? [] : [branch]);
  return {
    words: words.join(' ').trim(),
    phrases,
    pattern: pattern === null ? undefined : { source: pattern[2] ?? '', ignoreCase: pattern[3] === 'i' },
    filters,
  };
}

const list = (value: string): string[] => value.split(',').filter((part) => part !== '');

function requireFew(name: string, values: readonly string[]): void {
  const { count, chars } = FILTER_LIMITS;
  if (values.length <= count && values.every((value) => value.length <= chars)) return;
  throw new AppError(
    'bad_argument',
    `There may be ${count} \`${name}:\` filters of ${chars} characters; here are ${values.length}.`,
    { hint: 'One pattern can stand for many files: `path:src/**`.' },
  );
}

export function requireKind(text: string): Kind {
  const kind = KINDS.find((known) => known === text);
  if (kind !== undefined) return kind;
  throw new AppError('bad_argument', `There is no kind ${quoteForeign(text)}.`, {
    hint: `Kinds are ${KINDS.join(', ')}.`,
  });
}

function requireYes(text: string): true {
  if (text === 'yes') return true;
  throw new AppError('bad_argument', `\`changed:\` is \`yes\` or left out, not ${quoteForeign(text)}.`, {
    hint: 'Put `changed:yes` into the query to search only files that are not committed as they are.',
  });
}

function requireOne(branch: string, other: string | undefined): string {
  if (other === undefined || other === branch) return branch;
  throw new AppError('bad_argument', 'A search compares with one branch; here are two.', {
    hint: 'Leave one `branch:` out.',
  });
}

function unknownFilter(name: string): AppError {
  const near = nearest(name.replace(/^-/, ''), FILTER_NAMES);
  const known = FILTER_NAMES.map((filter) => `\`${filter}:\``).join(', ');
  return new AppError('bad_argument', `There is no filter ${quoteForeign(`${name}:`)}.`, {
    hint: `${near === undefined ? '' : `Did you mean \`${near}:\`? `}Filters are ${known} and \`-path:\`; put quotes around text that has a colon.`,
  });
}
