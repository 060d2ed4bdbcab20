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
  /** What is left to rank by: the words, and what stands in quotes. A pasted text keeps its lines. */
  readonly words: string;
  /** Every one of them must be in the file, as it is written. */
  readonly phrases: readonly string[];
  readonly pattern: Pattern | undefined;
  readonly filters: Filters;
  /** A report, a log, code: it is read by its parts, and nothing in it is syntax. */
  readonly isPasted: boolean;
}

/** Which part of what is found is asked for, as it was written. */
export interface WrittenPage {
  readonly limit: string | undefined;
  readonly cursor: string | undefined;
}

export interface WrittenQuery extends ParsedQuery {
  readonly page: WrittenPage;
  /** What is said of it: what looked like syntax and was read as text, and what was not read. */
  readonly notes: readonly string[];
  /** It has syntax that may as well be a part of pasted text: where it finds nothing, `readAsText` does. */
  readonly mayBeText: boolean;
  /** The same where it is refused, for a branch that is none: it reads like a line of a log. */
  readonly isTextIfRefused: boolean;
}

const FILTER_NAMES = ['lang', 'path', 'kind', 'symbol', 'changed', 'branch', 'limit', 'cursor'] as const;
/** What stands behind is not read: the first pages of a report say what it is about. */
const MOST_CHARS = 40_000;
/** Longer, or of several lines: pasted, unless all of it stands in quotes. */
const MOST_TYPED_CHARS = 500;
const MOST_QUOTED_CHARS = 2_500;
const ONE_QUOTATION = /^\s*"(?:[^"\\]|\\.)+"\s*$/s;
/** Each filter is tried on every file: of each sort there may be `count`, of `chars` characters. */
export const FILTER_LIMITS = { count: 50, chars: 500 } as const;
/** Known names in letters of any case; others in small letters only, because `Warning:` and `Error:` are what people look for. */
const KNOWN = FILTER_NAMES.map(inAnyCase).join('|');
// Never both ways: a row of filters could be read in twice as many ways with each.
const NAME = `(?:[a-z]+|(?=[a-z]*[A-Z])(?:${KNOWN}))`;
const VALUE = String.raw`(?:"[^"]+"|(?:(?<=${inAnyCase('path')}:)/)?[^\s:/"][^\s"]*)`;
const PIECE = new RegExp(
  String.raw`"((?:[^"\\]|\\.)+)"|(?<=^|\s)(-?)(${NAME}):(${VALUE})(?=\s|$)|([^\s"]+)|"`,
  'g',
);
const FILTER = `-?${NAME}:${VALUE}`;
/** An expression is all there is to look for; only filters may stand before and behind it. */
const WHOLE_PATTERN = new RegExp(
  String.raw`^((?:${FILTER}\s+)*)/(.+?)/([dgimsuvy]*)((?:\s+${FILTER})*)$`,
  's',
);

export interface ParseOptions {
  /** Whether a language goes by this name; any does if left out. */
  readonly isLanguage?: (name: string) => boolean;
}

/**
 * Any text is a query. Syntax counts where it is certainly meant: a filter with a valid value, quotes and expressions in a short
 * query. Anything else is text, and a note says so where it could have been meant.
 */
