import { beforeAll, describe, expect, test } from 'vitest';
import { checkTree, type CheckRun } from './checked-tree.ts';

const FILES = {
  'src/search/string-utils.ts': 'export const a = 1;\n',
  'src/search/database.ts': 'export const a = 1;\n',
  'src/helpers/rank.ts': 'export const a = 1;\n',
  'test/fixtures/some-utils.ts': 'export {};\n',
  ...Object.fromEntries(
    Array.from({ length: 46 }, (_, at) => [`src/memory/entry-${at}.ts`, 'export const a = 1;\n']),
  ),
  ...Object.fromEntries(
    Array.from({ length: 45 }, (_, at) => [`src/storage/sqlite/row-${at}.ts`, 'export const a = 1;\n']),
  ),
};

describe('names and sizes', () => {
  let run: CheckRun;
  beforeAll(async () => {
    run = await checkTree(FILES, 'names,sizes');
  });

  test('refuses words that say nothing, in files and folders', () => {
    expect(run.about('src/search/string-utils.ts')).toContain(
      '"utils" in a name says nothing and collects everything.',
    );
    expect(run.about('src/helpers')).toContain('"helpers" in a name says nothing');
  });

  test('looks at whole words only', () => {
    expect(run.about('src/search/database.ts')).toBe('');
  });

  test('refuses a folder of 46 files and takes one of 45', () => {
    expect(run.about('src/memory')).toContain('46 files in one folder; 45 is the most.');
    expect(run.about('src/storage/sqlite')).toBe('');
  });

  test('leaves fixtures alone', () => {
    expect(run.output).not.toContain('fixtures');
  });

  test('tells the median of src', () => {
    expect(run.output).toMatch(/^sizes {2}FAILED .* median of 94 files in src: 1 lines$/m);
  });

  test('refuses a median above 110 lines', async () => {
    const heavy = await checkTree({ 'src/search/rank.ts': 'export {};\n'.repeat(111) }, 'sizes');

    expect(heavy.about('src')).toContain('The median file has 111 lines; 110 is the most.');
  });
});

test('comments and docs name what acts, code and fixtures are free', async () => {
  const run = await checkTree(
    {
      'src/core/gate.ts': '/** Whoever saves waits. */\nexport const nobody = 65_534;\n',
      'test/fixtures/poem.ts': '// Nobody knows.\n',
      'docs/guides/start.md': '# Start\n\nEverybody starts here.\n',
    },
    'words',
  );

  expect(run.about('src/core/gate.ts:1')).toContain('"Whoever" hides who acts.');
  expect(run.about('docs/guides/start.md:3')).toContain('"Everybody" hides who acts.');
  expect(run.output.match(/hides who acts/g)).toHaveLength(2);
});
