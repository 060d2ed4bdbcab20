import { expect, test } from 'vitest';
import { isSameStatement, subjectKey, subjectOf } from './fact-subject.ts';

test.each([
  ['We use pnpm for packages.', 'Use npm for packages'],
  ['The user prefers tabs over spaces', 'prefers spaces to tabs'],
  ['Use vitest, not jest', 'We use jest instead of vitest'],
  ['Always squash commits before merging.', 'Never squash commits before merging'],
])('%s | %s: one subject', (one, other) => {
  const [first, second] = [subjectOf(one), subjectOf(other)].map((subject) => subjectKey(subject ?? ''));

  expect(first).not.toBe('');
  expect(second).toBe(first);
});

test.each([
  'The tests are slow.',
  'The login page is in src/login.ts.',
  'CI runs on Node 22.',
  'We use pnpm. Packages are pinned for good.',
])('%s tells no subject: it may hold beside others', (statement) => {
  expect(subjectOf(statement)).toBeUndefined();
});

test('the same statement is the same whatever its case, dots and blanks; one with `not` is another', () => {
  expect(isSameStatement('The build needs  Node 22.', 'the build needs node 22')).toBe(true);
  expect(isSameStatement('We use jest', 'We do not use jest')).toBe(false);
  expect(isSameStatement('Ports start at 3000', 'Ports start at 4000')).toBe(false);
});

test('a subject is the same in the plural, with an article and with other signs', () => {
  expect(subjectKey('the package-managers')).toBe(subjectKey('Package manager'));
});

test.each([
  ['step 1', 'step 2'],
  ['region eu-1', 'region eu-2'],
  ['plan a', 'plan b'],
  ['C headers', 'C# headers'],
])('%s | %s: a number or a letter tells subjects apart', (one, other) => {
  expect(subjectKey(one)).not.toBe(subjectKey(other));
  expect(subjectKey(`the ${one}`)).toBe(subjectKey(one));
});
