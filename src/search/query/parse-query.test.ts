import { describe, expect, test } from 'vitest';
import { parseQuery } from './parse-query.ts';

const NO_FILTERS = { languages: [], paths: [], notPaths: [], kinds: [], symbols: [], changed: false };

test.each([
  ['how are sessions expired', { words: 'how are sessions expired', phrases: [], filters: NO_FILTERS }],
  ['  SessionStore.get ', { words: 'SessionStore.get' }],
  ['"retry after" limit', { words: 'retry after limit', phrases: ['retry after'] }],
  [String.raw`"say \"hi\" \\ twice"`, { phrases: [String.raw`say "hi" \ twice`] }],
  ['std::vector http://a.b/c error: x', { words: 'std::vector http://a.b/c error: x', filters: NO_FILTERS }],
  ['TODO:fix Error:none', { words: 'TODO:fix Error:none', filters: NO_FILTERS }],
  ['"lang: ts" is', { words: 'lang: ts is', phrases: ['lang: ts'] }],
  ['an "unclosed quote', { words: 'an unclosed quote', phrases: [] }],
  ['""', { words: '', phrases: [] }],
  ['a AND b OR NOT c NEAR(d e) ^f* -g', { words: 'a AND b OR NOT c NEAR(d e) ^f* -g', phrases: [] }],
  ['select * from t; DROP TABLE files; --', { words: 'select * from t; DROP TABLE files; --' }],
])('reads %j', (query, expected) => {
  expect(parseQuery(query)).toMatchObject(expected);
});

describe('filters', () => {
  test.each([
    ['lang:ts x', { languages: ['ts'] }],
    ['lang:ts,py lang:go, x', { languages: ['ts', 'py', 'go'] }],
    ['path:src/** -path:test x', { paths: ['src/**'], notPaths: ['test'] }],
    ['path:/src path:!gen path:"my docs/**" x', { paths: ['/src', 'my docs/**'], notPaths: ['gen'] }],
    ['kind:class,function x', { kinds: ['class', 'function'] }],
    ['changed:yes', { changed: true }],
    ['branch:origin/main', { branch: 'origin/main' }],
    [
      'Lang:ts LANG:py Path:/src -PATH:Test x',
      { languages: ['ts', 'py'], paths: ['/src'], notPaths: ['Test'] },
    ],
    ['symbol:Cart.addItem symbol:std::move', { symbols: ['Cart.addItem', 'std::move'] }],
  ])('reads %j', (query, filters) => {
    expect(parseQuery(query).filters).toEqual({ ...NO_FILTERS, ...filters });
  });

  test.each([
    ['x limit:3 Cursor:after-3', 'x', { limit: '3', cursor: 'after-3' }],
    ['cursor: pointer limit: 3', 'cursor: pointer limit: 3', { limit: undefined, cursor: undefined }],
  ])('reads the page of %j', (query, words, page) => {
    expect(parseQuery(query)).toEqual(expect.objectContaining({ words, page }));
  });

  test('those of the query and those given apart hold together', () => {
    const { filters } = parseQuery('lang:ts path:src x', { languages: ['py'], notPaths: ['test'] });

    expect(filters).toEqual({ ...NO_FILTERS, languages: ['py', 'ts'], paths: ['src'], notPaths: ['test'] });
  });

  test.each([
    ['langs:ts x', 'langs:ts x', '`langs:ts` is read as text: did you mean `lang:`?'],
    ['author:me x', 'author:me x', ''],
    ['lang: ts x', 'lang: ts x', ''],
    ['x -Path: test', 'x -Path: test', ''],
    ['lang:klingon x', 'lang:klingon x', '`lang:klingon` is read as text: there is no language `klingon`'],
    ['-limit:3 x', '-limit:3 x', '`-limit:3` is read as text: only `-path:` excludes'],
    ['limit:0 x', 'limit:0 x', '`limit:0` is read as text: a limit is a number from 1 on'],
    ['cursor:pointer x', 'cursor:pointer x', ''],
    ['branch:!… x', 'branch:!… x', '`branch:!…` is read as text: no branch has such a name'],
    ['branch:tmp/ x', 'branch:tmp/ x', '`branch:tmp/` is read as text: no branch has such a name'],
    ['-kind:test x', '-kind:test x', '`-kind:test` is read as text: only `-path:` excludes'],
    [
      'kind:gadget x',
      'kind:gadget x',
      '`kind:gadget` is read as text: kinds are function, class, test, doc, config, code',
    ],
    ['changed:no x', 'changed:no x', '`changed:no` is read as text: write `changed:yes`'],
    ['/x/y', '/x/y', '`/x/y` is read as text: an expression has no flag `y` here'],
    ['/(x/', '/(x/', '`/(x/` is read as text: it is no valid expression'],
    [
      'kind:a\u001b[31mb x',
      'kind:a\u001b[31mb x',
      '`kind:a\\x1b[31mb` is read as text: kinds are function, class, test, doc, config, code',
    ],
  ])('%j is text, and a note says so where it may have been meant', (query, words, note) => {
    const read = parseQuery(query, {}, { isLanguage: (name) => name === 'ts' });

    expect(read).toMatchObject({ words, phrases: [], pattern: undefined });
    expect(read.filters).toEqual(NO_FILTERS);
    expect(read.notes.join()).toBe(note);
  });

  test('of two limits the second is text', () => {
    expect(parseQuery('limit:3 limit:4 x')).toMatchObject({
      words: 'limit:4 x',
      page: { limit: '3' },
      notes: ['`limit:4` is read as text: a search has one limit'],
    });
  });
});

