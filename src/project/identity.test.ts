/** R016, R020: what marks a project's root. R018: folders of other people's code are no project, on every system. */
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { userInfo } from 'node:os';
import { posix, win32 } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import {
  findMarkedRoot,
  resolveNamedDirectory,
  whyNeverProject,
  cacheFolders,
  createPlaceFinder,
  findPlaces,
  isInside,
} from './identity.ts';

const HOME = '/home/not-there';

test('R016 walks up to the nearest VCS root, past nearer manifests', () => {
  const folder = tempFolder({ 'repo/.git/HEAD': '', 'repo/pkg/package.json': '{}', 'repo/pkg/src/x': '' });

  expect(findMarkedRoot(folder.join('repo/pkg/src'), HOME)).toEqual({
    root: folder.join('repo'),
    marker: '.git',
    kind: 'vcs',
  });
});

test('R016 stops at the home directory, whose own marker does not count', () => {
  const folder = tempFolder({ 'home/package.json': '{}', 'home/notes/x': '' });

  expect(findMarkedRoot(folder.join('home/notes'), folder.join('home'))).toBeUndefined();
});

test.each([
  ['.git with a HEAD', { 'p/.git/HEAD': 'ref: refs/heads/main\n' }],
  ['.hg with a store', { 'p/.hg/store/x': '' }],
  ['.hg of a share', { 'p/.hg/requires': '' }],
  ['.jj with a repo', { 'p/.jj/repo/x': '' }],
  ['.jj of a workspace', { 'p/.jj/repo': '/elsewhere' }],
  ['.svn with its database', { 'p/.svn/wc.db': '' }],
])('R020 %s is version control', (_what, files) => {
  const folder = tempFolder(files);

  expect(findMarkedRoot(folder.join('p'), HOME)).toMatchObject({ root: folder.join('p'), kind: 'vcs' });
});

test.each([
  ['an empty .git', { 'p/.git/x': '' }],
  ['an empty .hg', { 'p/.hg/x': '' }],
  ['a .jj that is a file', { 'p/.jj': '' }],
  ['an empty .svn', { 'p/.svn/x': '' }],
])('R020 %s is none: a manifest beside it counts, a real root above it wins', (_what, files) => {
  const alone = tempFolder({ ...files, 'p/package.json': '{}' });
  const inside = tempFolder({ ...files, 'p/package.json': '{}', '.git/HEAD': '' });

  expect(findMarkedRoot(alone.join('p'), HOME)).toMatchObject({ root: alone.join('p'), kind: 'manifest' });
  expect(findMarkedRoot(inside.join('p'), HOME)).toMatchObject({ root: inside.path, kind: 'vcs' });
});

test('R020 a .git that points elsewhere without proof begins a project, but not one to write to on a guess', () => {
  const folder = tempFolder({
    'main/.git/HEAD': '',
    'main/trees/moved/.git': 'gitdir: /gone/.git/worktrees/moved\n',
    'main/unpacked/.git': 'gitdir: ../.git\n',
  });
  mkdirSync(folder.join('main/linked'));
  symlinkSync('../.git', folder.join('main/linked/.git'));

  const found = ['trees/moved', 'unpacked', 'linked'].map((name) =>
    findMarkedRoot(folder.join('main', name), HOME),
  );

  // Never the repository around it: that would be another project.
  expect(found).toEqual(
    ['trees/moved', 'unpacked', 'linked'].map((name) => ({
      root: folder.join('main', name),
      marker: '.git',
      kind: 'manifest',
    })),
  );
});

test('R016 an installed package is not the project that is worked on', () => {
  const folder = tempFolder({
    'app/package.json': '{}',
    'app/node_modules/left/package.json': '{}',
    'venv/site-packages/pkg/pyproject.toml': '',
  });

  expect(findMarkedRoot(folder.join('app/node_modules/left'), HOME)?.root).toBe(folder.join('app'));
  expect(findMarkedRoot(folder.join('venv/site-packages/pkg'), HOME)).toBeUndefined();
});

