import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkTree, runCheck } from './checked-tree.ts';

const GOOD_TREE = {
  'package.json': `${JSON.stringify({ name: 'good', type: 'module' }, null, 2)}\n`,
  'src/program.ts': [
    '/** The program. */',
    `import { print } from './cli/index.ts';`,
    `import { createApp } from './app.ts';`,
    '',
    'print(createApp().name);',
    '',
  ].join('\n'),
  'src/app.ts': [
    '/** Wires everything once. */',
    `import type { Word } from './core/index.ts';`,
    '',
    `export const createApp = (): { readonly name: Word } => ({ name: 'good' });`,
    '',
  ].join('\n'),
  'src/core/index.ts': `/** Words. */\nexport type { Word } from './word.ts';\n`,
  'src/core/word.ts': 'export type Word = string;\n',
  'src/cli/index.ts': `/** Commands. */\nexport { print } from './output.ts';\n`,
  'src/cli/output.ts': [
    `import type { Word } from '../core/index.ts';`,
    '',
    'export function print(word: Word): void {',
    '  process.stdout.write(`${word}\\n`);',
    '}',
    '',
  ].join('\n'),
  'test/core/word.test.ts': [
    `import { expect, test } from 'vitest';`,
    `import type { Word } from '../../src/core/index.ts';`,
    '',
    `test('a word is text', () => {`,
    `  const word: Word = 'a';`,
    '',
    `  expect(word).toBe('a');`,
    '});',
    '',
  ].join('\n'),
};

describe('the check command', () => {
  test('passes every step on a good tree, one line each', async () => {
    const run = await checkTree(GOOD_TREE);

    const steps = run.output.trim().split('\n');
    expect(run.output).not.toContain('FAILED');
    expect(steps.map((line) => /^(\w+) +ok {2}\d+\.\d s/.exec(line)?.[1])).toEqual([
      'format',
      'lint',
      'types',
      'rooms',
      'house',
      'names',
      'sizes',
      'figures',
      'words',
    ]);
    expect(run.code).toBe(0);
  });

  test('names its steps when asked for one it does not have', async () => {
    const run = await runCheck('--only', 'spelling');

    expect(run.code).toBe(2);
    expect(run.output).toContain('There is no step called spelling.');
    expect(run.output).toContain('steps: format, lint, types, rooms, house, names, sizes, figures, words');
  });

  test('refuses a tree that is not there', async () => {
    const run = await runCheck('--root', '/nowhere/at/all');

    expect(run.code).toBe(2);
    expect(run.output).toContain('There is no folder /nowhere/at/all.');
  });

  test('writes its steps to a file for other commands', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'waymark-check-report-'));
    const file = join(folder, 'checks.json');

    await runCheck('--root', folder, '--only', 'names,sizes', '--report', file);
    const report = await readFile(file, 'utf8');
    await rm(folder, { recursive: true });

    expect(JSON.parse(report)).toEqual([
      { name: 'names', ok: true },
      { name: 'sizes', ok: true },
    ]);
  });
});
