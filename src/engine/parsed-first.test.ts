import { expect, test } from 'vitest';
import { AppError } from '../core/index.ts';
import { createParsedFirst } from './parsed-first.ts';

const request = { root: '/project', mayWrite: true };
const missing = async (): Promise<never> => {
  throw new AppError('not_found', 'There is no symbol.', { hint: 'Near names: `cart`.' });
};

test('a symbol that does not exist says so, and that the call waited for files to be parsed', async () => {
  const ask = createParsedFirst(async () => 40)(missing);

  await expect(ask(request)).rejects.toMatchObject({
    code: 'not_found',
    message: 'There is no symbol.',
    hint: 'Near names: `cart`. This call waited until 40 files were parsed; the next call does not.',
  });
});

test('an error of a call that did not wait stays as it is', async () => {
  const ask = createParsedFirst(async () => 0)(missing);

  await expect(ask(request)).rejects.toMatchObject({ hint: 'Near names: `cart`.' });
});

test('nothing is parsed for a caller that may not write', async () => {
  const unseen = { waiting: 3, failed: 0, byName: [], waitedFor: 0 };
  const ask = createParsedFirst(async () => 40)(async () => ({ unseen }));

  expect((await ask({ ...request, mayWrite: false })).unseen.waitedFor).toBe(0);
});
