import { beforeAll, describe, expect, test } from 'vitest';
import { checkTree, type CheckRun } from './checked-tree.ts';

const FILES = {
  'package.json': '{ "dependencies": { "zod": "1" } }',
  'src/app.ts': `import { rank } from './search/rank.ts';\nexport const app = rank;\n`,
  'src/stray.ts': 'export const stray = 1;\n',
  'src/core/index.ts': '/** Words. */\nexport type Word = string;\n',
  'src/core/reads-path.ts': `import { join } from 'node:path';\nexport const joined = join('a');\n`,
  'src/core/calls-up.ts': `import { rank } from '../search/index.ts';\nexport const up = rank;\n`,
  'src/core/names-up.ts': `import type { Rank } from '../search/index.ts';\nexport type Up = Rank;\n`,
  'src/core/names-up-inline.ts': `export type Up = import('../search/index.ts').Rank;\n`,
  'src/core/loads-up.ts': `export const up = () => import('../search/index.ts');\n`,
  'src/core/passes-up.ts': `export { rank } from '../search/index.ts';\n`,
  'src/search/index.ts': `/** Ranks. */\nexport { rank, type Rank } from './rank.ts';\n`,
  'src/search/rank.ts': 'export type Rank = number;\nexport const rank = 1;\n',
  'src/search/back-door.ts': `import { open } from '../storage/engine.ts';\nexport const door = open;\n`,
  'src/search/wires.ts': `import { app } from '../app.ts';\nexport const wires = app;\n`,
  'src/search/lost.ts': `import { x } from './gone.ts';\nexport const lost = x;\n`,
  'src/search/no-extension.ts': `import { rank } from './rank';\nexport const again = rank;\n`,
  'src/search/reads-files.ts': `import { readFileSync } from 'fs';\nexport const read = readFileSync;\n`,
  'src/search/reads-files-types.ts': `import type { Stats } from 'node:fs';\nexport type S = Stats;\n`,
  'src/search/speaks-mcp.ts': `import type { Tool } from '@modelcontextprotocol/server';\nexport type T = Tool;\n`,
  'src/search/unlisted.ts': `import chalk from 'chalk';\nexport const c = chalk;\n`,
  'src/search/hides-process.ts': `import { env } from 'node:process';\nexport const e = env;\n`,
  'src/search/leaves-src.ts': `import { tempProject } from '../../test/support/temp-project.ts';\nexport const t = tempProject;\n`,
  'src/search/torn.ts': 'export const = ;\n',
  'src/search/rank.test.ts': `import { tempProject } from '../../test/support/temp-project.ts';\nimport { rank } from './rank.ts';\nimport { test } from 'vitest';\nimport 'node:fs';\ntest('a', () => void [rank, tempProject]);\n`,
  'src/search/deep/nested.ts': 'export const nested = 1;\n',
  'src/storage/index.ts': 'export const silent = 1;\n',
  'src/storage/engine.ts': 'export const open = 1;\n',
  'src/indexing/index.ts': `/** Indexes. */\nimport { detect } from '../project/index.ts';\nexport const d = detect;\n`,
  'src/indexing/typed.ts': `import type { Found } from '../project/index.ts';\nexport type F = Found;\n`,
  'src/project/index.ts': '/** Which project? */\nexport type Found = string;\nexport const detect = 1;\n',
  'src/attic/index.ts': '/** Old things. */\nexport const old = 1;\n',
  'test/support/temp-project.ts': 'export const tempProject = 1;\n',
  'scripts/check/rooms.mjs': 'export {};\n',
};

