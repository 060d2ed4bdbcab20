/** The short version of `npm run campaign:attacks`: one attack of a class. */
import { expect, test } from 'vitest';
import { ATTACKS } from '../campaigns/attacks/all-attacks.ts';
import { classOf, firstOfEachClass, runAttacks } from '../campaigns/attacks/attack-campaign.ts';
import { FAMILIES } from '../campaigns/hostile/families.ts';
import { BIN } from '../support/waymark.ts';

/** Left to the campaign: what another test tries, and what runs the program many times. */
const LONG_ONLY: readonly string[] = [
  // test/indexing/hostile-repositories.test.ts
  ...FAMILIES.map(({ name }) => `index: a hostile repository: ${name}`),
  // test/memory/backups.test.ts
  'memory: a backup is believed',
  'memory: a forged file is believed',
  // test/package/artefacts.test.ts
  'supply: the tarball holds the program and nothing of the workshop',
  'index: broken input',
  'index: query bomb',
  'index: resource bomb',
  'cli: files that others may read',
  'cli: text of others on a terminal',
  'cli: writing where another thing lies',
  'cli: an environment that is not meant',
  'cli: a server without an end',
];
const FIRST = firstOfEachClass(ATTACKS);
const SHORT = FIRST.filter((attack) => !LONG_ONLY.includes(classOf(attack)));
const AREAS = [...new Set(SHORT.map(({ area }) => area))];

test('what is left to the campaign are classes that it has', () => {
  expect(LONG_ONLY.filter((left) => !FIRST.some((attack) => classOf(attack) === left))).toEqual([]);
});

test.each(AREAS)('one attack of each class does not get through: %s', { timeout: 180_000 }, async (area) => {
  const attacks = SHORT.filter((attack) => attack.area === area);

  const results = await runAttacks({ attacks, program: BIN });

  expect(
    results.flatMap(({ attack, through }) => (through === undefined ? [] : [`${attack.name}: ${through}`])),
  ).toEqual([]);
  expect(results.length).toBeGreaterThan(0);
});

test('what gets through, hangs or cannot be tried is told', async () => {
  const made = (name: string, run: () => Promise<string | undefined>) =>
    ({ name, area: 'cli', stands: 'the campaign itself', run }) as const;
  const attacks = [
    made('held', async () => undefined),
    made('through', async () => 'a way in'),
    made('hangs', () => new Promise(() => {})),
    made('breaks', () => Promise.reject(new Error('no such thing'))),
  ];

  const results = await runAttacks({ attacks, program: BIN, limitMs: 50 });

  expect(results.map(({ through }) => through)).toEqual([
    undefined,
    'a way in',
    'no end within 0.05 s',
    'could not be tried: Error: no such thing',
  ]);
});
