import { expect, expectTypeOf, test } from 'vitest';
import type { LogLevel } from '../core/index.ts';
import { OTHER_ENV, SETTINGS, type Config } from './definitions.ts';
import { flagSpecs } from './flag-specs.ts';
import { parseValue } from './parse-value.ts';
import type { Setting } from './setting.ts';

const ALL: readonly Setting[] = SETTINGS;
const RULES = { resolvePath: (written: string) => written, confined: false };

test('no two settings share a key, a flag or a variable', () => {
  const flags = flagSpecs(['serve', 'mcp', 'index']).map(({ flag }) => flag);
  const variables = [...ALL, ...OTHER_ENV].map((entry) => ('env' in entry ? entry.env : entry.name));

  expect(new Set(ALL.map(({ key }) => key)).size).toBe(ALL.length);
  expect(new Set(flags).size).toBe(flags.length);
  expect(new Set(variables).size).toBe(variables.length);
});

test.each(ALL)('the variable of $key is its name in capitals', ({ key, env }) => {
  expect(env).toBe(`WAYMARK_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`);
});

test.each(ALL)('$key is described in one sentence', ({ description }) => {
  expect(description).toMatch(/^[A-Z][^.]*\.$/);
});

test.each(ALL.filter((setting) => setting.kind !== 'path' && setting.default !== undefined))(
  'the default of $key is a value it takes',
  (setting) => {
    expect(parseValue(setting, setting.default, RULES)).toEqual({ kind: 'value', value: setting.default });
  },
);

test('a repository may set only what chooses files, languages and guides', () => {
  const keys = ALL.filter(({ scope }) => scope === 'project').map(({ key }) => key);

  expect(keys).toEqual(['include', 'exclude', 'languages', 'guides']);
});

test('the type of Config follows from the list', () => {
  expectTypeOf<Config['logLevel']>().toEqualTypeOf<LogLevel>();
  expectTypeOf<Config['logFormat']>().toEqualTypeOf<'text' | 'json'>();
  expectTypeOf<Config['logFile']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<Config['dataDir']>().toEqualTypeOf<string>();
  expectTypeOf<Config['port']>().toEqualTypeOf<number>();
  expectTypeOf<Config['projectFromCwd']>().toEqualTypeOf<boolean>();
  expectTypeOf<Config['guides']>().toEqualTypeOf<readonly string[]>();
});

test('a command shows the global flags and those of its own places', () => {
  const keys = (place: 'mcp' | 'index'): string[] => flagSpecs([place]).map(({ key }) => key);

  expect(keys('index')).toContain('logLevel');
  expect(keys('index')).not.toContain('port');
  expect(keys('mcp')).toContain('projectFromCwd');
});

test('a switch has its opposite, a list is repeatable, and help tells the rest', () => {
  const specs = flagSpecs(['serve']);

  expect(specs.filter(({ key }) => key === 'projectFromCwd')).toMatchObject([
    { flag: '--project-from-cwd', valueName: undefined, repeatable: false },
    { flag: '--no-project-from-cwd', valueName: undefined, help: 'the opposite of --project-from-cwd' },
  ]);
  expect(specs.find(({ key }) => key === 'languages')).toMatchObject({
    flag: '--language',
    valueName: 'name',
    repeatable: true,
  });
  expect(specs.find(({ key }) => key === 'logFormat')).toEqual({
    key: 'logFormat',
    flag: '--log-format',
    valueName: 'format',
    help: 'whether a log record is a line of text or a JSON object (one of text, json; default text; WAYMARK_LOG_FORMAT)',
    repeatable: false,
    choices: ['text', 'json'],
  });
});
