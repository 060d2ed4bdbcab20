/** Whether a path is that of a test, by the customs of many languages, and whether a runner would be given it. */
const TEST =
  /(?:^|\/)(?:tests?|__tests__|testing|specs?|e2e)\/|[._-](?:test|spec|test-d|e2e)\.\w+$|(?:^|\/)test_[^/]*\.py$|(?:^|\/)conftest\.py$|_test\.\w+$|_spec\.rb$|(?:Test|Tests|Spec|IT)\.(?:java|kt|scala|cs|php|swift)$/;
/** Named so that a runner finds it. */
const RUNNABLE =
  /[._-](?:test|spec|test-d|e2e|cy)\.\w+$|(?:^|\/)(?:test|spec)_(?!helper\b)[^/]*\.(?:py|rb)$|(?:^|\/)tests?\.py$|_(?:test|spec)\.\w+$|(?:Test|Tests|TestCase|Spec|IT)\.(?:java|kt|scala|cs|php|swift|groovy)$/;
/** In these languages a test has such a name; what else is below a folder of tests supports them. */
const NAMED = /\.(?:py|pyi|go|rb|php|java|kt|scala|cs|swift)$/;
const SUPPORT =
  /(?:^|\/)(?:fixtures?|support|helpers?|data|mocks?|__mocks__|__fixtures__|__snapshots__|stubs?|utils?|common|testdata|resources)(?:\/|\.\w+$)|(?:^|\/)(?:index|setup|helpers?|utils?|mod)\.\w+$/;

export function isTestPath(path: string): boolean {
  return TEST.test(path);
}

/** Not what tests share: `__init__.py`, fixtures, support. */
export function isRunnableTest(path: string): boolean {
  if (!TEST.test(path) && !RUNNABLE.test(path)) return false;
  return RUNNABLE.test(path) || (!NAMED.test(path) && !SUPPORT.test(path));
}