const LINUX = '/home/me';
const MAC = '/Users/me';
const WINDOWS = 'C:\\Users\\me';

const onPosix = (root: string, home: string, env: Record<string, string> = {}) =>
  whyNeverProject(root, { home, caches: cacheFolders({ home, env }, posix) }, posix);
const onWindows = (root: string, env: Record<string, string> = {}) =>
  whyNeverProject(root, { home: WINDOWS, caches: cacheFolders({ home: WINDOWS, env }, win32) }, win32);

describe('R018 never a project', () => {
  test.each([
    ['/', {}],
    ['/home', {}],
    ['/tmp', {}],
    ['/var/tmp', {}],
    ['/etc', {}],
    [LINUX, {}],
    [`${LINUX}/.npm/_npx/abc/node_modules/x`, {}],
    [`${LINUX}/.npm/_cacache`, {}],
    [`${LINUX}/.cache/uv/archive-v0/x`, {}],
    [`${LINUX}/.cache/pnpm/dlx/x`, {}],
    [`${LINUX}/.local/share/uv/tools/x`, {}],
    [`${LINUX}/.claude/plugins/cache/x`, {}],
    [`${LINUX}/.codex/plugins/cache/x`, {}],
    [`${LINUX}/.copilot/installed-plugins/market/x`, {}],
    ['/data/copilot/installed-plugins/x', { COPILOT_HOME: '/data/copilot' }],
    [`${LINUX}/.vscode-server/extensions/x`, {}],
    [`${LINUX}/.config/Code/User/globalStorage/x`, {}],
    ['/data/cache/uv/archive-v0/x', { XDG_CACHE_HOME: '/data/cache' }],
    ['/data/npm/_npx/abc', { npm_config_cache: '/data/npm' }],
    ['/data/uv/x', { UV_CACHE_DIR: '/data/uv' }],
    ['/data/claude/plugins/x', { CLAUDE_CONFIG_DIR: '/data/claude' }],
    ['/data/codex/plugins/x', { CODEX_HOME: '/data/codex' }],
  ])('on Linux: %s with %j', (root, env) => {
    expect(onPosix(root, LINUX, env)).toBeTypeOf('string');
  });

  test.each([
    '/Users',
    '/private/tmp',
    '/Applications',
    MAC,
    `${MAC}/.npm/_npx/abc`,
    `${MAC}/Library/Caches/uv/x`,
    `${MAC}/.cache/uv/x`,
    `${MAC}/Library/pnpm/x`,
    `${MAC}/Library/Application Support/Claude/Claude Extensions/x`,
    `${MAC}/Library/Application Support/Cursor/User/globalStorage/x`,
  ])('on macOS: %s', (root) => {
    expect(onPosix(root, MAC)).toBeTypeOf('string');
  });

  test.each([
    ['C:\\', {}],
    ['D:\\', {}],
    ['C:\\Users', {}],
    [WINDOWS, {}],
    ['c:\\users\\ME', {}],
    ['C:\\Windows\\System32', {}],
    ['C:\\Program Files', {}],
    [`${WINDOWS}\\AppData\\Local\\npm-cache\\_npx\\abc`, {}],
    [`${WINDOWS}\\AppData\\Local\\uv\\cache\\x`, {}],
    [`${WINDOWS}\\AppData\\Roaming\\npm\\node_modules\\x`, {}],
    [`${WINDOWS}\\AppData\\Roaming\\Claude\\Claude Extensions\\x`, {}],
    [`${WINDOWS}\\.claude\\plugins\\x`, {}],
    ['E:\\Local\\npm-cache\\_npx\\abc', { LOCALAPPDATA: 'e:\\local' }],
    ['E:\\Roaming\\uv\\x', { APPDATA: 'E:\\Roaming' }],
  ])('on Windows: %s with %j', (root, env) => {
    expect(onWindows(root, env)).toBeTypeOf('string');
  });

  test.each([
    ['/tmp/x', {}],
    ['/opt/app', {}],
    [`${LINUX}/code/uv`, {}],
    [`${LINUX}/.npmrc-tools`, {}],
    [`${LINUX}/.config/nvim`, {}],
    [`${LINUX}/.claude`, {}],
    // A cache that is said to be everywhere is no reason to have no project anywhere.
    [`${LINUX}/code/x`, { UV_CACHE_DIR: '/' }],
    [`${LINUX}/code/x`, { npm_config_cache: LINUX }],
    [`${LINUX}/code/x`, { XDG_CACHE_HOME: 'code' }],
  ])('but %s with %j may be one', (root, env) => {
    expect(onPosix(root, LINUX, env)).toBeUndefined();
  });

  test('a cache that is a link to elsewhere is one by its real path too', () => {
    const folder = tempFolder({ 'disk/uv/archive/x': '' });
    mkdirSync(folder.join('home'));
    symlinkSync(folder.join('disk'), folder.join('moved'));
    const places = findPlaces(folder.join('home'), { XDG_CACHE_HOME: folder.join('moved') });

    expect(resolveNamedDirectory(folder.join('moved/uv/archive'), places)).toMatchObject({
      kind: 'unusable',
      message: expect.stringContaining('is never a project'),
    });
  });

  test('so is one that is reached through a link in the home directory, at any part of the way', () => {
    const folder = tempFolder({
      'home/dotfiles/claude/plugins/cache/x/.git/HEAD': '',
      'home/dotfiles/notes/.git/HEAD': '',
      'disk/npm/_npx/x/package.json': '{}',
      'disk/uv/x/package.json': '{}',
      'home/.cache/keep': '',
    });
    symlinkSync('dotfiles/claude', folder.join('home/.claude'));
    symlinkSync(folder.join('disk/npm'), folder.join('home/.npm'));
    symlinkSync(folder.join('disk/uv'), folder.join('home/.cache/uv'));
    // A link to everything is no reason to have no project anywhere.
    symlinkSync('/', folder.join('home/.codex'));
    mkdirSync(folder.join('home/.bun'));
    symlinkSync(folder.path, folder.join('home/.bun/install'));
    const places = findPlaces(folder.join('home'), {});
    const kindOf = (name: string) => resolveNamedDirectory(folder.join(name), places).kind;

    expect(
      [
        'home/.claude/plugins/cache/x',
        'home/dotfiles/claude/plugins/cache/x',
        'disk/npm/_npx/x',
        'disk/uv/x',
      ].map(kindOf),
    ).toEqual(['unusable', 'unusable', 'unusable', 'unusable']);
    expect(['home/dotfiles/notes', 'home/dotfiles/claude', 'disk'].map(kindOf)).toEqual([
      'project',
      'project',
      'project',
    ]);
  });

  test('a server that runs on notices a link that is made meanwhile, within seconds', () => {
    const folder = tempFolder({ 'home/keep': '', 'disk/npm/x/package.json': '{}' });
    let now = 0;
    const find = createPlaceFinder({ now: () => 0, elapsed: () => now });
    vi.stubEnv('HOME', folder.join('home'));
    onTestFinished(() => void vi.unstubAllEnvs());

    const before = find({});
    symlinkSync(folder.join('disk/npm'), folder.join('home/.npm'));
    now = 10_000;
    const after = find({});

    expect(before.home).toBe(folder.join('home'));
    expect([before, after].map(({ caches }) => caches.includes(folder.join('disk/npm')))).toEqual([
      false,
      true,
    ]);
  });

  test.each(['', 'rel', './home'])('HOME=%j is no home: the one of the account counts', (home) => {
    vi.stubEnv('HOME', home);
    onTestFinished(() => void vi.unstubAllEnvs());
    const account = userInfo().homedir;

    expect(createPlaceFinder({ now: () => 0, elapsed: () => 0 })({}).home).toBe(realpathSync(account));
  });

  test('a sibling with the same beginning is not inside', () => {
    expect(isInside('/a/bc', '/a/b')).toBe(false);
    expect(isInside('/a/b/c', '/a/b')).toBe(true);
    expect(isInside('/a/b', '/a/b')).toBe(true);
  });
});
