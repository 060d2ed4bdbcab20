/** Figures in the docs are made from what commands printed, and from nothing else. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { checkFigures } from '../../scripts/check/figures.mjs';
import { madeFromFigures } from '../../scripts/figures/made-from-figures.mjs';
import { describeCommand, readPrinted } from '../../scripts/figures/record.mjs';
import { tempFolder } from '../support/temp-folder.ts';

const ROOT = resolve('.');

function copyOfFigures() {
  const folder = tempFolder();
  mkdirSync(folder.join('docs'));
  for (const path of ['README.md', 'docs/benchmarks.md', 'docs/figures', 'docs/charts'])
    cpSync(resolve(path), folder.join(path), { recursive: true });
  return folder;
}

test('what a command prints is kept as tables, lines and counts', () => {
  const printed = readPrinted(
    '12 reports\n| files | Acc@1 / 5 |\n|---|---|\n| Waymark | 43.3 / 76.1 |\n\n{"trees":3,"mismatches":0}\n',
  );

  expect(printed).toEqual({
    lines: ['12 reports'],
    tables: [
      { head: ['files', 'Acc@1 / 5'], rows: [['Waymark', '43.3 / 76.1']] },
      {
        head: ['what', 'measured'],
        rows: [
          ['trees', '3'],
          ['mismatches', '0'],
        ],
      },
    ],
  });
});

test('the command that is kept names no folder of the machine', () => {
  const args = ['--repos', '/home/me/repos', '--only', 'a/b,c/d', '--tasks', '../tasks.jsonl'];

  expect(describeCommand('bench:issues', args)).toBe(
    'npm run bench:issues -- --repos PATH --only a/b,c/d --tasks PATH',
  );
});

test('made twice, charts and pages are the same bytes', () => {
  expect(madeFromFigures(ROOT)).toEqual(madeFromFigures(ROOT));
});

test('a figure that raw data does not say is a finding', () => {
  const folder = copyOfFigures();
  const page = folder.join('docs/benchmarks.md');
  writeFileSync(page, readFileSync(page, 'utf8').replace('0.908', '0.999'));

  expect(checkFigures(folder.path)).toMatchObject([{ path: 'docs/benchmarks.md' }]);
});

test('raw data without a row that a page shows is a finding that names it', () => {
  const folder = copyOfFigures();
  const file = folder.join('docs/figures/fresh.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('saved to findable', 'another'));

  expect(checkFigures(folder.path)).toMatchObject([
    { message: expect.stringContaining('fresh.json has nothing in the row "5000 + saved to findable"') },
  ]);
});