export function parseQuery(
  text: string,
  given: Partial<Filters> = {},
  { isLanguage = () => true }: ParseOptions = {},
): WrittenQuery {
  requireFew('lang', given.languages);
  requireFew('path', [...(given.paths ?? []), ...(given.notPaths ?? [])]);
  requireFew('symbol', given.symbols);
  requireFew('branch', given.branch === undefined ? [] : [given.branch]);
  if (isPasted(text)) return readAsText(text, given);
  const reader = createFilterReader(given, isLanguage);
  const phrases: string[] = [];
  const words: string[] = [];
  const [, before = '', source = '', flags = '', behind = ''] = WHOLE_PATTERN.exec(text.trim()) ?? [];
  const { pattern, why } = readPattern(source, flags);
  const notes = why === undefined ? [] : [`${quoteForeign(text.trim())} is read as text: ${why}`];
  let hasWordsBeside = false;
  for (const match of (pattern === undefined ? text : `${before} ${behind}`).matchAll(PIECE)) {
    const [whole, phrase, minus = '', spelled, value = ''] = match;
    if (phrase !== undefined) {
      const exact = phrase.replaceAll(/\\(.)/gs, '$1').replaceAll(/\r\n?/g, '\n');
      phrases.push(exact);
      words.push(exact);
      continue;
    }
    const refused =
      spelled === undefined ? '' : reader.take(`${minus}${spelled.toLowerCase()}`, value.replaceAll('"', ''));
    if (refused === undefined) continue;
    if (refused !== '') notes.push(`${quoteForeign(whole)} is read as text: ${refused}`);
    if (whole === '"') continue;
    words.push(whole);
    hasWordsBeside = true;
  }
  const { filters, page, hasPlainPath } = reader.read();
  const isPlainPattern = pattern !== undefined && !SYNTAX.test(pattern.source);
  return {
    // Nothing but signs is looked for as it is.
    ...(HAS_WORD.test(words.join(' ')) || pattern !== undefined
      ? { words: words.join(' ').trim(), phrases }
      : { words: '', phrases: words.length === 0 ? [] : [words.join(' ').trim()] }),
    pattern,
    filters,
    page,
    isPasted: false,
    notes,
    isTextIfRefused: words.some((word) => OF_LOGS.test(word) && !FILTER_NAME.test(word)),
    mayBeText: isPlainPattern || (phrases.length > 0 && hasWordsBeside) || (hasPlainPath && words.length > 0),
  };
}

