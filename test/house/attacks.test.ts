/** The short version of `npm run campaign:attacks`: one attack of each class. */
import { expect, test } from 'vitest';
import { ATTACKS } from '../campaigns/attacks/all-attacks.ts';
import { firstOfEachClass, runAttacks } from '../campaigns/attacks/attack-campaign.ts';
import { BIN } from '../support/waymark.ts';

const SHORT = firstOfEachClass(ATTACKS);
const AREAS = [...new Set(SHORT.map(({ area }) => area))];

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
