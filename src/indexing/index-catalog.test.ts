import { expect, test } from 'vitest';
import { planHousekeeping, type HousekeepingRules, type KeptIndex } from './index-catalog.ts';

const DAY = 24 * 3600 * 1000;
const NOW = 1_000 * DAY;

function kept(name: string, more: Partial<KeptIndex> & { readonly unusedDays?: number } = {}): KeptIndex {
  const { unusedDays = 0, ...rest } = more;
  return {
    id: `${name}-0123456789abcdef-v1.db`,
    key: `${name}-0123456789abcdef`,
    kind: 'current',
    sizeBytes: 100,
    modifiedAt: 0,
    usedAt: NOW - unusedDays * DAY,
    root: `/home/me/${name}`,
    name,
    isGone: false,
    ...rest,
  };
}

function plan(indexes: readonly KeptIndex[], rules: Partial<HousekeepingRules> = {}): readonly string[] {
  const all = { now: NOW, limitBytes: 0, inUse: new Set<string>(), mode: 'quiet', ...rules } as const;
  return planHousekeeping(indexes, all).map(({ index, reason }) => `${index.id.split('-')[0]} ${reason}`);
}

test('what is used stays, however old', () => {
  expect(plan([kept('a', { unusedDays: 800 })])).toEqual([]);
});

test('the index of a project that is gone waits in case a disk is only unplugged, unless it is asked for', () => {
  const gone = [
    kept('late', { isGone: true, unusedDays: 31 }),
    kept('fresh', { isGone: true, unusedDays: 29 }),
  ];

  expect(plan(gone)).toEqual(['late project_gone']);
  expect(plan(gone, { mode: 'asked' })).toEqual(['late project_gone', 'fresh project_gone']);
});

test("other releases' indexes, damaged ones and those of nobody go when they are long unused", () => {
  const others = [
    kept('old', { kind: 'old', unusedDays: 31 }),
    kept('beside', { kind: 'old', unusedDays: 29 }),
    kept('damaged', { kind: 'damaged', unusedDays: 8 }),
    kept('nobody', { root: undefined, name: undefined, unusedDays: 91 }),
    kept('somebody', { root: undefined, name: undefined, unusedDays: 89 }),
  ];

  expect(plan(others)).toEqual(['old other_release', 'damaged damaged', 'nobody unknown_project']);
});

test('beyond the limit the least recently used go first, and only as many as needed', () => {
  const three = [kept('new'), kept('oldest', { unusedDays: 3 }), kept('older', { unusedDays: 2 })];

  expect(plan(three, { limitBytes: 300 })).toEqual([]);
  expect(plan(three, { limitBytes: 299 })).toEqual(['oldest over_limit']);
  expect(plan(three, { limitBytes: 100 })).toEqual(['oldest over_limit', 'older over_limit']);
});

test('what expires anyway makes room first, and what is in use never goes', () => {
  const gone = kept('gone', { isGone: true, unusedDays: 40 });
  const used = kept('used', { unusedDays: 9 });
  const idle = kept('idle', { unusedDays: 1 });

  expect(plan([gone, used, idle], { limitBytes: 200 })).toEqual(['gone project_gone']);
  expect(plan([used, idle], { limitBytes: 100, inUse: new Set([used.id]) })).toEqual(['idle over_limit']);
  expect(plan([gone], { inUse: new Set([gone.id]) })).toEqual([]);
});
