/** The guide to search says what is so. */
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { SEARCH_KINDS } from '../../src/core/index.ts';
import { fencesOf, installExample, readGuide } from '../support/guide-example.ts';
import { searchShop } from '../support/search-shop.ts';
import { emptyHome } from '../support/waymark.ts';

const page = readGuide('search.md');

test('its example compiles against the published types and runs', { timeout: 120_000 }, () => {
  const [code = ''] = fencesOf(page, 'ts');
  const example = installExample(code);

  execFileSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', example.folder]);
  const printed = execFileSync(process.execPath, [example.script, searchShop().path, 'Cart.addItem'], {
    env: emptyHome().env,
    encoding: 'utf8',
  });

  expect(printed).toMatch(/^src\/cart\/cart\.ts:7 \(\w+\)\n {2}\/\*\* Puts something into the cart/);
});

/** A block with an answer; how long each step took is another matter. */
const answered = fencesOf(page, 'console').flatMap((block) => {
  const [command = '', ...lines] = block.split('\n');
  const [, name, asked] = /^\$ waymark (search|analyze) "([^"]+)"$/.exec(command) ?? [];
  if (name === undefined || asked === undefined) return [];
  const query = asked === '$(cat report.md)' ? fencesOf(page, 'markdown').join('') : asked;
  return [
    {
      name,
      query,
      told: lines.filter((line) => line !== '' && line !== '…' && !/ (?:ms|\d+\.\d\d)$/.test(line)),
    },
  ];
});

test.each(answered)('what it says `waymark $name` prints is printed: $told.1', ({ name, query, told }) => {
  const printed = execFileSync(process.execPath, [resolve('dist/main.js'), name, query], {
    cwd: searchShop().path,
    env: emptyHome().env,
    encoding: 'utf8',
  }).split('\n');

  expect(told.length).toBeGreaterThan(2);
  expect(told.filter((line) => !printed.includes(line))).toEqual([]);
});

test('it names every kind', () => {
  expect(SEARCH_KINDS.filter((kind) => !page.includes(`kind:${kind}`))).toEqual([]);
});
