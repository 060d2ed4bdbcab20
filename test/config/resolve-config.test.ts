import { realpathSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resolveConfig } from '../../src/config/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { run } from '../support/waymark.ts';
import { configHome, errorOf } from './config-home.ts';

test('everything has a default', () => {
  const home = configHome();

  expect(home.resolve().config).toMatchObject({
    logLevel: 'warn',
    logFile: undefined,
    logFormat: 'text',
    dataDir: home.folder.join('home/.local/share/waymark'),
    cacheDir: home.folder.join('home/.cache/waymark'),
    host: '127.0.0.1',
    port: 7411,
    projectFromCwd: false,
    include: [],
    exclude: [],
    languages: [],
    guides: [],
  });
});

test('the result is frozen to the bottom', () => {
  const resolved = configHome({ 'project/.waymark.json': '{"include": ["a"]}' }).resolveProject();

  const parts = [resolved, resolved.config, resolved.config.include, resolved.config.exclude];
  const more = [
    resolved.origins,
    resolved.origins.include,
    resolved.warnings,
    resolved.files,
    resolved.files.project,
  ];
  expect([...parts, ...more].every((part) => Object.isFrozen(part))).toBe(true);
});

describe('directories', () => {
  test('follow the XDG variables', () => {
    const env = { XDG_DATA_HOME: '/x/data', XDG_CACHE_HOME: '/x/cache' };

    expect(configHome().resolve({ env }).config).toMatchObject({
      dataDir: '/x/data/waymark',
      cacheDir: '/x/cache/waymark',
    });
  });

  test('ignore XDG variables that are relative or empty', () => {
    const home = configHome();

    const { config } = home.resolve({ env: { XDG_DATA_HOME: 'data', XDG_CACHE_HOME: '' } });

    expect(config.dataDir).toBe(home.folder.join('home/.local/share/waymark'));
    expect(config.cacheDir).toBe(home.folder.join('home/.cache/waymark'));
  });

  test.each(['', 'rel'])('are never below the working directory, not even with HOME=%j', async (HOME) => {
    const folder = tempFolder({ 'here/.git/HEAD': 'ref: refs/heads/main\n' });
    const account = realpathSync(userInfo().homedir);
    const env = { HOME, XDG_DATA_HOME: '', XDG_CACHE_HOME: '', XDG_CONFIG_HOME: folder.path };

    const { stdout } = await run(['config', 'show', '--json'], { cwd: folder.join('here'), env });

    expect(stdout).toContain(join(account, '.local/share/waymark'));
    expect(stdout).toContain(join(account, '.cache/waymark'));
  });

  test('use USERPROFILE where there is no HOME', () => {
    const { config } = resolveConfig({ env: { USERPROFILE: '/users/me' } });

    expect(config.dataDir).toBe('/users/me/.local/share/waymark');
  });
});

describe('paths', () => {
  test('of flags and variables start at the working directory', () => {
    const home = configHome();

    const { config } = home.resolve({ flags: { dataDir: 'd' }, env: { WAYMARK_LOG_FILE: '../l.log' } });

    expect(config.dataDir).toBe(home.folder.join('project/d'));
    expect(config.logFile).toBe(home.folder.join('l.log'));
  });

  test('expand the tilde of the home directory, and only that', () => {
    const home = configHome();

    const { config } = home.resolve({
      flags: { dataDir: '~/d', cacheDir: '~', logFile: '/abs/../l' },
      env: { WAYMARK_GUIDES: '~x' },
    });

    expect(config).toMatchObject({
      dataDir: home.folder.join('home/d'),
      cacheDir: home.folder.join('home'),
      logFile: '/l',
      guides: [home.folder.join('project/~x')],
    });
  });
});

describe('flags', () => {
  test('that are undefined or no setting are left alone', () => {
    const { config } = configHome().resolve({ flags: { port: undefined, json: true } });

    expect(config.port).toBe(7411);
  });

  test('take any free port', () => {
    expect(configHome().resolve({ flags: { port: '0' } }).config.port).toBe(0);
  });

  test('and variables that are wrong are all named in one error', () => {
    const home = configHome();

    const error = errorOf(() =>
      home.resolve({
        flags: { port: '65536', logLevel: 'loud\u001b[31m', guides: ['a', ''] },
        env: { WAYMARK_PROJECT_FROM_CWD: 'maybe', WAYMARK_HOST: 'a\nb' },
      }),
    );

    expect(error.code).toBe('bad_config');
    expect(error.message).toBe(
      [
        '5 problems:',
        '--log-level: expected one of debug, info, warn, error, silent, found "loud\\x1b[31m"',
        '--port: expected an integer from 0 to 65535, found 65536',
        '--guide[1]: expected a path, found an empty string',
        'WAYMARK_HOST: expected text, found a control character in it',
        'WAYMARK_PROJECT_FROM_CWD: expected true or false, found "maybe"',
      ].join('\n  '),
    );
  });

  test('a single mistake is told in one line', () => {
    const error = errorOf(() => configHome().resolve({ flags: { port: 'abc' } }));

    expect(error.message).toBe('--port: expected an integer from 0 to 65535, found "abc"');
    expect(error.hint).toBeDefined();
  });
});

describe('variables', () => {
  test('that are empty count as unset', () => {
    const { config, origins } = configHome().resolve({ env: { WAYMARK_PORT: '', WAYMARK_INCLUDE: ' ' } });

    expect(config).toMatchObject({ port: 7411, include: [] });
    expect(origins.port.kind).toBe('default');
  });

  test('that a client did not expand count as unset and are reported', () => {
    const { config, warnings } = configHome().resolve({
      env: { WAYMARK_LOG_FILE: '${workspaceFolder}/log', WAYMARK_CONFIG: '${config:x}' },
    });

    expect(config.logFile).toBeUndefined();
    expect(warnings).toEqual([
      'WAYMARK_LOG_FILE holds an unexpanded placeholder and is ignored',
      'WAYMARK_CONFIG holds an unexpanded placeholder and is ignored',
    ]);
  });

  test('split lists at commas, and lists of paths as the system does', () => {
    const { config } = configHome().resolve({
      env: { WAYMARK_INCLUDE: ' a/**, b/** ,,', WAYMARK_GUIDES: '/a,b:/c' },
    });

    expect(config.include).toEqual(['a/**', 'b/**']);
    expect(config.guides).toEqual(['/a,b', '/c']);
  });

  test('that Waymark does not know cause a warning with the nearest name', () => {
    const { warnings } = configHome().resolve({
      env: { WAYMARK_PROT: '1', WAYMARK_SOMETHING_ELSE: '1', WAYMARK_PROJECT: '/p', OTHER: 'x' },
    });

    expect(warnings).toEqual([
      'WAYMARK_PROT is no variable that Waymark knows and is ignored; did you mean WAYMARK_PORT?',
      'WAYMARK_SOMETHING_ELSE is no variable that Waymark knows and is ignored',
    ]);
  });
});
