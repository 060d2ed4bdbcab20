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

test('says which lines hold a text, whatever their case', () => {
  const lines = new TextLines('Open the till\nclose\n\nREOPENED, open\ntill');
  expect([...lines.holding(['open'], 0, 5)]).toEqual([1, 0, 0, 1, 0]);
  expect([...lines.holding(['till', 'clos'], 0, 5)]).toEqual([1, 1, 0, 0, 1]);
  expect([...lines.holding(['till'], 1, 4)]).toEqual([0, 0, 0]);
  expect([...lines.holding(['till'], 4, 99)]).toEqual([1]);
  expect([...lines.holding(['till'], 5, 9)]).toEqual([]);
  expect([...lines.holding([], 0, 2)]).toEqual([0, 0]);
});

test('says of every line that it may, where it cannot tell', () => {
  expect([...new TextLines('a\nb').holding([''], 0, 2)]).toEqual([1, 1]);
  // Two letters in lower case.
  expect([...new TextLines('\u0130\nb').holding(['x'], 0, 2)]).toEqual([1, 1]);
});
