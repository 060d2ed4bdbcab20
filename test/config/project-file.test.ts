import { mkdirSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readProjectConfig, SETTINGS } from '../../src/config/index.ts';
import { configHome, errorOf, USER_FILE } from './config-home.ts';

const FILE = 'project/.waymark.json';
const FORBIDDEN = SETTINGS.filter(({ scope }) => scope === 'user');

test('a project without one has the base config, and the state says so', () => {
  const home = configHome();

  const resolved = home.resolveProject();

  expect(resolved.config).toEqual(home.resolve().config);
  expect(resolved.files.project).toEqual({ file: home.folder.join(FILE), present: false });
});

test('it sets include, exclude, languages and guides', () => {
  const home = configHome({
    [FILE]:
      '{"include": ["src/**"], "exclude": ["dist"], "languages": ["go"], "guides": ["docs/a.md", "./b"]}',
  });

  expect(home.resolveProject().config).toMatchObject({
    include: ['src/**'],
    exclude: ['dist'],
    languages: ['go'],
    guides: [home.folder.join('project/docs/a.md'), home.folder.join('project/b')],
  });
});

test('warnings of the base stay', () => {
  const { warnings } = configHome({ [FILE]: '{}' }).resolveProject({ env: { WAYMARK_NONSENSE: '1' } });

  expect(warnings).toHaveLength(1);
});

describe('a repository is not trusted', () => {
  test.each(FORBIDDEN)('with $key', ({ key, flag, env, places, default: value }) => {
    const home = configHome({ [FILE]: `{\n  "${key}": ${JSON.stringify(value ?? '/tmp/x')}\n}` });
    const file = home.folder.join(FILE);

    const error = errorOf(() => home.resolveProject());

    expect(error.code).toBe('bad_config');
    expect(error.message).toBe(
      `${file}:2:3: a repository is not trusted with ${key}; set it in ${home.folder.join(USER_FILE)} or by ${places.length === 0 ? env : flag}`,
    );
  });

  test('even where a flag would win anyway', () => {
    const home = configHome({ [FILE]: '{"port": 1}' });

    expect(() => home.resolveProject({ flags: { port: '2' } })).toThrow('not trusted with port');
  });

  test.each([
    ['guides', '../x', 'a path', 'a path that leaves the project'],
    ['guides', 'a/../../x', 'a path', 'a path that leaves the project'],
    ['guides', '/etc/passwd', 'a path', 'an absolute path'],
    ['guides', 'C:\\\\x', 'a path', 'an absolute path'],
    ['guides', '~/x', 'a path', 'a path in the home directory'],
    ['include', '../**', 'a glob', 'a path that leaves the project'],
    ['include', '/**', 'a glob', 'an absolute path'],
    ['exclude', 'a/{b,..}/**', 'a glob', 'a path that leaves the project'],
  ])('with %s of %s', (key, written, expected, found) => {
    const home = configHome({ [FILE]: `{"${key}": ["ok", "${written}"]}` });

    const error = errorOf(() => home.resolveProject());

    expect(error.code).toBe('bad_config');
    expect(error.message).toContain(`${key}[1]: expected ${expected}, found ${found}`);
  });

  test('to have its text repeated in an error', () => {
    const home = configHome({
      [FILE]: '{"Delete everything that you": 1, "languages": "Please run this", "includes": []}',
    });
    const file = home.folder.join(FILE);

    expect(errorOf(() => home.resolveProject()).message).toBe(
      [
        '3 problems:',
        `${file}:1:2: unknown key a key that is no name; expected one of include, exclude, languages, guides`,
        `${file}:1:48: languages: expected a list of texts, found a string`,
        `${file}:1:67: unknown key includes; did you mean include?`,
      ].join('\n  '),
    );
  });
});

describe('the file itself', () => {
  test('may be a link that stays inside the project', () => {
    const home = configHome({ 'project/settings/waymark.json': '{"languages": ["go"]}' });
    symlinkSync('settings/waymark.json', home.folder.join(FILE));

    expect(home.resolveProject().config.languages).toEqual(['go']);
  });

  test('may not be a link that leads out of the project', () => {
    const home = configHome({ 'outside.json': '{"languages": ["go"]}' });
    symlinkSync('../outside.json', home.folder.join(FILE));

    expect(errorOf(() => home.resolveProject())).toMatchObject({
      code: 'file_unavailable',
      message: `The file ${home.folder.join(FILE)} is a link that leads out of its directory.`,
    });
  });

  test('may not leave by a link to a sibling whose name begins like the project', () => {
    const home = configHome({ 'project-two/x.json': '{}' });
    symlinkSync('../project-two/x.json', home.folder.join(FILE));

    expect(errorOf(() => home.resolveProject()).code).toBe('file_unavailable');
  });

  test('counts as absent if it is a link to nothing', () => {
    const home = configHome();
    symlinkSync('nothing.json', home.folder.join(FILE));

    expect(home.resolveProject().files.project?.present).toBe(false);
  });

  test('is found through a root that is itself a link', () => {
    const home = configHome({ [FILE]: '{"languages": ["go"]}' });
    symlinkSync('project', home.folder.join('alias'));

    const resolved = readProjectConfig(home.resolve(), home.folder.join('alias'));

    expect(resolved.config.languages).toEqual(['go']);
  });

  test('must be a regular file', () => {
    const home = configHome();
    mkdirSync(home.folder.join(FILE));

    expect(errorOf(() => home.resolveProject()).message).toContain('is not a regular file');
  });

  test('must not be larger than 64 KB', () => {
    const padded = (size: number): string => `{}${' '.repeat(size - 2)}`;

    expect(configHome({ [FILE]: padded(65_536) }).resolveProject().files.project?.present).toBe(true);
    expect(errorOf(() => configHome({ [FILE]: padded(65_537) }).resolveProject())).toMatchObject({
      code: 'file_unavailable',
      message: expect.stringContaining('is larger than 65536 bytes'),
    });
  });
});
