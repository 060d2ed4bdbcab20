import { expect, test } from 'vitest';
import { fitAnswer, MOST_ANSWER_CHARS } from './call-tool.ts';

test('R124 an answer of ordinary length comes back as it is', () => {
  const answer = { text: 'a\nb', structured: { hits: [1, 2] } };

  expect(fitAnswer(answer)).toBe(answer);
});

test('R124 a longer one has 45,000 characters at most, ends at a line, and says what was cut and how to get it', () => {
  const text = Array.from({ length: 5_000 }, (_, at) => `line ${at} of many`).join('\n');

  const fitted = fitAnswer({ text, structured: {} });

  const lines = fitted.text.split('\n');
  expect(fitted.text.length).toBeLessThanOrEqual(MOST_ANSWER_CHARS);
  expect(lines.at(-2)).toMatch(/^line \d+ of many$/);
  expect(lines.at(-1)).toMatch(/^… \d+ characters were left out: ask for less at a time, with a limit/);
});

test.each([
  ['one line', 'x'.repeat(200_000)],
  ['pairs', '👩'.repeat(100_000)],
])('R124 %s is cut all the same', (_name, text) => {
  const fitted = fitAnswer({ text, structured: {} });

  expect(fitted.text.length).toBeLessThanOrEqual(MOST_ANSWER_CHARS);
  expect(fitted.text).not.toMatch(/\p{Cs}/u);
});

test('R124 the value fits too, and keeps its shape', () => {
  const hits = Array.from({ length: 3_000 }, (_, at) => ({ path: `src/file-${at}.ts`, lines: ['a', 'b'] }));

  const { structured } = fitAnswer({
    text: '',
    structured: { matched: 3_000, hits, deep: { text: 'y'.repeat(300_000) } },
  });

  expect(JSON.stringify(structured).length).toBeLessThanOrEqual(MOST_ANSWER_CHARS);
  expect(structured).toMatchObject({
    matched: 3_000,
    hits: expect.arrayContaining([hits[0]]),
    deep: { text: expect.stringMatching(/^y+$/) },
    left_out: expect.any(String),
  });
});