/** What stands in lines of logs, and hardly ever beside a filter that is meant. */
const OF_LOGS = /[()[\]{}:=]|^(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)$/;
const FILTER_NAME = new RegExp(`^-?(?:${KNOWN}):`);
/** Git refuses them in names; `^` and `~` may follow one. Nothing but signs is a name that no one gives. */
const NO_BRANCH = /[\s:?*[\\]|\.\.|^[-./]|[/.]$|^[^\p{L}\p{N}]*$/u;
const HAS_WORD = /[\p{L}\p{N}_]/u;

function isPasted(text: string): boolean {
  const isLong = text.length > MOST_TYPED_CHARS || /\S\s*[\r\n]\s*\S/.test(text);
  return isLong && !(text.length <= MOST_QUOTED_CHARS && ONE_QUOTATION.test(text));
}

/** No syntax at all: only what is given beside the query filters. */
export function readAsText(text: string, given: Partial<Filters> = {}): WrittenQuery {
  const read = text.slice(0, MOST_CHARS).trim();
  const { filters, page } = createFilterReader(given, () => true).read();
  const hasWord = HAS_WORD.test(read);
  return {
    words: hasWord ? read : '',
    phrases: hasWord || read === '' ? [] : [read],
    pattern: undefined,
    filters,
    page,
    isPasted: isPasted(read),
    notes:
      text.length > MOST_CHARS
        ? [`the first ${MOST_CHARS} of ${text.length} characters of the query were read`]
        : [],
    mayBeText: false,
    isTextIfRefused: false,
  };
}

interface FilterReader {
  /** Undefined if it is a filter now; otherwise why it is none, or nothing where it need not be said. */
  take(name: string, value: string): string | undefined;
  /** `hasPlainPath`: a path without a star may as well be a part of a log. */
  read(): { readonly filters: Filters; readonly page: WrittenPage; readonly hasPlainPath: boolean };
}

function createFilterReader(given: Partial<Filters>, isLanguage: (name: string) => boolean): FilterReader {
  const languages = [...(given.languages ?? [])];
  const paths = [...(given.paths ?? [])];
  const notPaths = [...(given.notPaths ?? [])];
  const kinds = [...(given.kinds ?? [])];
  const symbols = [...(given.symbols ?? [])];
  let { changed = false, branch } = given;
  let [limit, cursor]: (string | undefined)[] = [];
  let hasPlainPath = false;
  const add = <T>(to: T[], values: readonly T[]): string | undefined => {
    if (to.length + values.length > FILTER_LIMITS.count) return `there may be ${FILTER_LIMITS.count} of them`;
    to.push(...values);
    return undefined;
  };
  const take = (name: string, value: string): string | undefined => {
    if (name === '-path' || (name === 'path' && value.startsWith('!')))
      return add(notPaths, [value.replace(/^!/, '')]);
    switch (name) {
      case 'path':
        hasPlainPath ||= !value.includes('*');
        return add(paths, [value]);
      case 'lang': {
        const unknown = list(value).find((one) => !isLanguage(one));
        return unknown === undefined
          ? add(languages, list(value))
          : `there is no language ${quoteForeign(unknown)}`;
      }
      case 'kind': {
        const known = list(value).flatMap((one) => SEARCH_KINDS.filter((kind) => kind === one));
        return known.length === list(value).length
          ? add(kinds, known)
          : `kinds are ${SEARCH_KINDS.join(', ')}`;
      }
      case 'symbol':
        return add(symbols, [value]);
      case 'changed':
        if (value !== 'yes') return 'write `changed:yes`';
        changed = true;
        return undefined;
      case 'branch':
        if (NO_BRANCH.test(value)) return 'no branch has such a name';
        if (branch !== undefined && branch !== value) return 'a search has one branch';
        branch = value;
        return undefined;
      case 'limit':
        if (!/^0*[1-9]\d{0,5}$/.test(value)) return 'a limit is a number from 1 on';
        if (limit !== undefined && limit !== value) return 'a search has one limit';
        limit = value;
        return undefined;
      case 'cursor':
        if (!CURSOR.test(value)) return '';
        if (cursor !== undefined && cursor !== value) return 'a search has one cursor';
        cursor = value;
        return undefined;
      default:
        return noFilter(name);
    }
  };
  return {
    take,
    read: () => ({
      filters: { languages, paths, notPaths, kinds, symbols, changed, branch },
      page: { limit, cursor },
      hasPlainPath,
    }),
  };
}

/** Only a name that is nearly a filter's is worth a word. */
function noFilter(name: string): string {
  const near = nearest(name.replace(/^-/, ''), FILTER_NAMES);
  if (near === undefined) return '';
  return name.startsWith('-') ? 'only `-path:` excludes' : `did you mean \`${near}:\`?`;
}

/** Letters by which a path differs from an expression: `/src/ui` is one, `/src+/ui` is not. */
const SYNTAX = /[\\^$*+?()[\]{}|]/;
/** Each line is matched by itself and counted once: the others say what holds anyway. */
const KNOWN_FLAGS = 'gimsu';

interface ReadPattern {
  readonly pattern: Pattern | undefined;
  /** Why it is none, where it looks like one. */
  readonly why?: string;
}

function readPattern(source: string, flags: string): ReadPattern {
  const isPlain = !SYNTAX.test(source) && flags.length > 1 && flags !== 'gi' && flags !== 'ig';
  if (source === '' || isPlain || new Set(flags).size < flags.length) return { pattern: undefined };
  const unknown = [...flags].filter((flag) => !KNOWN_FLAGS.includes(flag));
  if (unknown.length > 0)
    return { pattern: undefined, why: `an expression has no flag \`${unknown.join('')}\` here` };
  if (!isValidExpression(source)) return { pattern: undefined, why: 'it is no valid expression' };
  return { pattern: { source, ignoreCase: flags.includes('i') } };
}

/** As the thread that runs it reads it: with the flag `u`, or else without. */
function isValidExpression(source: string): boolean {
  return ['u', ''].some((flags) => {
    try {
      return new RegExp(source, flags) instanceof RegExp;
    } catch {
      return false;
    }
  });
}

const list = (value: string): string[] => value.split(',').filter((part) => part !== '');

function requireFew(name: string, values: readonly string[] = []): void {
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

/** Also for what stands in the query and is an argument besides. */
export function requireOne(name: string, value: string, other: string | undefined): string {
  if (other === undefined || other === value) return value;
  throw new AppError('bad_argument', `A search has one ${name}; here are two.`, {
    hint: `Leave one \`${name}:\` out.`,
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
  requireOne('limit', written, given === undefined ? undefined : String(given));
  return Math.min(most, Number(written));
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
