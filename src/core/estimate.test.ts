import { expect, test } from 'vitest';
import { estimate } from './estimate.ts';

test.each([
  [{ done: 0, total: 10, doneBytes: 0, totalBytes: 1000 }, 5, { percent: 0, etaMs: undefined }],
  [{ done: 9, total: 10, doneBytes: 250, totalBytes: 1000 }, 1000, { percent: 25, etaMs: 3000 }],
  [{ done: 9, total: 10, doneBytes: 1000, totalBytes: 1000 }, 1000, { percent: 99, etaMs: 0 }],
  [{ done: 5, total: 10, doneBytes: 0, totalBytes: 0 }, 1000, { percent: 50, etaMs: 1000 }],
  [{ done: 10, total: 10, doneBytes: 1000, totalBytes: 1000 }, 1000, { percent: 100, etaMs: 0 }],
  [{ done: 0, total: 0, doneBytes: 0, totalBytes: 0 }, 0, { percent: 100, etaMs: 0 }],
])('%j after %d ms comes to %j', (progress, ranMs, expected) => {
  expect(estimate(progress, ranMs)).toEqual(expected);
});
