import { beforeAll, describe, expect, test } from 'vitest';
import { checkTree, type CheckRun } from './checked-tree.ts';

const FILES = {
  'src/search/string-utils.ts': 'export const a = 1;\n',
  'src/search/rankHits.ts': 'export const a = 1;\n',
  'src/search/database.ts': 'export const a = 1;\n',
  'src/helpers/rank.ts': 'export const a = 1;\n',
  'src/search/long.ts': 'export {};\n'.repeat(401),
  'test/mcp/full.test.ts': 'export {};\n'.repeat(400),
  'test/fixtures/someUtils.ts': 'export {};\n'.repeat(500),
  'scripts/long.mjs': 'export {};\n'.repeat(401),
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

  test('asks for kebab-case', () => {
    expect(run.about('src/search/rankHits.ts')).toContain('"rankHits.ts" is not kebab-case.');
  });

  test('refuses a file of 401 lines and takes one of 400', () => {
    expect(run.about('src/search/long.ts:401')).toContain('401 lines; 400 is the most. Split it by idea');
    expect(run.about('scripts/long.mjs:401')).toContain('401 lines');
    expect(run.about('test/mcp/full.test.ts')).toBe('');
  });

  test('leaves fixtures alone', () => {
    expect(run.output).not.toContain('fixtures');
  });

  test('tells the median of src', () => {
    expect(run.output).toMatch(/^sizes {2}FAILED .* median of 5 files in src: 1 lines$/m);
  });

  test('refuses a median above 120 lines', async () => {
    const heavy = await checkTree({ 'src/search/rank.ts': 'export {};\n'.repeat(121) }, 'sizes');

    expect(heavy.about('src')).toContain('The median file has 121 lines; 120 is the most.');
  });
});
