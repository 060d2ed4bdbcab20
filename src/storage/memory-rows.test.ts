import { expect, test } from 'vitest';
import { parseFields } from './memory-rows.ts';

test('a long document is read, brackets in its texts and all; one nested beyond anything of ours is not', () => {
  const content = '\\"[[{{ '.repeat(100_000);
  expect(parseFields(JSON.stringify({ content }))).toEqual({ content });
  const deep = 500;
  const nested = `{"content":"${'x'.repeat(70_000)}","metadata":${'['.repeat(deep)}${']'.repeat(deep)}}`;
  expect(parseFields(nested)).toBeUndefined();
});
