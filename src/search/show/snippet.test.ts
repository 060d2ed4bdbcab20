import { expect, test } from 'vitest';
import type { Definition } from '../../core/index.ts';
import { TextLines } from '../../text/index.ts';
import { chooseSnippet, createLineWords, type SnippetInput } from './snippet.ts';
import { readQuestion } from '../query/question.ts';

const LINES = [
  'import x from "x";',
  '',
  '/** Says hello. */',
  'export function greet(name) {',
  '  return `hello ${name}`;',
  '}',
  '',
  'export function expireSessions(now) {',
  '  for (const session of sessions) {',
  '    if (session.idle > now) remove(session);',
  '  }',
  '}',
];

function definition(name: string, startLine: number, endLine: number): Definition {
  return {
    name,
    kind: 'function',
    container: undefined,
    signature: name,
    doc: undefined,
    startLine,
    endLine,
  };
}

const DEFINITIONS = [definition('greet', 4, 6), definition('expireSessions', 8, 12)];

function choose(query: string, more: Partial<SnippetInput> = {}) {
  const {
    startLine,
    endLine,
    definition: found,
  } = chooseSnippet({
    lines: new TextLines(LINES.join('\n')),
    chunk: { startLine: 1, endLine: LINES.length },
    definitions: DEFINITIONS,
    question: readQuestion(query),
    words: createLineWords(readQuestion(query), () => 1),
    maxLines: 12,
    ...more,
  });
  return [startLine, endLine, found?.name];
}

test('the definition whose line matches, with the comment above it', () => {
  expect(choose('greet')).toEqual([3, 6, 'greet']);
  expect(choose('how are sessions expired')).toEqual([8, 12, 'expireSessions']);
});

test('no more lines than were asked for', () => {
  expect(choose('expireSessions', { maxLines: 2 })).toEqual([8, 9, 'expireSessions']);
});

test('where no definition matches, the lines that hold most of the words', () => {
  expect(choose('idle session remove', { definitions: [], maxLines: 2 })).toEqual([9, 10, undefined]);
});

test('the window of most words is the one that trying all of them finds', () => {
  const words = ['alpha', 'beta', 'gamma', ''];
  const lines = Array.from({ length: 200 }, (_, at) => `${words[(at * 7) % 4]} ${words[(at * at) % 4]}`);
  const question = readQuestion('alpha beta gamma');
  const scoreAt = (from: number): number => {
    const seen = new Map<string, number>();
    for (const line of lines.slice(from, from + 5))
      for (const word of new Set(line.split(' ').filter(Boolean))) seen.set(word, (seen.get(word) ?? 0) + 1);
    return [...seen.values()].reduce((sum, count) => sum + 1 + 0.2 * (count - 1), 0);
  };
  const all = Array.from({ length: 196 }, (_, from) => scoreAt(from));
  const best = Math.max(...all);

  const { startLine, endLine } = chooseSnippet({
    lines: new TextLines(lines.join('\n')),
    chunk: { startLine: 1, endLine: 200 },
    definitions: [],
    question,
    words: createLineWords(question, () => 1),
    maxLines: 5,
  });

  expect(endLine - startLine).toBe(4);
  expect(scoreAt(startLine - 1)).toBeCloseTo(best, 6);
  expect(startLine - 1).toBe(all.findIndex((score) => score > best - 1e-6));
});

test.each([
  [[10], 12, [9, 11]],
  [[10], 1, [10, 10]],
  [[10], 2, [10, 11]],
  [[4, 5, 9], 12, [3, 10]],
  [[4, 5, 9], 3, [3, 5]],
  [[1], 12, [1, 1]],
  [[8], 12, [8, 9]],
  [[3], 12, [3, 4]],
  [[12], 12, [11, 12]],
])('exact matches on %j within %i lines: %j', (matches, maxLines, range) => {
  expect(choose('x', { matches, maxLines }).slice(0, 2)).toEqual(range);
});

test('a definition that is nearly all there is shown whole, a longer one to the limit', () => {
  expect(choose('expireSessions', { maxLines: 2, wholeLines: 5 })).toEqual([8, 12, 'expireSessions']);
  expect(choose('expireSessions', { maxLines: 2, wholeLines: 4 })).toEqual([8, 9, 'expireSessions']);
});

test('a window does not begin with the end of the definition before it, unless that holds a word', () => {
  const lines = [
    'function first() {',
    '  one();',
    '  two();',
    '}',
    '',
    'const idle = remove(session);',
    'x();',
  ];
  const more = {
    lines: new TextLines(lines.join('\n')),
    chunk: { startLine: 1, endLine: lines.length },
    definitions: [definition('first', 1, 4)],
    maxLines: 4,
  };

  expect(choose('idle remove', more).slice(0, 2)).toEqual([6, 6]);
  expect(choose('two idle remove', more).slice(0, 2)).toEqual([3, 6]);
});

test('the lines that the end of another definition leaves free show the rest of the one that begins there', () => {
  const lines = [
    'function first() {',
    '  one();',
    '}',
    '',
    '/** Idle. */',
    'function last() {',
    '  x();',
    '}',
  ];
  const more = {
    lines: new TextLines(lines.join('\n')),
    chunk: { startLine: 1, endLine: lines.length },
    definitions: [definition('first', 1, 3), definition('last', 6, 8)],
  };

  expect(choose('idle x', { ...more, maxLines: 4 })).toEqual([5, 8, 'last']);
  expect(choose('idle x', { ...more, maxLines: 3 })).toEqual([5, 7, 'last']);
});

test('a chunk behind the end of a file that became shorter shows lines that are there', () => {
  expect(choose('nothing', { chunk: { startLine: 80, endLine: 90 }, definitions: [] }).slice(0, 2)).toEqual([
    12, 12,
  ]);
  expect(choose('x', { lines: new TextLines('only'), definitions: [], matches: [40] }).slice(0, 2)).toEqual([
    1, 1,
  ]);
});

test('a name that is only used is shown where it is used, not the definition of one like it', () => {
  const lines = [
    'function callOther() {',
    ...Array.from({ length: 20 }, (_, at) => `  step(${at});`),
    '  callNeedle(1);',
    '}',
  ];
  const more = {
    lines: new TextLines(lines.join('\n')),
    chunk: { startLine: 1, endLine: lines.length },
    definitions: [definition('callOther', 1, lines.length)],
    maxLines: 5,
  };
  const [from, to, name] = choose('callNeedle', more);
  expect(lines.slice(Number(from) - 1, Number(to)).join()).toContain('callNeedle(1)');
  expect(name).toBe('callOther');
  expect(choose('callOther', more)).toEqual([1, 5, 'callOther']);
  // A word alone may be a topic.
  expect(choose('other', more)).toEqual([1, 5, 'callOther']);
});
