import { expect, test } from 'vitest';
import {
  escapeControl,
  escapeControlInJson,
  escapeControlKeepingLines,
  renderCodeLine,
} from './shown-text.ts';

test('leaves ordinary text alone, in any script', () => {
  expect(escapeControl('naïve Größe 東京 🙂 a/b-c')).toBe('naïve Größe 東京 🙂 a/b-c');
});

test.each([
  ['a terminal escape', '\u001b[31mred', '\\x1b[31mred'],
  ['an operating system command', '\u001b]8;;http://x\u0007', '\\x1b]8;;http://x\\x07'],
  ['a C1 control', '\u009b31m', '\\x9b31m'],
  ['line breaks', 'a\r\nb', 'a\\r\\nb'],
  ['a right-to-left override', 'a\u202eb', 'a\\u{202e}b'],
  ['an invisible tag', 'a\u{e0041}b', 'a\\u{e0041}b'],
  ['a zero-width space', 'a\u200bb', 'a\\u{200b}b'],
  ['half a surrogate pair', 'a\ud800b', 'a\\u{d800}b'],
])('shows %s instead of sending it', (_what, raw, shown) => {
  expect(escapeControl(raw)).toBe(shown);
});

test('keeps line breaks and tabs when asked to, and nothing else', () => {
  expect(escapeControlKeepingLines('a\tb\n\u001b[0mc')).toBe('a\tb\n\\x1b[0mc');
});

test('JSON means the same when it is made safe for a terminal', () => {
  const value = { 'a\u009b31m': ['\u202e', 'x\u{e0041}y', '\u001b[0m\n\u007f', 'Größe 🙂'] };
  const json = escapeControlInJson(JSON.stringify(value, null, 2));

  expect(JSON.parse(json)).toEqual(value);
  expect(json.split('\n').map(escapeControl).join('\n')).toBe(json);
  expect(json).toContain('Größe 🙂');
});

test.each([
  ['abcd', 'abc … (line cut: 1 more character)'],
  ['abcde', 'abc … (line cut: 2 more characters)'],
])('of the long line %s it is said how much is missing', (line, shown) => {
  expect(renderCodeLine(line, 3)).toBe(shown);
});
