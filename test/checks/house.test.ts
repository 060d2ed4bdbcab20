import { beforeAll, describe, expect, test } from 'vitest';
import { checkTree, type CheckRun } from './checked-tree.ts';

const FILES = {
  'src/main.ts': `process.stderr.write('x');\nprocess.on('SIGINT', () => process.exit(1));\n`,
  'src/search/prints.ts': `process.stdout.write('x');\nconsole.error('x');\nprocess.stderr.write('x');\n`,
  'src/search/unpacks.ts': `const { stdout } = process;\nexport const out = [stdout, globalThis.process['env']];\n`,
  'src/search/reads-env.ts': `export const home = process.env['HOME'];\n`,
  'src/search/asks-time.ts': [
    'export const now = () => Date.now();',
    'export const today = () => new Date();',
    'export const tick = () => performance.now();',
    'export const given = (at: number) => new Date(at);',
    '',
  ].join('\n'),
  'src/search/throws-dice.ts': [
    `import { randomUUID } from 'node:crypto';`,
    'export const pick = () => [Math.random(), randomUUID()];',
    'export const id = () => crypto.randomUUID();',
    '',
  ].join('\n'),
  'src/search/ends.ts': `export const end = () => process.exit(1);\nprocess.once('SIGINT', end);\n`,
  'src/search/remembers.ts': [
    'let count = 0;',
    'export const seen = new Map<string, number>();',
    'export const NONE: ReadonlyMap<string, number> = new Map();',
    `export const KINDS = new Set(['a']);`,
    'export function next() {',
    '  let step = count;',
    '  return ++step;',
    '}',
    '',
  ].join('\n'),
  'src/search/claims.ts': [
    'export const a = (x: unknown) => x as string;',
    '',
    'export const b = (x: unknown) => x as string; // the schema above says so',
    '// The caller has checked it.',
    'export const c = (x: unknown) => x as string;',
    `export const d = ['a'] as const;`,
    'export const e = { a: 1 } satisfies object;',
    '',
  ].join('\n'),
  'src/search/promises.ts': '// TODO: later\n// TODO(#12): soon\nexport const later = 1;\n',
  'src/search/silences.ts': '// oxlint-disable-next-line no-var\nexport const loud = 1;\n',
  'src/search/asks-tables.ts': `export const all = 'SELECT id FROM chunks';\nexport const words = 'SELECT one';\n`,
  'src/search/calls.ts': [
    `export const get = () => fetch('https://a');`,
    `export const same = () => globalThis.fetch('https://b');`,
    `export const open = () => new WebSocket('wss://c');`,
    'export const own = (handler: { fetch(): void }) => handler.fetch();',
    '',
  ].join('\n'),
  'src/platform/post-json.ts': `export const post = () => fetch('https://a');\n`,
  'src/search/rank.test.ts': `import { vi } from 'vitest';\nvi.mock('./rank.ts');\nvi.mock('undici');\nDate.now();\n`,
  'test/mcp/call.test.ts': `import { vi } from 'vitest';\nvi.mock(import('../../src/search/index.ts'));\n`,
  'src/platform/clock.ts': 'export const clock = { now: () => Date.now(), id: () => crypto.randomUUID() };\n',
  'src/config/environment.ts': 'export const environment = () => process.env;\n',
  'src/cli/output.ts': `export const print = (text: string) => process.stdout.write(text);\n`,
  'src/mcp/stdio.ts': 'export const out = () => process.stdout;\n',
  'src/storage/chunks.ts': `export const all = 'SELECT id FROM chunks';\n`,
};

