/** How text looks on a terminal: widths, tables, times, colours, and the lines of a hit that matter. */
import { describe, expect, test } from 'vitest';
import type { Hit } from '../../search/index.ts';
import { renderSize } from '../../text/index.ts';
import { colorLine } from './code-line.ts';
import type { Output } from '../output.ts';
import { pathFrom } from './paths.ts';
import { showLines } from './show-lines.ts';
import { renderRows } from './rows.ts';
import { renderTable } from './table.ts';
import { tellingLines } from './telling-lines.ts';
import { createPaint, themeOf } from './theme.ts';
import { renderAgo, renderTime, renderWhen } from './times.ts';
import { fit, widthOf, wrap } from './width.ts';

describe('widths', () => {
  test('wide characters take two columns, combining marks and colours none', () => {
    expect(['abc', '店から', 'e\u0301', '\u001b[31mred\u001b[0m', '🎉'].map(widthOf)).toEqual([
      3, 6, 1, 3, 2,
    ]);
  });

  test('a text is cut at its end, a path in the middle, neither inside a wide character', () => {
    expect(fit('a long sentence', 8, 'end')).toBe('a long …');
    expect(fit('src/session/session-store.ts', 14)).toBe('src/…-store.ts');
    expect(widthOf(fit('店からのご挨拶', 8, 'end'))).toBeLessThanOrEqual(8);
    expect(fit('short', 8)).toBe('short');
  });

  test('lines are broken between words; one that is too long stays whole', () => {
    expect(wrap('one two three', '  ', 9)).toBe('one two\n  three');
    expect(wrap('see /a/very/long/path now', '  ', 10)).toBe('see\n  /a/very/long/path\n  now');
  });
});

test('what a line of an answer says to type next is not cut off; code and paths are', () => {
  const said: string[] = [];
  const output = { window: { columns: 60, rows: 24 }, answer: (text: string) => void said.push(text) };
  const summary = '12 uses in 5 files, 3 of them in 1 test file, 4 more may be meant: --possible';
  const code = `  17 pay: ${'x'.repeat(80)}`;
  const text = `pay function src/cart.ts:1\n${summary}\n${code}\n2 more of this name are left out: name a container or path:line`;

  // Only these two are used.
  showLines(output as unknown as Output, { text, value: undefined, isAll: false });

  expect(said[0]?.split('\n')).toEqual([
    'pay function src/cart.ts:1',
    '12 uses in 5 files, 3 of them in 1 test file, 4 more may',
    '  be meant: --possible',
    `${code.slice(0, 59)}…`,
    '2 more of this name are left out: name a container or',
    '  path:line',
  ]);
});

describe('tables', () => {
  const rows = [
    ['web-shop', '/home/me/projects/customers/web-shop', '41 MB'],
    ['api', '/srv/api', '512 B'],
  ];
  const columns = [
    { header: 'PROJECT' },
    { header: 'PATH', cut: 'middle' as const },
    { header: 'INDEX', align: 'right' as const },
  ];

  test('a pipe gets every cell whole', () => {
    expect(renderTable(rows, columns, { width: undefined })).toBe(
      [
        'PROJECT   PATH                                  INDEX',
        'web-shop  /home/me/projects/customers/web-shop  41 MB',
        'api       /srv/api                              512 B',
      ].join('\n'),
    );
  });

  test('on a terminal the widest column that may be cut makes room', () => {
    const lines = renderTable(rows, columns, { width: 40 }).split('\n');

    expect(lines).toEqual([
      'PROJECT   PATH                     INDEX',
      'web-shop  /home/m…tomers/web-shop  41 MB',
      'api       /srv/api                 512 B',
    ]);
  });

  test('text gives way before paths', () => {
    const row = ['src/session/store.ts', 'most of it in lines of more than 1000 characters'];

    expect(renderTable([row], [{ cut: 'middle' }, { cut: 'end' }], { width: 45 })).toBe(
      'src/session/store.ts  most of it in lines of…',
    );
  });

  test('facts go on below their value, not below their name', () => {
    expect(
      renderRows(
        [
          ['next', 'change to the directory of your project'],
          ['a', 'b'],
        ],
        30,
      ),
    ).toBe('  next  change to the\n        directory of your\n        project\n  a     b');
  });
});

