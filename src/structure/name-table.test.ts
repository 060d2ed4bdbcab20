/** Files are found by the names in them, whole names alone. */
import { expect, test } from 'vitest';
import { resolveSources } from '../../test/support/resolved-sources.ts';

test('R130 files that hold a name are found in the order of their paths, by whole names, whatever letters they have', async () => {
  const names = Array.from({ length: 400 }, (_, at) => `name${at}`);
  const { project } = await resolveSources({
    'a.ts': 'export const größe = 1;\nexport const total = größe;\n',
    'b.ts': "import { total } from './a.ts';\nexport const totals = total;\n",
    'c.ts': names.map((name) => `export const ${name} = 1;`).join('\n'),
    'd.ts': names.map((name) => `export const ${name} = 2;`).join('\n'),
  });
  const holding = (name: string): readonly string[] => project.naming(name).map(({ path }) => path);

  expect(holding('größe')).toEqual(['a.ts']);
  expect(holding('total')).toEqual(['a.ts', 'b.ts']);
  expect(holding('tot')).toEqual([]);
  expect(holding('')).toEqual([]);
  expect(names.filter((name) => holding(name).join() !== 'c.ts,d.ts')).toEqual([]);
});

test('R130 a name that is asked again, or for another of its definitions, has the same uses', async () => {
  const { usesOf } = await resolveSources({
    'a.ts': 'export function run() {}\nrun();\n',
    'b.ts': "import { run as go } from './a.ts';\ngo();\n",
    'c.ts': 'function run() {}\nrun();\n',
  });

  const first = [usesOf('a.ts:1'), usesOf('c.ts:1')];
  expect(first).toEqual([['a.ts:2', 'b.ts:2'], ['c.ts:2']]);
  expect([usesOf('a.ts:1'), usesOf('c.ts:1')]).toEqual(first);
});
