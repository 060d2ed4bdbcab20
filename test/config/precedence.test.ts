import { expect, test } from 'vitest';
import type { FlagValue, Origin, SettingKey } from '../../src/config/index.ts';
import { configHome, USER_FILE } from './config-home.ts';

type Source = Exclude<Origin['kind'], 'default'>;

interface Example {
  readonly key: SettingKey;
  readonly env: string;
  /** Strongest first: what is written, and what it must come out as. */
  readonly sources: readonly {
    readonly source: Source;
    readonly written: FlagValue | number;
    readonly value: unknown;
  }[];
  readonly fallback: unknown;
}

const EXAMPLES: readonly Example[] = [
  {
    key: 'exclude',
    env: 'WAYMARK_EXCLUDE',
    sources: [
      { source: 'flag', written: ['a/**'], value: ['a/**'] },
      { source: 'env', written: 'b/**,bb/**', value: ['b/**', 'bb/**'] },
      { source: 'project_file', written: ['c/**'], value: ['c/**'] },
      { source: 'user_file', written: ['d/**'], value: ['d/**'] },
    ],
    fallback: [],
  },
  {
    key: 'languages',
    env: 'WAYMARK_LANGUAGES',
    sources: [
      { source: 'flag', written: 'rust', value: ['rust'] },
      { source: 'env', written: 'go', value: ['go'] },
      { source: 'project_file', written: ['python'], value: ['python'] },
      { source: 'user_file', written: ['ruby'], value: ['ruby'] },
    ],
    fallback: [],
  },
  {
    key: 'port',
    env: 'WAYMARK_PORT',
    sources: [
      { source: 'flag', written: '1', value: 1 },
      { source: 'env', written: '2', value: 2 },
      { source: 'user_file', written: 4, value: 4 },
    ],
    fallback: 7411,
  },
  {
    key: 'logLevel',
    env: 'WAYMARK_LOG_LEVEL',
    sources: [
      { source: 'flag', written: 'debug', value: 'debug' },
      { source: 'env', written: 'info', value: 'info' },
      { source: 'user_file', written: 'error', value: 'error' },
    ],
    fallback: 'warn',
  },
  {
    key: 'projectFromCwd',
    env: 'WAYMARK_PROJECT_FROM_CWD',
    sources: [
      { source: 'flag', written: false, value: false },
      { source: 'env', written: 'yes', value: true },
      { source: 'user_file', written: true, value: true },
    ],
    fallback: false,
  },
];

// Every single source, and every pair of a stronger with a weaker one.
const CASES = EXAMPLES.flatMap((example) =>
  example.sources.flatMap((winner, rank) =>
    [undefined, ...example.sources.slice(rank + 1)].map((loser) => ({
      example,
      winner,
      given: loser === undefined ? [winner] : [winner, loser],
      title: `${example.key}: ${winner.source} wins over ${loser?.source ?? 'the default'}`,
    })),
  ),
);

test.each(CASES)('$title', ({ example: { key, env }, winner, given }) => {
  const written = (source: Source): FlagValue | number | undefined =>
    given.find((entry) => entry.source === source)?.written;
  const home = configHome({
    [USER_FILE]: JSON.stringify({ [key]: written('user_file') }),
    'project/.waymark.json': JSON.stringify({ [key]: written('project_file') }),
  });
  const flag = written('flag');
  const variable = written('env');

  const resolved = home.resolveProject({
    flags: typeof flag === 'number' ? {} : { [key]: flag },
    env: { [env]: variable === undefined ? undefined : String(variable) },
  });

  expect(resolved.config[key]).toEqual(winner.value);
  expect(resolved.origins[key].kind).toBe(winner.source);
});

test.each(EXAMPLES)('$key falls back to its default', ({ key, fallback }) => {
  const resolved = configHome().resolveProject();

  expect(resolved.config[key]).toEqual(fallback);
  expect(resolved.origins[key]).toEqual({ kind: 'default' });
});

test('an origin names the flag, the variable, or the file and its line', () => {
  const home = configHome({
    [USER_FILE]: '{\n  "port": 1,\n\n  "host": "::1"\n}',
    'project/.waymark.json': '// ours\n{ "include": ["src/**"] }',
  });

  const { origins } = home.resolveProject({
    flags: { logLevel: 'info', projectFromCwd: false },
    env: { WAYMARK_LOG_FORMAT: 'json' },
  });

  expect(origins.logLevel).toEqual({ kind: 'flag', flag: '--log-level' });
  expect(origins.projectFromCwd).toEqual({ kind: 'flag', flag: '--no-project-from-cwd' });
  expect(origins.logFormat).toEqual({ kind: 'env', name: 'WAYMARK_LOG_FORMAT' });
  expect(origins.host).toEqual({ kind: 'user_file', file: home.folder.join(USER_FILE), line: 4 });
  expect(origins.include).toEqual({
    kind: 'project_file',
    file: home.folder.join('project/.waymark.json'),
    line: 2,
  });
});

test("one project's overlay does not touch the base or another project", () => {
  const home = configHome({ 'project/.waymark.json': '{"languages": ["go"]}' });
  const base = home.resolve();

  const overlaid = home.resolveProject();

  expect(overlaid.config.languages).toEqual(['go']);
  expect(base.config.languages).toEqual([]);
});
