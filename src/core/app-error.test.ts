import { expect, test } from 'vitest';
import { AppError, ERROR_FACTS, toAppError } from './app-error.ts';

test('caller faults exit with 2, an interrupt with 130, the rest with 1', () => {
  const wrong = Object.entries(ERROR_FACTS).filter(([code, facts]) => {
    const expected = code === 'interrupted' ? 130 : facts.fault === 'caller' ? 2 : 1;
    return facts.exitCode !== expected;
  });

  expect(wrong).toEqual([]);
});

test('a foreign error becomes internal, keeps itself as the cause and shows none of its words', () => {
  const foreign = new Error('SELECT secret FROM users');

  const error = toAppError(foreign);

  expect(error.code).toBe('internal');
  expect(error.cause).toBe(foreign);
  expect(`${error.message}${error.hint}`).not.toContain('SELECT');
});

test('an AppError stays what it is', () => {
  const error = new AppError('not_found', 'No such thing.');

  expect(toAppError(error)).toBe(error);
});