describe('expressions', () => {
  test.each([
    [String.raw`/retry_\w+/`, String.raw`retry_\w+`, false],
    ['/A b/i', 'A b', true],
    ['/usr/lib/', 'usr/lib', false],
    ['/x/g', 'x', false],
    ['/x/gi', 'x', true],
    ['/^x+$/msui', '^x+$', true],
    ['/(a+)+$/', '(a+)+$', false],
  ])('%s is all there is to look for', (query, source, ignoreCase) => {
    expect(parseQuery(query)).toMatchObject({ words: '', phrases: [], pattern: { source, ignoreCase } });
  });

  test('filters may stand on both sides of it', () => {
    expect(parseQuery(String.raw`lang:ts /a b \/ c/i -path:test kind:code`)).toMatchObject({
      pattern: { source: String.raw`a b \/ c`, ignoreCase: true },
      filters: { languages: ['ts'], notPaths: ['test'], kinds: ['code'] },
    });
  });

  test.each([
    ['/fo+/ path:src/ui', 'fo+', ['src/ui']],
    ['/foo/ path:src/ui lang:ts', 'foo', ['src/ui']],
    [String.raw`/retry\(/ path:pkg/sys`, String.raw`retry\(`, ['pkg/sys']],
    [String.raw`/fo+\(/ path:src/vim`, String.raw`fo+\(`, ['src/vim']],
    ['/a.b/ branch:fix/sys', 'a.b', []],
    ['/a/b/i path:x/g', 'a/b', ['x/g']],
  ])('in %s a filter that ends like an expression is a filter', (query, source, paths) => {
    expect(parseQuery(query)).toMatchObject({ words: '', pattern: { source }, filters: { paths } });
  });

  test.each(['/src/ui', '/usr/lib/systemd', '/etc/conf.d/dim', '/app/[slug]/page', '/a+/gg', '/a/b'])(
    '%s is a path: words',
    (query) => {
      expect(parseQuery(query)).toMatchObject({ words: query, pattern: undefined });
    },
  );

  test('beside words there is none', () => {
    expect(parseQuery('where is /api/users/ served')).toMatchObject({
      words: 'where is /api/users/ served',
      pattern: undefined,
    });
  });
});

describe('pasted text', () => {
  const REPORT =
    'Crash in "load":\nTraceback\n  File "a/b.py", line 3, in load\nKeyError: \'lang:ts\'\n/x+/i\n';

  test.each([
    ['a report of several lines', REPORT],
    ['one long line', 'path:src "quoted" '.repeat(40)],
  ])('%s has no syntax', (_, text) => {
    expect(parseQuery(text)).toMatchObject({
      words: text.trim(),
      phrases: [],
      pattern: undefined,
      filters: NO_FILTERS,
      isPasted: true,
      notes: [],
    });
  });

  test('what is given beside it still filters', () => {
    expect(parseQuery(REPORT, { paths: ['src/**'] }).filters.paths).toEqual(['src/**']);
  });

  test('text in quotes may have several lines', () => {
    expect(parseQuery('"first\nsecond"')).toMatchObject({ phrases: ['first\nsecond'], isPasted: false });
  });

  test('what is not read of a very long one is said', () => {
    expect(parseQuery('word '.repeat(20_000)).notes).toEqual([
      'the first 40000 of 100000 characters of the query were read',
    ]);
  });

  test.each(['=>', '???', '&&=', '🙂'])('%j holds no word: it is looked for as it is', (query) => {
    expect(parseQuery(query)).toMatchObject({ words: '', phrases: [query] });
  });
});

describe('limits', () => {
  test('50 filters of a sort are read, others are text; given ones are refused', () => {
    expect(parseQuery(`word ${'path:a '.repeat(60)}`).filters.paths).toHaveLength(50);
    expect(() => parseQuery('word', { symbols: Array<string>(51).fill('a') })).toThrow('`symbol:` filters');
    expect(() => parseQuery('word', { paths: ['a'.repeat(501)] })).toThrow('of 500 characters');
  });
});
