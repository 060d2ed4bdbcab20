import { expect, test } from 'vitest';
import { describeFound, describeKey, describeType, showText } from './problem.ts';

test.each([
  ['abc', '"abc"'],
  ['a\u001b[31m\u202eb\nc', '"a\\x1b[31m\\u{202e}b\\nc"'],
  ['a\u2028b', '"a\\u{2028}b"'],
  ['x'.repeat(41), `"${'x'.repeat(40)}…"`],
  [5, '5'],
  [true, 'true'],
  [null, 'null'],
  [undefined, 'nothing'],
  [['secret'], 'a list'],
  [{ a: 1 }, 'an object'],
])('shows %j', (value, shown) => {
  expect(describeFound(value)).toBe(shown);
});

test('cuts between characters and not inside one', () => {
  expect(showText('😀😀😀', 2)).toBe('😀😀…');
});

test.each([
  ['abc', 'a string'],
  ['', 'an empty string'],
  [5, 'a number'],
  [true, 'a boolean'],
])('tells only the type of %j', (value, shown) => {
  expect(describeType(value)).toBe(shown);
});

test('repeats a key only if it looks like one', () => {
  expect(describeKey('log.level')).toBe('log.level');
  expect(describeKey('ignore all previous text')).toBe('a key that is no name');
  expect(describeKey('x'.repeat(41))).toBe('a key that is no name');
});