describe('house rules', () => {
  let run: CheckRun;
  beforeAll(async () => {
    run = await checkTree(FILES, 'house');
  });

  test('keep stdout, stderr and console in their homes', () => {
    expect(run.about('src/search/prints.ts:1')).toContain(
      'process.stdout outside cli/ and mcp/stdio. Return the text',
    );
    expect(run.about('src/search/prints.ts:2')).toContain('console in src/. Log through a Logger');
    expect(run.about('src/search/prints.ts:3')).toContain(
      'process.stderr outside cli/, platform/ and main.ts.',
    );
  });

  test('see through unpacking and other spellings of process', () => {
    expect(run.about('src/search/unpacks.ts:1')).toContain('process.stdout outside');
    expect(run.about('src/search/unpacks.ts:2')).toContain('process.env outside config/.');
  });

  test('keep the environment in config', () => {
    expect(run.about('src/search/reads-env.ts')).toContain('process.env outside config/. Add an entry');
  });

  test('ask for a Clock instead of the time of day', () => {
    expect(run.about('src/search/asks-time.ts:1')).toContain('Date.now outside platform/. Take a Clock');
    expect(run.about('src/search/asks-time.ts:2')).toContain(
      'new Date() without arguments outside platform/.',
    );
    expect(run.about('src/search/asks-time.ts:3')).toContain('performance.now outside platform/.');
    expect(run.about('src/search/asks-time.ts:4')).toBe('');
  });

  test('ask for ids instead of chance', () => {
    expect(run.about('src/search/throws-dice.ts:1')).toContain(
      'randomUUID from node:crypto outside platform/. Take ids',
    );
    expect(run.about('src/search/throws-dice.ts:2')).toContain('Math.random outside platform/.');
    expect(run.about('src/search/throws-dice.ts:3')).toContain('crypto.randomUUID outside platform/.');
  });

  test('keep exit and signals in main.ts', () => {
    expect(run.about('src/search/ends.ts:1')).toContain('process.exit outside main.ts. Throw an AppError');
    expect(run.about('src/search/ends.ts:2')).toContain(
      'process.on outside main.ts and platform/. Take an AbortSignal',
    );
  });

  test('refuse state at module level, and only there', () => {
    expect(run.about('src/search/remembers.ts:1')).toContain(
      '`let` at module level is shared, mutable state.',
    );
    expect(run.about('src/search/remembers.ts:2')).toContain('An empty Map at module level');
    expect(run.about('src/search/remembers.ts').split('\n')).toHaveLength(2);
  });

  test('ask for a reason beside every cast', () => {
    expect(run.about('src/search/claims.ts:1')).toContain('`as` without a reason. Parse or narrow instead');
    expect(run.about('src/search/claims.ts').split('\n')).toHaveLength(1);
  });

  test('ask notes for an issue and switched-off rules for a reason', () => {
    expect(run.about('src/search/promises.ts').split('\n')).toHaveLength(1);
    expect(run.about('src/search/promises.ts:1')).toContain('write TODO(#123)');
    expect(run.about('src/search/silences.ts')).toContain('A lint rule switched off without a reason.');
  });

  test('keep requests to other machines in their two homes', () => {
    for (const line of [1, 2, 3])
      expect(run.about(`src/search/calls.ts:${line}`)).toContain(
        'A request outside src/platform/post-json.ts',
      );
    expect(run.about('src/search/calls.ts:4')).toBe('');
    expect(run.about('src/platform/post-json.ts')).toBe('');
  });

  test('keep SQL in storage', () => {
    expect(run.about('src/search/asks-tables.ts:1')).toContain('SQL outside storage/.');
    expect(run.about('src/search/asks-tables.ts:2')).toBe('');
  });

  test('refuse mocks of our own modules, and leave the rest to the tests', () => {
    expect(run.about('src/search/rank.test.ts').split('\n')).toHaveLength(1);
    expect(run.about('src/search/rank.test.ts:2')).toContain('A module of our own is mocked.');
    expect(run.about('test/mcp/call.test.ts:2')).toContain('A module of our own is mocked.');
  });

  test.each(['main', 'platform/clock', 'config/environment', 'cli/output', 'mcp/stdio', 'storage/chunks'])(
    'leave the owner alone: %s',
    (name) => {
      expect(run.about(`src/${name}.ts`)).toBe('');
    },
  );
});
