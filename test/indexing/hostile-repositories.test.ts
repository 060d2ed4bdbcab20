/** A part of the hostile repositories of every family; `npm run campaign:hostile` runs all of them, and larger ones. */
import { beforeAll, expect, test } from 'vitest';
import { FAMILIES } from '../campaigns/hostile/families.ts';
import type { Family } from '../campaigns/hostile/fixture.ts';
import { learnUsual, runHostileRepositories, type Usual } from '../campaigns/hostile/hostile-campaign.ts';

const MOST_PER_FAMILY = 2;

/** Evenly spread, so that each sort within a family is met. */
function partOf({ name, fixtures }: Family): Family {
  const short = fixtures.filter(({ isLongOnly }) => isLongOnly !== true);
  const step = Math.max(1, short.length / MOST_PER_FAMILY);
  const chosen = Array.from({ length: Math.min(MOST_PER_FAMILY, short.length) }, (_, at) =>
    short.slice(Math.floor(at * step), Math.floor(at * step) + 1),
  );
  return { name, fixtures: chosen.flat() };
}

let usual: Usual | undefined;
beforeAll(async () => {
  usual = await learnUsual();
});

test('there are at least 100 hostile repositories', () => {
  const names = FAMILIES.flatMap((family) => family.fixtures.map(({ name }) => `${family.name}: ${name}`));

  expect(names.length).toBeGreaterThan(300);
  expect(new Set(names).size).toBe(names.length);
});

test.each(FAMILIES.map(partOf))(
  'hostile $name: the run ends, reads nothing outside, runs nothing, and says why it leaves out what it leaves out',
  async (family) => {
    const report = await runHostileRepositories({ families: [family], isLong: false, usual });

    expect(report.findings).toEqual([]);
    expect(report.fixtures).toBe(family.fixtures.length);
  },
  180_000,
);
