/** Lines that an outline has been wrong about. */
import { expect, test } from 'vitest';
import { outline, type LanguageId } from '../../src/languages/index.ts';

const CASES: readonly (readonly [LanguageId, string])[] = [
  ['go', 'const (\n\tfirst = 1 // /api/v1/*\n)\n\nfunc wanted() int {\n\treturn 1\n}'],
  ['go', 'var first = 1 // a,\n\nfunc wanted() {}'],
  ['typescript', 'const first = 1 // one of the following:\nexport function wanted() {\n  return 1;\n}'],
  ['typescript', 'let first = 1 /* a, */\nfunction wanted() {\n}'],
  ['javascript', 'const first = 1 // glob: src/**\nfunction wanted() {\n}'],
  ['kotlin', 'val first = 1 // a *\nfun wanted() {\n}'],
  ['swift', 'let first = 1 // a *\nfunc wanted() {\n}'],
];

test.each(CASES)(
  'a comment that ends like an open line (%s, %#) swallows nothing behind it',
  (language, text) => {
    const found = outline(language, text.split('\n'));
    const first = found.find(({ name }) => name === 'first');

    expect(found.map(({ name }) => name)).toEqual(['first', 'wanted']);
    expect(first?.endLine).toBe(first?.startLine);
  },
);

test('a line whose code goes on goes on, comment or none', () => {
  const text = 'const first = // why\n  makeOne( /* here */\n    1,\n  )\nfunction wanted() {\n}';

  expect(outline('typescript', text.split('\n'))).toMatchObject([
    { name: 'first', startLine: 1, endLine: 4 },
    { name: 'wanted', startLine: 5, endLine: 6 },
  ]);
});
