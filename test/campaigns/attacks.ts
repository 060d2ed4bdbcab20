/** node scripts/run-ts.mjs test/campaigns/attacks.ts [--area NAME] [--only NAME] [--program dist/main.js] */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ATTACKS } from './attacks/all-attacks.ts';
import { renderAttacks, runAttacks } from './attacks/attack-campaign.ts';

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const { values } = parseArgs({
  options: {
    area: { type: 'string' },
    only: { type: 'string' },
    program: { type: 'string', default: 'dist/main.js' },
  },
});
const attacks = ATTACKS.filter(
  ({ area, name }) =>
    (values.area === undefined || area === values.area) &&
    (values.only === undefined || name === values.only),
);
if (attacks.length === 0) throw new Error('no such attack');
const print = (text: string): void => void process.stdout.write(`${text}\n`);
const start = performance.now();

const results = await runAttacks({
  attacks,
  program: resolve(values.program),
  onResult({ attack, through, ms }) {
    if (through === undefined && values.only === undefined) return;
    print(
      `${through === undefined ? 'held' : 'THROUGH'}  ${attack.area}: ${attack.name} (${Math.round(ms)} ms)`,
    );
    if (through !== undefined) print(`     ${through}\n     class: ${attack.stands}`);
  },
});
print(`\n${renderAttacks(results)}`);
print(`\nnode ${process.version}, ${Math.round((performance.now() - start) / 1000)} s`);
process.exit(results.every(({ through }) => through === undefined) ? 0 : 1);
