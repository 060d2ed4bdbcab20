import { expect, test } from 'vitest';
import { splitLines } from './decode-text.ts';
import { TextLines } from './shown-text.ts';

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

test('some lines are one text, with the place where each begins', () => {
  const lines = new TextLines('Open the till\nclose\n\nREOPENED, open\ntill\n');
  expect(lines.piece(1, 4)).toBe('close\n\nREOPENED, open');
  expect(lines.piece(4, 99)).toBe('till');
  expect(lines.piece(5, 9)).toBe('');
  expect(lines.piece(2, 3)).toBe('');
});

test('a text of many lines and one of few behind it have their own', () => {
  const many = Array.from({ length: 5000 }, (_, at) => `line ${at}`);
  const lines = new TextLines(many.join('\n'));
  const few = new TextLines('a\nb');
  expect(lines.slice(0, 5000)).toEqual(many);
  expect(few.slice(0, 5000)).toEqual(['a', 'b']);
});
