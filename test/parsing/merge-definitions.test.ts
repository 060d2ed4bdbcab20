/** Around lines that a grammar could not read, the outline's definitions are kept. */
import { expect, test } from 'vitest';
import type { Definition } from '../../src/core/index.ts';
import { mergeDefinitions } from '../../src/languages/index.ts';

function definition(
  name: string,
  startLine: number,
  endLine: number,
  more: Partial<Definition> = {},
): Definition {
  return {
    name,
    kind: 'function',
    container: undefined,
    signature: name,
    doc: undefined,
    startLine,
    endLine,
    ...more,
  };
}

test('without errors the parser is right', () => {
  const definitions = [definition('a', 1, 3)];
  expect(mergeDefinitions(() => [definition('b', 5, 9)], { definitions, errors: [] })).toBe(definitions);
});

test('a class that was lost over one line comes back, and takes its members with it', () => {
  const outlined = [
    definition('Vector', 2, 9, { kind: 'class' }),
    definition('at', 4, 6, { kind: 'method', container: 'Vector' }),
    definition('elsewhere', 20, 22),
  ];
  const definitions = [definition('at', 4, 6), definition('main', 12, 14)];
  const merged = mergeDefinitions(() => outlined, { definitions, errors: [{ startLine: 2, endLine: 2 }] });
  expect(merged.map(({ name, kind, container }) => [name, kind, container])).toEqual([
    ['Vector', 'class', undefined],
    ['at', 'method', 'Vector'],
    ['main', 'function', undefined],
  ]);
});

test('a definition that was cut short by an error has its whole length, and its prototype goes', () => {
  const outlined = [definition('grow', 10, 30)];
  const definitions = [definition('grow', 2, 2), definition('grow', 10, 12)];
  const merged = mergeDefinitions(() => outlined, { definitions, errors: [{ startLine: 13, endLine: 13 }] });
  expect(merged).toEqual([definition('grow', 10, 30)]);
});
