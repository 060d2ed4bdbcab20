import { expect, test } from 'vitest';
import { MAX_BODY_DEPTH, MAX_BODY_ELEMENTS, parseBody } from './node-exchange.ts';

/** The list itself counts as well. */
function list(length: number): Buffer {
  return Buffer.from(JSON.stringify(new Array<number>(length).fill(0)));
}

test('F22 the limit of elements is exact', () => {
  expect(MAX_BODY_ELEMENTS).toBe(10_000);
  expect(parseBody(list(MAX_BODY_ELEMENTS - 1))).toMatchObject({ kind: 'json' });
  expect(parseBody(list(MAX_BODY_ELEMENTS))).toMatchObject({ kind: 'too_large' });
});

test('F22 the limit of depth is exact', () => {
  const nested = (depth: number): Buffer => Buffer.from('['.repeat(depth) + ']'.repeat(depth));

  expect(parseBody(nested(MAX_BODY_DEPTH))).toMatchObject({ kind: 'json' });
  expect(parseBody(nested(MAX_BODY_DEPTH + 1))).toMatchObject({ kind: 'too_large' });
});

test('F22 what stands in a string is no element', () => {
  const text = `${',[{'.repeat(MAX_BODY_ELEMENTS)}\\"`;

  expect(parseBody(Buffer.from(JSON.stringify({ text })))).toEqual({ kind: 'json', value: { text } });
});
