/** Repositories that are made to take long: answers come, within their limits, and say what is missing. */
import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { emptyHome, run } from '../support/waymark.ts';

const KB = 1024;

test('R134 cycles of re-exports, 100,000 definitions of one name and endless lists of imports end', async () => {
  const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
  const files: Record<string, string> = { 'package.json': '{}' };
  // Every module gives on the names of all others, and none defines what is asked for.
  for (const at of range(60))
    files[`ring/m${at}.ts`] = range(60)
      .map((other) => `export * from './m${other}.ts';`)
      .join('\n');
  files['ring/user.ts'] = "import { missing } from './m0.ts';\nmissing();\nexport function asker() {}\n";
  for (const at of range(100))
    files[`same/s${at}.ts`] = range(1_000)
      .map(() => 'function same() {}')
      .join('\n');
  for (const at of range(12))
    files[`lists/l${at}.ts`] = range(3 * KB)
      .map((line) => `import { a${line} } from './l${line % 12}.ts';`)
      .join('\n');
  files['lists/l0.ts'] += '\nexport function listed() {}\n';
  const at = { home: emptyHome(), cwd: tempFolder(files).path };

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
