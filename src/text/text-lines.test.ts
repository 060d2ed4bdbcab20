import { expect, test } from 'vitest';
import { splitLines } from './decode-text.ts';
import { TextLines } from './text-lines.ts';

test.each(['', '\n', '\n\n', 'a', 'a\n', 'a\nb', '\na\n\nb\n\n', 'a\r\nb\rc\n', '\r', 'ä\nö\u2028ü\n'])(
  'the lines of %j are those that splitting gives',
  (text) => {
    const whole = splitLines(text);
    const lines = new TextLines(text);
    expect(lines.length).toBe(whole.length);
    expect(lines.slice(0, lines.length)).toEqual(whole);
    expect(lines.text).toBe(whole.join('\n'));
    whole.forEach((line, place) => expect(lines.at(place)).toBe(line));
  },
);

test('there is nothing before the first and behind the last line', () => {
  const lines = new TextLines('one\ntwo\nthree\n');
  expect([lines.at(-1), lines.at(3)]).toEqual(['', '']);
  expect(lines.slice(-2, 1)).toEqual(['one']);
  expect(lines.slice(2, 9)).toEqual(['three']);
  expect(lines.slice(2, 1)).toEqual([]);
});