test('times are told by how long ago they were, older ones by their date', () => {
  const now = new Date(2026, 10, 18, 20, 4).getTime();
  const ago = (minutes: number) => renderAgo(now - minutes * 60_000, now);

  expect([ago(0), ago(5), ago(125), ago(60 * 24), ago(60 * 24 * 3), ago(60 * 24 * 40)]).toEqual([
    'just now',
    '5 min ago',
    '2 h ago',
    '1 day ago',
    '3 days ago',
    '2026-10-09',
  ]);
  expect(renderTime(now)).toBe('2026-11-18 20:04');
  expect([true, false].map((isTerminal) => renderWhen(now, now, isTerminal))).toEqual([
    'just now',
    '2026-11-18 20:04',
  ]);
});

test('sizes have the unit that says most', () => {
  expect([0, 512, 1_229, 42_908_672, 1_073_700_000, 3 * 1024 ** 4].map(renderSize)).toEqual([
    '0 B',
    '512 B',
    '1.2 KB',
    '41 MB',
    '1.0 GB',
    '3.0 TB',
  ]);
});

test('paths are those one would type here', () => {
  expect(pathFrom('/home/me/shop/src', '/home/me/shop/src/a.ts')).toBe('a.ts');
  expect(pathFrom('/home/me/shop/src', '/home/me/shop/README.md')).toBe('../README.md');
  expect(pathFrom('/home/me/shop/src/deep/er', '/srv/a.ts')).toBe('/srv/a.ts');
  expect(pathFrom(undefined, '/srv/a.ts')).toBe('/srv/a.ts');
});

describe('themes', () => {
  test.each([
    ['15;0', 'dark'],
    ['0;15', 'light'],
    ['0;default;7', 'light'],
    ['nonsense', 'dark'],
    [undefined, 'dark'],
  ])('COLORFGBG=%s is %s', (given, theme) => {
    expect(themeOf('auto', { COLORFGBG: given })).toBe(theme);
    expect(themeOf('light', { COLORFGBG: given })).toBe('light');
  });

  test('in code what was looked for comes before strings, comments and keywords', () => {
    const paint = {
      ...createPaint(undefined),
      mark: (text: string) => `<${text}>`,
      keyword: (text: string) => `k(${text})`,
      string: (text: string) => `s(${text})`,
      comment: (text: string) => `c(${text})`,
    };
    const look = (line: string, language: string) => colorLine(line, { words: ['retry'], language, paint });

    expect(look("return 'no retry'; // as retry", 'typescript')).toBe(
      "k(return) s('no )<retry>s('); c(// as )<retry>",
    );
    expect(look('raise Gone  # no way', 'python')).toBe('k(raise) Gone  c(# no way)');
    expect(look('color: #fff; --gap: 2px', 'css')).toBe('color: #fff; --gap: 2px');
    expect(look(' * of a comment', 'typescript')).toBe('c( * of a comment)');
    expect(look('retry if you like', 'markdown')).toBe('<retry> if you like');
  });
});

describe('the lines of a hit that matter', () => {
  const hitOf = (text: string, name?: string): Hit => ({
    root: '/p',
    path: 'a.ts',
    language: 'typescript',
    startLine: 10,
    endLine: 30,
    definition:
      name === undefined ? undefined : { name, kind: 'function', container: undefined, signature: '' },
    rank: 1,
    after: '',
    lines: text.split('\n'),
    continuesTo: undefined,
    moreLines: [],
    score: 1,
    reasons: [],
  });
  const shown = (hit: Hit, words: readonly string[]) =>
    tellingLines(hit, words, 3).map(({ number }) => number);

  test('hold the definition, with the words around it, and do not begin inside a comment', () => {
    const text =
      '/**\n * Something long.\n * And more.\n */\nfunction expire() {\n  session.end();\n  done();\n}';

    expect(shown(hitOf(text, 'expire'), ['session'])).toEqual([14, 15, 16]);
  });

  test('without a definition they are those with most of the words', () => {
    expect(shown(hitOf('a();\nb();\nretry();\nc();\nupload(retry);\nd();'), ['retry', 'upload'])).toEqual([
      12, 13, 14,
    ]);
  });

  test('are all there are, without blank ends, where they are few', () => {
    expect(shown(hitOf('\na();\n'), ['a'])).toEqual([11]);
  });
});
