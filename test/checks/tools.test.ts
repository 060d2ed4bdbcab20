import { beforeAll, describe, expect, test } from 'vitest';
import { checkTree, type CheckRun } from './checked-tree.ts';

const FILES = {
  'package.json': `${JSON.stringify({ type: 'module' }, null, 2)}\n`,
  'src/core/floats.ts':
    'async function save(): Promise<void> {}\n\nexport function run(): void {\n  save();\n}\n',
  'src/core/forgets.ts': [
    `export type Kind = { kind: 'a' } | { kind: 'b' };`,
    'export function toNumber(value: Kind): number {',
    '  switch (value.kind) {',
    `    case 'a':`,
    '      return 1;',
    '  }',
    '  return 2;',
    '}',
    '',
  ].join('\n'),
  'src/core/chicken.ts': `import type { Egg } from './egg.ts';\nexport type Chicken = { egg: Egg };\n`,
  'src/core/egg.ts': `import type { Chicken } from './chicken.ts';\nexport type Egg = { from: Chicken };\n`,
  'src/core/rankHits.ts': 'export const a = 1;\n',
  'src/core/long.ts': 'export {};\n'.repeat(401),
  'scripts/long.mjs': 'export {};\n'.repeat(401),
  'test/core/full.test.ts': 'export {};\n'.repeat(400),
  'src/core/default.ts': 'export default 1;\n',
  'src/core/anything.ts': 'export const take = (value: any): unknown => value;\n',
  'src/core/insists.ts': 'export const first = (list: readonly string[]): string => list[0]!;\n',
  'src/core/messy.ts': 'export const   messy = "double"\n',
  'src/core/wrong.ts': `export const count: number = 'three';\n`,
  'test/core/only.test.ts': [
    `import { test } from 'vitest';`,
    '',
    `test.only('alone', () => {});`,
    `test.skip('never', () => {});`,
    `test.todo('later');`,
    '',
  ].join('\n'),
};

describe('format, lint and types', () => {
  let run: CheckRun;
  beforeAll(async () => {
    run = await checkTree(FILES, 'types,lint,format');
  });

  test('print their steps in one order, whichever ends first', () => {
    const steps = run.output.split('\n').filter((line) => /^\w/.test(line));

    expect(steps.map((line) => line.split(/\s+/, 2).join(' '))).toEqual([
      'format FAILED',
      'lint FAILED',
      'types FAILED',
    ]);
  });

  test('name an unformatted file and the command that formats it', () => {
    expect(run.about('src/core/messy.ts')).toContain('Not formatted. Run `npm run format`.');
    expect(run.output.match(/Not formatted/g)).toHaveLength(1);
  });

  test('find a floating promise', () => {
    expect(run.about('src/core/floats.ts:4')).toContain('Await it, return it, or hand it to something');
  });

  test('print the path of a cycle made of types only', () => {
    expect(run.about('src/core/chicken.ts')).toContain(
      'Import cycle: src/core/chicken.ts → src/core/egg.ts → src/core/chicken.ts. Move what both sides need',
    );
  });

  test('ask for kebab-case', () => {
    expect(run.about('src/core/rankHits.ts')).toContain('Write it like rank-hits.ts');
  });

  test('refuse a file of 401 lines and take one of 400', () => {
    expect(run.about('src/core/long.ts:401')).toContain('(401). Split it by idea');
    expect(run.about('scripts/long.mjs:401')).toContain('(401)');
    expect(run.about('test/core/full.test.ts')).toBe('');
  });

  test('find a switch that forgets a kind', () => {
    expect(run.about('src/core/forgets.ts:3')).toContain('Cases not matched: "b". Add a case for each kind');
  });

  test.each([
    ['default', 'Export it by name'],
    ['anything', 'Use `unknown` at the border'],
    ['insists', 'Narrow it with a check'],
  ])('teach about %s', (name, advice) => {
    expect(run.about(`src/core/${name}.ts:1`)).toContain(advice);
  });

  test('refuse focused, skipped and empty tests', () => {
    expect(run.about('test/core/only.test.ts:3')).toContain('Remove .only');
    expect(run.about('test/core/only.test.ts:4')).toContain('Make it pass or delete it');
    expect(run.about('test/core/only.test.ts:5')).toContain('Write the test now');
  });

  test('report what the compiler says, with its place', () => {
    expect(run.about('src/core/wrong.ts:1')).toContain(
      "Type 'string' is not assignable to type 'number'. (TS2322)",
    );
  });
});
