/** Whether a path is that of a test, by the customs of many languages. */
const TEST =
  /(?:^|\/)(?:tests?|__tests__|testing|specs?|e2e)\/|[._-](?:test|spec|test-d|e2e)\.\w+$|(?:^|\/)test_[^/]*\.py$|(?:^|\/)conftest\.py$|_test\.\w+$|_spec\.rb$|(?:Test|Tests|Spec|IT)\.(?:java|kt|scala|cs|php|swift)$/;

export function isTestPath(path: string): boolean {
  return TEST.test(path);
}
