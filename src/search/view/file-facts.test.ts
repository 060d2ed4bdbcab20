import { expect, test } from 'vitest';
import { pathFlags, type PathFlags } from './file-facts.ts';

const flagsOf = (path: string, others: readonly string[] = []): string[] =>
  Object.entries(pathFlags(path, (other) => others.includes(other)) satisfies PathFlags)
    .filter(([, isSet]) => isSet)
    .map(([name]) => name);

test.each([
  ['src/cart.ts', []],
  ['src/latest.ts', []],
  ['src/contest/entry.ts', []],
  ['src/cart.test.ts', ['test']],
  ['test/cart.ts', ['test']],
  ['pkg/__tests__/a.js', ['test']],
  ['test_cart.py', ['test']],
  ['cart_test.go', ['test']],
  ['CartTest.java', ['test']],
  ['spec/cart_spec.rb', ['test']],
  ['testing/run.ts', ['test']],
  ['src/testing/run.ts', []],
  ['examples/hello.ts', ['example']],
  ['src/docs/page.ts', ['example']],
  ['tools/build.ts', ['example']],
  ['History.md', ['example']],
  ['CHANGELOG', ['example']],
  ['src/history.ts', []],
  ['src/tools/build.ts', []],
  ['vendor/lib.go', ['vendored']],
  ['api_pb2.py', ['vendored']],
  ['src/legacy.ts', ['compat']],
  ['include/cart.h', ['header']],
])('%s: %j', (path, flags) => {
  expect(flagsOf(path)).toEqual(flags);
});

test('a file of an old generation counts as kept for compatibility if it has a twin', () => {
  expect(flagsOf('lib/v3/parse.ts', ['lib/parse.ts'])).toEqual(['compat']);
  expect(flagsOf('lib/v3/parse.ts')).toEqual([]);
});
