/** Which files are tests, and which of them a runner is given. */
import { expect, test } from 'vitest';
import { isRunnableTest, isTestPath } from './test-path.ts';

test('R132 tests to run are files that a runner takes, not what stands beside them', () => {
  const runnable = [
    'tests/test_app.py',
    'src/app.test.ts',
    'test/cart.spec.js',
    'pkg/mux_test.go',
    'spec/request_spec.rb',
    'test/spec_request.rb',
    'tests/Mail/LetterTest.php',
    'src/test/java/app/CartTest.java',
    'tests/parser.rs',
  ];
  const support = [
    'tests/__init__.py',
    'tests/conftest.py',
    'tests/fixtures/app.py',
    'test/support/clients.ts',
    'test/fixtures/page.js',
    'spec/spec_helper.rb',
    'tests/bootstrap.php',
    'tests/common/mod.rs',
    'internal/testing/server.go',
  ];

  expect(runnable.filter((path) => !isRunnableTest(path))).toEqual([]);
  expect(support.filter((path) => isRunnableTest(path))).toEqual([]);
  expect(support.filter((path) => !isTestPath(path))).toEqual([]);
});
