/** Repositories that are made to take long: answers come, within their limits, and say what is missing. */
import { expect, test } from 'vitest';
import { hostileStructure } from '../support/hostile-structure.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { emptyHome, run } from '../support/waymark.ts';

test('R134 cycles of re-exports, 100,000 definitions of one name and endless lists of imports end', async () => {
  const at = { home: emptyHome(), cwd: tempFolder(hostileStructure(3 * 1024)).path };

  const indexed = await run(['index', '--exact', '.'], at);
  const same = await run(['references', 'same', '--json'], at);
  const missing = await run(['references', 'missing'], at);
  const deps = await run(['deps', 'lists/l0.ts', '--in', '--depth', '20', '--json'], at);
  const impact = await run(['impact', 'ring/m0.ts', '--json'], at);

  expect(indexed.code).toBe(0);
  expect(same.code).toBe(0);
  const { symbols, others } = JSON.parse(same.stdout);
  expect([symbols.length, symbols.length + others.length]).toEqual([20, 100]);
  expect(missing.code).toBe(2);
  expect(deps.code).toBe(0);
  expect(impact.code).toBe(0);
  expect(JSON.parse(impact.stdout).files).toHaveLength(60);
}, 120_000);
