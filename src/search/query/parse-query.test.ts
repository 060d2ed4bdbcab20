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
    ['langs:ts x', /There is no filter `langs:`/, /Did you mean `lang:`/],
    ['author:me x', /There is no filter `author:`/, /`lang:`, `path:`, `kind:`, `symbol:`/],
    ['lang: ts x', /`lang:` has no value/, /without a blank: `lang:…`/],
    ['x -Path: test', /`-path:` has no value/, /without a blank: `-path:src`/],
    ['x kind:', /`kind:` has no value/, /quotes around text that has a colon/],
    ['lang:"" x', /`lang:` has no value/, /without a blank/],
    ['/x/y', /no flag `y`/, /Write .* or \/…\/i/],
    ['/x+/vi lang:ts', /no flag `v`/, /quotes around a path/],
    ['-limit:3 x', /There is no filter `-limit:`/, /`limit:`, `cursor:`/],
    ['limit:3 limit:4 x', /one limit; here are two/, /Leave one `limit:` out/],
    ['-kind:test x', /There is no filter `-kind:`/, /-path:/],
    ['kind:gadget x', /There is no kind `gadget`/, /function, class, test/],
    [`${'y'.repeat(500)}:x`, /There is no filter `y{60}…`/, /Filters are/],
  ])('refuses %j', (query, message, hint) => {
    expect(() => parseQuery(query)).toThrow(
      expect.objectContaining({
        code: 'bad_argument',
        message: expect.stringMatching(message),
        hint: expect.stringMatching(hint),
      }),
    );
  });

  test('a foreign word in a message is short and shows its control signs', () => {
    expect(() => parseQuery('kind:a\u001b[31mb x')).toThrow('`a\\x1b[31mb`');
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

describe('length', () => {
  test.each(['word ', 'lang:ts ', 'Lang:ts ', '"\\', '/ a:b ', 'a:"', ' -', '((((('])(
    '10,000 characters of %j are read',
    (piece) => {
      const query = piece.repeat(10_000).slice(0, 10_000);
      let outcome: unknown;
      try {
        outcome = parseQuery(query);
      } catch (error) {
        outcome = error;
      }

      expect(outcome).toEqual(
        expect.toSatisfy((it) => (it instanceof Error ? 'code' in it && it.code === 'bad_argument' : true)),
      );
    },
  );

  test.each(['lang:ts', 'path:a', '-path:a', 'kind:doc', 'symbol:a'])(
    '50 times `%s` is read, 51 not',
    (filter) => {
      const times = (count: number): string => `word ${`${filter} `.repeat(count)}`;

      expect(parseQuery(times(50)).words).toBe('word');
      expect(() => parseQuery(times(51))).toThrow(/There may be 50 `\w+:` filters .* here are 51\./);
      expect(() => parseQuery(times(1), { symbols: Array<string>(51).fill('a') })).toThrow(
        '`symbol:` filters',
      );
    },
  );

  test('a filter has 500 characters at most, given beside the query or in it', () => {
    expect(parseQuery(`word symbol:${'a'.repeat(500)}`).filters.symbols).toHaveLength(1);
    expect(() => parseQuery(`word symbol:${'a'.repeat(501)}`)).toThrow('of 500 characters');
    expect(() => parseQuery('word', { paths: ['a'.repeat(501)] })).toThrow('of 500 characters');
  });

  test('10,001 are refused with the number', () => {
    expect(() => parseQuery('x'.repeat(10_001))).toThrow(
      'A query may have 10000 characters; this one has 10001.',
    );
  });
});