describe('rooms', () => {
  let run: CheckRun;
  beforeAll(async () => {
    run = await checkTree(FILES, 'rooms');
  });

  test('fails and says so on the line of the step', () => {
    expect(run.code).toBe(1);
    expect(run.output).toMatch(/^rooms {2}FAILED {2}\d+\.\d s$/m);
  });

  test.each(['calls-up', 'loads-up', 'passes-up'])(
    'refuses a forbidden import however it is written: %s',
    (name) => {
      expect(run.about(`src/core/${name}.ts:1`)).toContain(
        'core may not import search. It sees only: nothing. Declare the small interface you need here',
      );
    },
  );

  test.each(['names-up', 'names-up-inline'])('counts type imports: %s', (name) => {
    expect(run.about(`src/core/${name}.ts`)).toContain('core may not import search (types count too).');
  });

  test('lets a room see the types of another where the plan says types only', () => {
    expect(run.about('src/indexing/typed.ts')).toBe('');
    expect(run.about('src/indexing/index.ts:2')).toContain('indexing may import only types from project.');
  });

  test('sends visitors to the front door', () => {
    expect(run.about('src/search/back-door.ts')).toContain(
      'Enter storage through src/storage/index.ts, not engine.ts.',
    );
    expect(run.about('src/app.ts')).toContain('Enter search through src/search/index.ts');
  });

  test('keeps app.ts out of reach of the rooms', () => {
    expect(run.about('src/search/wires.ts')).toContain('No room imports src/app.ts.');
  });

  test('gives modules to their owners, types and old names included', () => {
    expect(run.about('src/search/reads-files.ts')).toContain(
      'node:fs belongs to src/platform/ and src/workspace/.',
    );
    expect(run.about('src/search/reads-files-types.ts')).toContain(
      'node:fs belongs to src/platform/ and src/workspace/.',
    );
    expect(run.about('src/search/speaks-mcp.ts')).toContain(
      '@modelcontextprotocol/server belongs to src/mcp/.',
    );
  });

  test('keeps the pure rooms free of Node modules', () => {
    expect(run.about('src/core/reads-path.ts')).toContain(
      'core is pure and imports no Node module, not even node:path.',
    );
  });

  test('refuses a package that would be missing once installed', () => {
    expect(run.about('src/search/unlisted.ts')).toContain(
      'chalk is not among the dependencies in package.json',
    );
  });

  test('refuses imports that lead nowhere or leave out the extension', () => {
    expect(run.about('src/search/lost.ts')).toContain("'./gone.ts' leads to no file.");
    expect(run.about('src/search/no-extension.ts')).toContain("Write './rank.ts'");
  });

  test('keeps shipped code inside src and process under its own name', () => {
    expect(run.about('src/search/leaves-src.ts')).toContain(
      'src/ may not import test/support/temp-project.ts.',
    );
    expect(run.about('src/search/hides-process.ts')).toContain('Use the global `process`, not node:process');
  });

  test('reports a file that cannot be parsed', () => {
    expect(run.about('src/search/torn.ts')).toContain('Cannot be parsed:');
  });

  test('asks each folder for its job', () => {
    expect(run.about('src/storage/index.ts')).toContain('The room does not say what it is for.');
    expect(run.about('src/search/deep/nested.ts')).toContain("Add 'search/deep' with its job in one line");
    expect(run.about('src/attic/index.ts')).toContain('src/attic/ is not on the house plan.');
    expect(run.about('src/stray.ts')).toContain(
      'src/ itself holds only main.ts, hook.ts, program.ts, app.ts,',
    );
  });

  test('lets a test use its own room, test/support and the machine', () => {
    expect(run.about('src/search/rank.test.ts')).toBe('');
  });

  test('refuses a row of the table for a room, folder or file that does not exist', () => {
    const said = run.about('scripts/check/rooms.mjs:1');

    expect(said).toContain('The table has a row for src/memory/, which does not exist. Remove the row.');
    expect(said).toContain('The table has a row for src/mcp/http/, which does not exist.');
    expect(said).toContain('The table has a row for src/front.ts, which does not exist.');
    expect(said).not.toContain('src/search/,');
    expect(said).not.toContain('src/app.ts');
  });
});
