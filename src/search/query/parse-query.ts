/** A query as people type it: words, "exact text", /regular expressions/, filters and the page; with the arguments beside it. Pure. */
import { AppError, HIT_LIMITS, SEARCH_KINDS, type SearchKind } from '../../core/index.ts';
import { nearest, quoteForeign } from '../../text/index.ts';
import type { SearchRequest } from '../show/hit.ts';

export interface Filters {
  /** As they were written. */
  readonly languages: readonly string[];
  /** Globs; a file must match one. */
  readonly paths: readonly string[];
  /** Globs; a file must match none. */
  readonly notPaths: readonly string[];
  /** A file must be of one of them. */
  readonly kinds: readonly SearchKind[];
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

/** Which part of what is found is asked for, as it was written. */
export interface WrittenPage {
  readonly limit: string | undefined;
  readonly cursor: string | undefined;
}

export interface WrittenQuery extends ParsedQuery {
  readonly page: WrittenPage;
}

/** Names that people also look for before a blank are none there: `cursor: pointer`. */
const PAGE_NAMES = ['limit', 'cursor'] as const;
const NARROWING_NAMES = ['lang', 'path', 'kind', 'symbol', 'changed', 'branch'] as const;
const FILTER_NAMES = [...NARROWING_NAMES, ...PAGE_NAMES];
const MOST_CHARS = 10_000;
const MOST_PHRASE_CHARS = 2_000;
/** Each filter is tried on every file: of each sort there may be `count`, of `chars` characters. */
export const FILTER_LIMITS = { count: 50, chars: 500 } as const;
/** Known names in letters of any case; others in small letters only, because `Warning:` and `Error:` are what people look for. */
const KNOWN = FILTER_NAMES.map(inAnyCase).join('|');
// Never both ways: a row of filters could be read in twice as many ways with each.
const NAME = `(?:[a-z]+|(?=[a-z]*[A-Z])(?:${KNOWN}))`;
const VALUE = String.raw`(?:"[^"]+"|(?:(?<=${inAnyCase('path')}:)/)?[^\s:/"][^\s"]*)`;
const PIECE = new RegExp(
  String.raw`"((?:[^"\\]|\\.){1,${MOST_PHRASE_CHARS}})"|(?<=^|\s)(-?)(${NAME}):(${VALUE})(?=\s|$)|([^\s"]+)|"`,
  'g',
);
const NO_VALUE = new RegExp(`^-?(?:${NARROWING_NAMES.map(inAnyCase).join('|')}):$`);
const FILTER = `-?${NAME}:${VALUE}`;
/** An expression is all there is to look for; only filters may stand before and behind it. */
const WHOLE_PATTERN = new RegExp(
  String.raw`^((?:${FILTER}\s+)*)/(.+?)/([dgimsuvy]*)((?:\s+${FILTER})*)$`,
  's',
);

export function parseQuery(query: string, given: Partial<Filters> = {}): WrittenQuery {
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
  let [limit, cursor]: (string | undefined)[] = [];
  const phrases: string[] = [];
  const words: string[] = [];
  const [, before = '', source = '', flags = '', behind = ''] = WHOLE_PATTERN.exec(query.trim()) ?? [];
  const pattern = readPattern(source, flags);
  const rest = pattern === undefined ? query : `${before} ${behind}`;
  for (const match of rest.matchAll(PIECE)) {
    const [whole, phrase, minus, spelled, given = ''] = match;
    const name = spelled?.toLowerCase();
    if (phrase !== undefined) {
      const text = phrase.replaceAll(/\\(.)/gs, '$1').replaceAll(/\r\n?/g, '\n');
      phrases.push(text);
      words.push(text);
    } else if (name === undefined) {
      if (NO_VALUE.test(whole)) throw noValue(whole);
      if (whole !== '"') words.push(whole);
      else if (rest.includes('"', match.index + MOST_PHRASE_CHARS)) throw tooLongPhrase();
    } else {
      const value = given.replaceAll('"', '');
      if (name === 'path' && (minus === '-' || value.startsWith('!')))
        found.notPath.push(value.replace(/^!/, ''));
      else if (name === 'path') found.path.push(value);
      else if (minus === '-') throw unknownFilter(`-${name}`);
      else if (name === 'lang') found.lang.push(...list(value));
      else if (name === 'kind') found.kind.push(...list(value));
      else if (name === 'symbol') symbols.push(value);
      else if (name === 'changed') changed = requireYes(value);
      else if (name === 'branch') branch = requireOne('branch', value, branch);
      else if (name === 'limit') limit = requireOne('limit', value, limit);
      else if (name === 'cursor') cursor = requireOne('cursor', value, cursor);
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
    pattern,
    filters,
    page: { limit, cursor },
  };
}

/** Letters by which a path differs from an expression: `/src/ui` is one, `/src+/ui` is not. */
const SYNTAX = /[\\^$*+?()[\]{}|]/;
/** Each line is matched by itself and counted once: the others say what holds anyway. */
const KNOWN_FLAGS = 'gimsu';

function readPattern(source: string, flags: string): Pattern | undefined {
  const isPlain = !SYNTAX.test(source) && flags.length > 1 && flags !== 'gi' && flags !== 'ig';
  if (source === '' || isPlain || new Set(flags).size < flags.length) return undefined;
  const unknown = [...flags].filter((flag) => !KNOWN_FLAGS.includes(flag));
  if (unknown.length === 0) return { source, ignoreCase: flags.includes('i') };
  throw new AppError('bad_argument', `There is no flag \`${unknown.join('')}\` for an expression here.`, {
    hint: 'Write /…/ or /…/i; lines are matched one by one. Put quotes around a path to look for it as text.',
  });
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

export function requireKind(text: string): SearchKind {
  const kind = SEARCH_KINDS.find((known) => known === text);
  if (kind !== undefined) return kind;
  throw new AppError('bad_argument', `There is no kind ${quoteForeign(text)}.`, {
    hint: `Kinds are ${SEARCH_KINDS.join(', ')}.`,
  });
}

function requireYes(text: string): true {
  if (text === 'yes') return true;
  throw new AppError('bad_argument', `\`changed:\` is \`yes\` or left out, not ${quoteForeign(text)}.`, {
    hint: 'Put `changed:yes` into the query to search only files with uncommitted changes.',
  });
}

/** Also for what stands in the query and is an argument besides. */
export function requireOne(name: string, value: string, other: string | undefined): string {
  if (other === undefined || other === value) return value;
  throw new AppError('bad_argument', `A search has one ${name}; here are two.`, {
    hint: `Leave one \`${name}:\` out.`,
  });
}

function tooLongPhrase(): AppError {
  return new AppError('bad_argument', `Text in quotes may have ${MOST_PHRASE_CHARS} characters.`, {
    hint: 'One line of it that is nowhere else finds the same file.',
  });
}

function noValue(filter: string): AppError {
  const name = filter.toLowerCase();
  return new AppError('bad_argument', `\`${name}\` has no value right behind its colon.`, {
    hint: `Write it without a blank: \`${name}${name.endsWith('path:') ? 'src' : '…'}\`; put quotes around text that has a colon.`,
  });
}

function unknownFilter(name: string): AppError {
  const near = nearest(name.replace(/^-/, ''), FILTER_NAMES);
  const known = FILTER_NAMES.map((filter) => `\`${filter}:\``).join(', ');
  return new AppError('bad_argument', `There is no filter ${quoteForeign(`${name}:`)}.`, {
    hint: `${near === undefined ? '' : `Did you mean \`${near}:\`? `}Filters are ${known} and \`-path:\`; put quotes around text that has a colon.`,
  });
}

function inAnyCase(name: string): string {
  return [...name].map((letter) => `[${letter}${letter.toUpperCase()}]`).join('');
}

export function toFilters(request: SearchRequest): Partial<Filters> {
  const { changed, branch } = request;
  // Some clients send an empty text for what they leave out.
  const [languages, paths, kinds, symbols] = [
    request.languages,
    request.paths,
    request.kinds,
    request.symbols,
  ].map((values) => values?.filter((value) => value !== ''));
  return {
    ...(languages === undefined ? {} : { languages }),
    ...(paths === undefined
      ? {}
      : {
          paths: paths.filter((path) => !path.startsWith('!')),
          notPaths: paths.filter((path) => path.startsWith('!')).map((path) => path.slice(1)),
        }),
    ...(kinds === undefined ? {} : { kinds: kinds.map(requireKind) }),
    ...(symbols === undefined ? {} : { symbols }),
    ...(changed === undefined ? {} : { changed }),
    ...(branch === undefined || branch === '' ? {} : { branch }),
  };
}

export interface LimitRange {
  readonly usual: number;
  readonly most: number;
}

export interface AskedPage extends CursorPlace {
  readonly limit: number;
}

export function pageOf(
  written: WrittenPage,
  request: Pick<SearchRequest, 'limit' | 'cursor'>,
  range: LimitRange,
): AskedPage {
  const cursor =
    written.cursor === undefined ? request.cursor : requireOne('cursor', written.cursor, request.cursor);
  return { ...readCursor(cursor), limit: limitOf(written.limit, request.limit, range) };
}

function limitOf(
  written: string | undefined,
  given: number | undefined,
  { usual, most }: LimitRange,
): number {
  if (written === undefined) {
    if (given === undefined || given <= most) return Math.max(1, given ?? usual);
    throw new AppError('bad_argument', `\`limit\` is a number from 1 to ${most} here, not ${given}.`, {
      hint: `Ask again with limit ${most}, and go on with the cursor; detail: locations lists up to ${HIT_LIMITS.matches.most} lines of "exact text" or a /regex/.`,
    });
  }
  const number = /^\d{1,6}$/.test(written) ? Number(written) : 0;
  if (number < 1 || number > most) {
    throw new AppError(
      'bad_argument',
      `\`limit:\` is a number from 1 to ${most}, not ${quoteForeign(written)}.`,
      { hint: `Write \`limit:${usual}\`; put quotes around text that has a colon.` },
    );
  }
  requireOne('limit', String(number), given === undefined ? undefined : String(given));
  return number;
}

const CURSOR = /^after-(\d{1,6})(?:\.(\d{1,9}))?$/;

/** So many files, and of the next one the lines up to this one. */
export interface CursorPlace {
  readonly from: number;
  readonly line: number;
}

export function cursorAfter(from: number, line = 0): string {
  return line === 0 ? `after-${from}` : `after-${from}.${line}`;
}

export function readCursor(cursor: string | undefined): CursorPlace {
  if (cursor === undefined) return { from: 0, line: 0 };
  const [, from, line = '0'] = CURSOR.exec(cursor) ?? [];
  if (from !== undefined) return { from: Number(from), line: Number(line) };
  throw new AppError('bad_argument', 'This cursor is not one that an answer gave.', {
    hint: 'Leave cursor out to begin at the first result; put quotes around text that has a colon.',
  });
}
