import { mkdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SETTINGS } from '../../src/config/index.ts';
import { configHome, errorOf, USER_FILE } from './config-home.ts';

describe('where it is', () => {
  test('below XDG_CONFIG_HOME if that is set', () => {
    const home = configHome({ 'xdg/waymark/config.json': '{"port": 1}', [USER_FILE]: '{"port": 2}' });

    const resolved = home.resolve({ env: { XDG_CONFIG_HOME: home.folder.join('xdg') } });

    expect(resolved.config.port).toBe(1);
    expect(resolved.files.user).toEqual({ file: home.folder.join('xdg/waymark/config.json'), present: true });
  });

  test('nowhere is fine', () => {
    const home = configHome();

    expect(home.resolve().files.user).toEqual({ file: home.folder.join(USER_FILE), present: false });
  });

  test('where --config says, before WAYMARK_CONFIG and the usual place', () => {
    const home = configHome({
      'project/a.json': '{"port": 1}',
      'home/b.json': '{"port": 2}',
      [USER_FILE]: '{"port": 3}',
    });
    const env = { WAYMARK_CONFIG: '~/b.json' };

    expect(home.resolve({ configFile: 'a.json', env }).config.port).toBe(1);
    expect(home.resolve({ env }).config.port).toBe(2);
    expect(home.resolve().config.port).toBe(3);
  });

  test('a named file must exist', () => {
    const home = configHome();

    const error = errorOf(() => home.resolve({ configFile: 'none.json' }));

    expect(error).toMatchObject({
      code: 'bad_config',
      message: `There is no config file at ${home.folder.join('project/none.json')}.`,
    });
    expect(errorOf(() => home.resolve({ env: { WAYMARK_CONFIG: '/none.json' } })).code).toBe('bad_config');
  });

  test('a directory in its place is an error', () => {
    const home = configHome();
    mkdirSync(home.folder.join(USER_FILE), { recursive: true });

    expect(errorOf(() => home.resolve()).code).toBe('file_unavailable');
  });
});

describe('what it says', () => {
  test('may have a byte order mark, comments, trailing commas and Windows line ends', () => {
    const home = configHome({
      [USER_FILE]: '\uFEFF// mine\r\n{\r\n  "$schema": "x",\r\n  /* the port */ "port": 1,\r\n}\r\n',
    });

    const { config, origins } = home.resolve();

    expect(config.port).toBe(1);
    expect(origins.port).toMatchObject({ line: 4 });
  });

  test('has paths that start at its own directory', () => {
    const home = configHome({ [USER_FILE]: '{"dataDir": "d", "logFile": "~/l", "guides": ["../g"]}' });

    expect(home.resolve().config).toMatchObject({
      dataDir: home.folder.join('home/.config/waymark/d'),
      logFile: home.folder.join('home/l'),
      guides: [home.folder.join('home/.config/g')],
    });
  });

  test('is wrong in several places: all are named with line and column', () => {
    const home = configHome({
      [USER_FILE]: `{
  "port": "80",
  "prot": 80,
  "logLevel": null,
  "include": ["a", 5],
    "what\\u001bever": {},
  "projectFromCwd": "${'y'.repeat(50)}",
  "exclude": {"a": 1},
}`,
    });
    const file = home.folder.join(USER_FILE);

    const error = errorOf(() => home.resolve());

    expect(error.code).toBe('bad_config');
    expect(error.message).toBe(
      [
        '7 problems:',
        `${file}:2:11: port: expected an integer from 0 to 65535, found "80"`,
        `${file}:3:3: unknown key "prot"; did you mean port?`,
        `${file}:4:15: logLevel: expected one of debug, info, warn, error, silent, found null`,
        `${file}:5:20: include[1]: expected a glob, found 5`,
        `${file}:6:5: unknown key "what\\x1bever"; expected one of ${SETTINGS.map(({ key }) => key).join(', ')}`,
        `${file}:7:21: projectFromCwd: expected true or false, found "${'y'.repeat(40)}…"`,
        `${file}:8:14: exclude: expected a list of globs, found an object`,
      ].join('\n  '),
    );
  });

  test('is wrong in very many places: the rest is counted', () => {
    const keys = Array.from({ length: 50 }, (_, index) => `"unknown${index}": 1`);
    const home = configHome({ [USER_FILE]: `{${keys.join(',')}}` });

    const lines = errorOf(() => home.resolve()).message.split('\n');

    expect(lines).toHaveLength(22);
    expect(lines.at(-1)).toBe('  and 30 more');
  });

  test.each([
    ['', '1:1: expected a value, found the end of the file'],
    ['{"port": 1', '1:11: expected "," or "}", found the end of the file'],
    ['{"port": 1,\n "port": 2}', '2:2: expected each key only once, found port again'],
    ['[]', '1:1: expected an object with settings in it'],
    ['"port"', '1:1: expected an object with settings in it'],
  ])('is no object of settings: %j', (text, message) => {
    const home = configHome({ [USER_FILE]: text });

    const error = errorOf(() => home.resolve());

    expect(error).toMatchObject({ code: 'bad_config', message: `${home.folder.join(USER_FILE)}:${message}` });
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('does not know the key %s', (key) => {
    const home = configHome({ [USER_FILE]: `{"${key}": {"port": 1}}` });

    expect(errorOf(() => home.resolve()).message).toContain(`unknown key "${key}"`);
  });
});
