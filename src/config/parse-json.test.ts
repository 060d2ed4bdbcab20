import { describe, expect, test } from 'vitest';
import { jsoncValue } from '../text/index.ts';
import { parseJson, type JsonDocument } from './parse-json.ts';

const parse = (text: string): JsonDocument => parseJson(text, 'f.json');
const plain = (text: string): unknown => jsoncValue(parse(text).root);
const keysOf = ({ root }: JsonDocument): string[] =>
  (root.children ?? []).map(({ children }) => String(children?.[0]?.value));

describe('values', () => {
  test.each([
    '"a"',
    '""',
    '"\\u00e9\\n\\"\\\\\\/"',
    '0',
    '-1',
    '1.5',
    '-0.25e+3',
    '1E9',
    'true',
    'false',
    'null',
    '[]',
  ])('reads %s as JSON does', (text) => {
    expect(plain(text)).toEqual(JSON.parse(text));
  });

  test('reads nested lists', () => {
    expect(plain('[1, ["a", []], null]')).toEqual([1, ['a', []], null]);
  });

  test('keeps the members of an object in order', () => {
    expect(keysOf(parse('{"b": 1, "a": {"c": 2}}'))).toEqual(['b', 'a']);
  });

  test('treats __proto__ as a name like any other', () => {
    expect(keysOf(parse('{"__proto__": {"polluted": true}, "constructor": 1}'))).toEqual([
      '__proto__',
      'constructor',
    ]);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

describe('what people write', () => {
  test.each([
    ['a byte order mark', '\uFEFF[1]'],
    ['line comments', '// one\n[1] // two'],
    ['a line comment at the very end', '[1]//'],
    ['block comments', '/* a */[/* b\n */1/**/]/* c */'],
    ['a trailing comma', '[1,]'],
    ['Windows line ends', '\r\n[\r\n1\r\n]\r\n'],
    ['tabs', '\t[\t1\t]\t'],
  ])('accepts %s', (_, text) => {
    expect(plain(text)).toEqual([1]);
  });

  test('accepts a trailing comma in an object', () => {
    expect(keysOf(parse('{"a": 1,}'))).toEqual(['a']);
  });

  test('does not take comment signs in a string for a comment', () => {
    expect(plain('"http://x/*y*/"')).toBe('http://x/*y*/');
  });
});

describe('positions', () => {
  test.each([
    ['\n', '{\n  "a": 1\n}'],
    ['\r\n', '{\r\n  "a": 1\r\n}'],
  ])('count from 1 with line end %j', (_, text) => {
    const document = parse(text);

    expect(document.position(text.indexOf('"a"'))).toEqual({ line: 2, column: 3 });
    expect(document.position(0)).toEqual({ line: 1, column: 1 });
  });

  test('do not count a byte order mark', () => {
    expect(() => parse('\uFEFF?')).toThrow('f.json:1:1: expected a value, found "?"');
  });
});

describe('mistakes', () => {
  test.each([
    ['', 'f.json:1:1: expected a value, found the end of the file'],
    ['// nothing', 'f.json:1:11: expected a value, found the end of the file'],
    ['{', 'f.json:1:2: expected a key in double quotes, found the end of the file'],
    ['{a: 1}', 'f.json:1:2: expected a key in double quotes, found "a"'],
    ["{'a': 1}", 'f.json:1:2: expected a key in double quotes, found "\'"'],
    ['{,}', 'f.json:1:2: expected a key in double quotes, found ","'],
    ['{"a" 1}', 'f.json:1:6: expected ":", found "1"'],
    ['{"a": }', 'f.json:1:7: expected a value, found "}"'],
    ['{"a": 1 "b": 2}', 'f.json:1:9: expected "," or "}", found """'],
    ['{\n"a": 1,\n"a": 2}', 'f.json:3:1: expected each key only once, found a again'],
    ['{"a b": 1, "a b": 2}', 'f.json:1:12: expected each key only once, found a key that is no name again'],
    ['[1 2]', 'f.json:1:4: expected "," or "]", found "2"'],
    ['[1,,2]', 'f.json:1:4: expected a value, found ","'],
    ['[1', 'f.json:1:3: expected "," or "]", found the end of the file'],
    ['[1] x', 'f.json:1:5: expected the end of the file, found "x"'],
    ['/* a', 'f.json:1:1: expected "*/" for the comment that begins here, found "/"'],
    ['/', 'f.json:1:1: expected a value, found "/"'],
    ['"a', "f.json:1:3: expected the string's closing quote, found the end of the file"],
    ['"a\nb"', 'f.json:1:3: expected the string\'s closing quote on the same line, found "\\n"'],
    ['"\\x"', 'f.json:1:2: expected an escape that JSON knows, found "\\"'],
    ['"\\u12g4"', 'f.json:1:2: expected an escape that JSON knows, found "\\"'],
    ['"\\', "f.json:1:3: expected the string's closing quote, found the end of the file"],
    ['"a\tb"', 'f.json:1:3: expected the string\'s closing quote on the same line, found "\\t"'],
    ['"\\\\\\d"', 'f.json:1:4: expected an escape that JSON knows, found "\\"'],
    ['tru', 'f.json:1:1: expected a value, found "t"'],
    ['truely', 'f.json:1:1: expected a value, found "t"'],
    ['toString', 'f.json:1:1: expected a value, found "t"'],
    ['NaN', 'f.json:1:1: expected a value, found "N"'],
    ['01', 'f.json:1:2: expected the end of the file, found "1"'],
    ['+1', 'f.json:1:1: expected a value, found "+"'],
    ['.5', 'f.json:1:1: expected a value, found "."'],
    ['\u202e', 'f.json:1:1: expected a value, found "\\u{202e}"'],
  ])('names what is wrong with %j', (text, message) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'bad_config', message }));
  });

  test('refuses nesting that goes too deep, however deep it goes', () => {
    expect(plain(`${'['.repeat(32)}${']'.repeat(32)}`)).toBeDefined();
    expect(() => parse('['.repeat(33))).toThrow('f.json:1:33: expected at most 32 levels of nesting');
    expect(() => parse('{"a":'.repeat(100_000))).toThrow('at most 32 levels');
  });

  test('reads a long string and a long comment without trouble', () => {
    const long = 'x'.repeat(1_000_000);

    expect(plain(`/*${long}*/"${long}"`)).toBe(long);
  });
});
