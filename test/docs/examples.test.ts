/** The examples run as they stand in the repository. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { git } from '../support/git.ts';
import { SHOP_FILES, searchShop } from '../support/search-shop.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { BIN, emptyHome } from '../support/waymark.ts';

const { '.git/HEAD': _, ...FILES } = SHOP_FILES;

interface Step {
  readonly run?: string;
}

/** What the job runs between the checkout and the comment, with the program under test in the place of the installed one. */
function shellSteps(): readonly string[] {
  const job: { readonly jobs: { readonly comment: { readonly steps: readonly Step[] } } } = parse(
    readFileSync('examples/impact-comment/impact.yml', 'utf8'),
  );
  return job.jobs.comment.steps.flatMap(({ run = '' }) => (/^(?:waymark|node) /.test(run) ? [run] : []));
}

test('the job comments the files that a pull request may reach, nearest first, and the tests to run', () => {
  const place = tempFolder({
    ...FILES,
    '.github/workflows/comment.mjs': readFileSync('examples/impact-comment/comment.mjs', 'utf8'),
    'bin/waymark': `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(BIN)} "$@"\n`,
  });
  git(place.path, 'init', '-q', '-b', 'base');
  git(place.path, 'add', '-A');
  git(place.path, 'commit', '-q', '-m', 'first');
  git(place.path, 'checkout', '-q', '-b', 'topic');
  writeFileSync(
    place.join('src/cart/price.ts'),
    'export const priceOf = (id: string): number => id.length;\n',
  );
  git(place.path, 'commit', '-q', '-a', '-m', 'second');
  const temp = tempFolder();
  const env = {
    ...emptyHome().env,
    RUNNER_TEMP: temp.path,
    PATH: `${place.join('bin')}:${process.env['PATH'] ?? ''}`,
  };

  execFileSync('chmod', ['+x', place.join('bin/waymark')]);
  for (const step of shellSteps())
    execFileSync('sh', ['-euc', step], { cwd: place.path, env, stdio: ['ignore', 'ignore', 'pipe'] });

  expect(readFileSync(temp.join('comment.md'), 'utf8')).toBe(
    [
      '**1 changed file may reach 2 others** (1 test file)',
      '',
      'Run: `test/cart.test.ts`',
      '',
      '| file | reached through | imports away |',
      '|---|---|---|',
      '| `src/cart/cart.ts` | `src/cart/price.ts` | 1 |',
      '',
    ].join('\n'),
  );
});

test('a path of the pull request stays text in the comment', () => {
  const place = tempFolder({
    'impact.json': JSON.stringify({
      from: ['a'],
      files: [{ path: '`x` | <img src=q>@team', via: 'a', distance: 1, isTest: true }],
    }),
  });

  const printed = execFileSync(
    process.execPath,
    [resolve('examples/impact-comment/comment.mjs'), place.join('impact.json')],
    { encoding: 'utf8' },
  );

  expect(printed).toContain('Run: `` `x` | <img src=q>@team ``');
});

test('the library example finds code and says who uses it', { timeout: 120_000 }, () => {
  const place = tempFolder({ 'ask.mjs': readFileSync('examples/library/ask.mjs', 'utf8') });
  mkdirSync(place.join('node_modules'));
  symlinkSync(resolve('.'), join(place.path, 'node_modules/waymark'));

  const printed = execFileSync(process.execPath, [place.join('ask.mjs'), searchShop().path, 'priceOf'], {
    env: emptyHome().env,
    encoding: 'utf8',
  });

  expect(printed).toMatch(/^src\/cart\/price\.ts:\d+ priceOf$/m);
  expect(printed).toMatch(/^priceOf is used in src\/cart\/cart\.ts:\d+$/m);
});
