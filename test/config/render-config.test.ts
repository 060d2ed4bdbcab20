import { describe, expect, test } from 'vitest';
import {
  renderConfig,
  renderConfigValue,
  resolveConfig,
  SETTINGS,
  type ResolvedConfig,
} from '../../src/config/index.ts';
import { configHome, errorOf, USER_FILE } from './config-home.ts';

const SECRET = SETTINGS.filter(({ key }) => key === 'token');
const resolveSecret = (env: Readonly<Record<string, string>>): ResolvedConfig =>
  resolveConfig({ env: { HOME: '/none', ...env } });

/** Some settings, so that a new one does not change what these tests show. */
const FEW = SETTINGS.filter(({ key }) =>
  'logLevel logFile logFormat dataDir cacheDir host port projectFromCwd include exclude languages guides'
    .split(' ')
    .includes(key),
);

describe('text', () => {
  test('aligns values and origins and names the files', () => {
    const { config, origins } = configHome().resolve({
      flags: { port: '80', include: ['a', 'b'], dataDir: '/d', cacheDir: '/c' },
      env: { WAYMARK_LOG_LEVEL: 'info', WAYMARK_HOST: '::1' },
    });
    const files = {
      user: { file: '/u/config.json', present: true },
      project: { file: '/p/.waymark.json', present: false },
    };

    const fromFile = { kind: 'user_file', file: '/u/config.json', line: 3 } as const;
    const text = renderConfig({ config, origins: { ...origins, host: fromFile }, files, warnings: [] }, FEW);

    expect(text.split('\n')).toEqual([
      'logLevel        info       WAYMARK_LOG_LEVEL',
      'logFile         (not set)  default',
      'logFormat       text       default',
      'dataDir         /d         --data-dir',
      'cacheDir        /c         --cache-dir',
      'host            ::1        /u/config.json:3',
      'port            80         --port',
      'projectFromCwd  false      default',
      'include         a, b       --include',
      'exclude         (empty)    default',
      'languages       (empty)    default',
      'guides          (empty)    default',
      '',
      'User file: /u/config.json',
      'Project file: /p/.waymark.json (not there)',
    ]);
  });

  test('stays within 80 columns while a value and its origin fit on lines of their own', () => {
    const long = `/${'x'.repeat(55)}`;
    const home = configHome();

    const lines = renderConfig(
      home.resolve({ flags: { dataDir: long, cacheDir: '/c', logFile: '/l' } }),
      FEW,
    ).split('\n');

    expect(lines).toContain(`dataDir         ${long}`);
    expect(lines).toContain(`${' '.repeat(16)}--data-dir`);
    expect(lines.slice(0, 13).every((line) => line.length <= 80)).toBe(true);
  });

  test('has no control characters in it', () => {
    const home = configHome();

    expect(renderConfig(home.resolve({ flags: { host: 'a\u202eb' } }))).toContain('a\\u{202e}b');
  });
});

describe('value', () => {
  test('has every setting with value and origin, the files and the warnings', () => {
    const home = configHome();

    const value = renderConfigValue(home.resolve({ flags: { port: '80' }, env: { WAYMARK_NONSENSE: '1' } }));

    expect(value.settings['port']).toEqual({ value: 80, origin: { kind: 'flag', flag: '--port' } });
    expect(value.settings['logFile']).toEqual({ value: null, origin: { kind: 'default' } });
    expect(value.files).toEqual({ user: { file: home.folder.join(USER_FILE), present: false } });
    expect(value.warnings).toHaveLength(1);
  });
});

describe('secrets', () => {
  test('are told to be set and not what they are', () => {
    const resolved = resolveSecret({ WAYMARK_TOKEN: 'hunter2' });

    expect(resolved.config['token']).toBe('hunter2');
    expect(renderConfig(resolved, SECRET)).toContain('token  (set)  WAYMARK_TOKEN');
    expect(renderConfigValue(resolved).settings['token']?.value).toBe('(set)');
    expect(JSON.stringify(renderConfigValue(resolved))).not.toContain('hunter2');
  });

  test('that are not set are told so', () => {
    expect(renderConfig(resolveSecret({}), SECRET)).toContain('token  (not set)  default');
    expect(renderConfigValue(resolveSecret({})).settings['token']?.value).toBeNull();
  });

  test('are not repeated in errors', () => {
    const home = configHome({ [USER_FILE]: '{"token": 123456}' });
    const env = { HOME: home.folder.join('home') };

    expect(errorOf(() => resolveConfig({ env })).message).toContain('expected text, found a number');
    expect(errorOf(() => resolveSecret({ WAYMARK_TOKEN: 'hunter\u0007' })).message).not.toContain('hunter');
  });

  test('that a client did not expand stop the start', () => {
    const error = errorOf(() => resolveSecret({ WAYMARK_TOKEN: '${env:TOKEN}' }));

    expect(error.message).toBe('WAYMARK_TOKEN holds an unexpanded placeholder');
  });
});
