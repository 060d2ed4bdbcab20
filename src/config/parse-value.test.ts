import { describe, expect, test } from 'vitest';
import { describeExpected, fromText, parseValue, type ValueRules } from './parse-value.ts';
import type { Setting } from './setting.ts';

const facts = {
  key: 'x',
  flag: '--x',
  valueName: 'x',
  env: 'WAYMARK_X',
  description: 'X.',
  scope: 'user',
  group: 'Server',
  places: ['global'],
} as const;
const BOOLEAN: Setting = { ...facts, kind: 'boolean', default: false };
const INTEGER: Setting = { ...facts, kind: 'integer', min: 1, max: 10, default: 5 };
const CHOICE: Setting = { ...facts, kind: 'choice', values: ['red', 'blue'], default: 'red' };
const STRING: Setting = { ...facts, kind: 'string', default: undefined };
const PATH: Setting = { ...facts, kind: 'path', default: undefined };
const TEXTS: Setting = { ...facts, kind: 'list', of: 'string', default: [] };
const GLOBS: Setting = { ...facts, kind: 'list', of: 'glob', default: [] };
const PATHS: Setting = { ...facts, kind: 'list', of: 'path', default: [] };

const FREE: ValueRules = { resolvePath: (written) => `/base/${written}`, confined: false };
const CONFINED: ValueRules = { ...FREE, confined: true };

describe('good values', () => {
  test.each<[Setting, unknown, unknown]>([
    [BOOLEAN, true, true],
    [BOOLEAN, false, false],
    [INTEGER, 1, 1],
    [INTEGER, 10, 10],
    [CHOICE, 'blue', 'blue'],
    [STRING, ' spaces stay ', ' spaces stay '],
    [PATH, 'a', '/base/a'],
    [TEXTS, ['a', 'b'], ['a', 'b']],
    [TEXTS, [], []],
    [GLOBS, ['../**', '/x/*'], ['../**', '/x/*']],
    [PATHS, ['a', 'b/c'], ['/base/a', '/base/b/c']],
  ])('$kind takes %j', (setting, raw, value) => {
    expect(parseValue(setting, raw, FREE)).toEqual({ kind: 'value', value });
  });
});

describe('bad values', () => {
  test.each<[Setting, unknown, string]>([
    [BOOLEAN, 'maybe', 'true or false'],
    [BOOLEAN, 1, 'true or false'],
    [BOOLEAN, null, 'true or false'],
    [INTEGER, 0, 'an integer from 1 to 10'],
    [INTEGER, 11, 'an integer from 1 to 10'],
    [INTEGER, 1.5, 'an integer from 1 to 10'],
    [INTEGER, '5', 'an integer from 1 to 10'],
    [INTEGER, Number.POSITIVE_INFINITY, 'an integer from 1 to 10'],
    [CHOICE, 'Red', 'one of red, blue'],
    [CHOICE, '', 'one of red, blue'],
    [CHOICE, ['red'], 'one of red, blue'],
    [STRING, 5, 'text'],
    [STRING, '  ', 'text'],
    [STRING, 'a\nb', 'text'],
    [STRING, 'x'.repeat(5000), 'text'],
    [PATH, '', 'a path'],
    [PATH, 'a\0b', 'a path'],
    [TEXTS, 'a', 'a list of texts'],
    [TEXTS, {}, 'a list of texts'],
    [GLOBS, Array.from({ length: 1001 }, () => 'a'), 'a list of globs'],
  ])('$kind refuses %j', (setting, raw, expected) => {
    expect(parseValue(setting, raw, FREE)).toMatchObject({ kind: 'problem', expected, found: raw });
  });

  test('says which part of a list is wrong', () => {
    expect(parseValue(GLOBS, ['a', 5], FREE)).toEqual({
      kind: 'problem',
      expected: 'a glob',
      found: 5,
      item: 1,
    });
  });
});

describe('text from flags and variables', () => {
  test.each(['true', 'TRUE', '1', 'yes', 'On', ' true '])('%j means true', (text) => {
    expect(fromText(BOOLEAN, text)).toBe(true);
  });

  test.each(['false', 'False', '0', 'no', 'OFF'])('%j means false', (text) => {
    expect(fromText(BOOLEAN, text)).toBe(false);
  });

  test.each<[Setting, string, unknown]>([
    [BOOLEAN, 'maybe', 'maybe'],
    [INTEGER, ' 42 ', 42],
    [INTEGER, '-1', -1],
    [INTEGER, '1e3', '1e3'],
    [INTEGER, '0x10', '0x10'],
    [INTEGER, '4.0', '4.0'],
    [CHOICE, ' red ', 'red'],
    [STRING, ' a ', ' a '],
    [PATH, '~/a b', '~/a b'],
  ])('$kind makes of %j', (setting, text, raw) => {
    expect(fromText(setting, text)).toBe(raw);
  });
});

describe('confined paths and globs', () => {
  test.each(['a', 'docs/guides', './a', 'a..b/c', '..a', 'a..', '...', 'a/**/*.{ts,tsx}', '!a/b'])(
    'may be %j',
    (written) => {
      expect(parseValue(GLOBS, [written], CONFINED).kind).toBe('value');
      expect(parseValue(PATHS, [written], CONFINED).kind).toBe('value');
    },
  );

  test.each([
    ['..', 'a path that leaves the project'],
    ['../a', 'a path that leaves the project'],
    ['a/../../b', 'a path that leaves the project'],
    ['a/..', 'a path that leaves the project'],
    ['a\\..\\b', 'a path that leaves the project'],
    ['.. /a', 'a path that leaves the project'],
    ['{..,a}/b', 'a path that leaves the project'],
    ['!../a', 'a path that leaves the project'],
    ['/etc', 'an absolute path'],
    ['!/etc', 'an absolute path'],
    ['C:\\a', 'an absolute path'],
    ['C:a', 'an absolute path'],
    ['\\\\server\\share', 'an absolute path'],
    ['~/a', 'a path in the home directory'],
    ['~root/a', 'a path in the home directory'],
  ])('may not be %j', (written, why) => {
    expect(parseValue(GLOBS, [written], CONFINED)).toMatchObject({ kind: 'problem', why, item: 0 });
    expect(parseValue(PATHS, [written], CONFINED)).toMatchObject({ kind: 'problem', why, item: 0 });
  });

  test('leave lists of plain text alone', () => {
    expect(parseValue(TEXTS, ['../c'], CONFINED).kind).toBe('value');
  });
});

test('describes what each kind takes', () => {
  const described = [BOOLEAN, INTEGER, CHOICE, STRING, PATH, TEXTS, GLOBS, PATHS].map(describeExpected);

  expect(new Set(described).size).toBe(described.length);
});
