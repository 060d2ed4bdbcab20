import { expect, test } from 'vitest';
import { isFlat, trendOf } from '../campaigns/soak/trend.ts';

test('a straight rise is told from noise around a level', () => {
  const noise = [0.4, -0.7, 0.1, 0.6, -0.3, -0.5, 0.7, -0.2, 0.3, -0.4];
  const rising = trendOf(noise.map((off, minute) => ({ minute, value: 100 + 2 * minute + off })));
  const level = trendOf(noise.map((off, minute) => ({ minute, value: 100 + off })));

  expect(rising.slope).toBeCloseTo(2, 0);
  expect(isFlat(rising, 0.1)).toBe(false);
  expect(isFlat(level, 0.01)).toBe(true);
});
