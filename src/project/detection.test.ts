import { mkdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { decideProject } from './chain.ts';
import { resolveNamedDirectory } from './identity.ts';
import { findMarkedRoot } from './markers.ts';
import { isInside, whyNeverProject } from './never-projects.ts';
import { reportCwd, reportPwd } from './sources/cwd.ts';
import { reportEnv } from './sources/env.ts';

const HOME = '/home/nobody-here';

describe('the chain', () => {
  test('takes the most trusted source that found something and keeps what the others said', () => {
    const env = {
      kind: 'found',
      source: 'env',
      project: { root: '/b', name: 'b' },
      via: 'WAYMARK_PROJECT',
      weak: false,
      vcs: false,
    } as const;
    const roots = { kind: 'nothing', source: 'roots', reason: 'none' } as const;
    const cwd = {
      kind: 'found',
      source: 'cwd',
      project: { root: '/c', name: 'c' },
      via: '.git',
      weak: true,
      vcs: true,
    } as const;

    const detection = decideProject([cwd, env, roots]);

    expect(detection).toEqual({
      kind: 'found',
      project: env.project,
      source: 'env',
      via: 'WAYMARK_PROJECT',
      weak: false,
      vcs: false,
      reports: [roots, env, cwd],
      disagreements: [{ winner: env, loser: cwd }],
    });
  });

  test('finds nothing when no source does', () => {
    expect(decideProject([{ kind: 'nothing', source: 'cwd', reason: 'x' }]).kind).toBe('none');
  });
});

describe('the environment', () => {
  test('R058 takes the first variable that names an existing absolute directory', () => {
    const a = tempFolder();
    const b = tempFolder();

    const report = reportEnv(
      { WAYMARK_PROJECT: '/does/not/exist', CLAUDE_PROJECT_DIR: a.path, CURSOR_PROJECT_DIR: b.path },
      HOME,
    );

    expect(report).toMatchObject({ kind: 'found', via: 'CLAUDE_PROJECT_DIR', project: { root: a.path } });
  });

  test.each(['${workspaceFolder}', '', 'relative/path', '/does/not/exist'])(
    'R058 passes over %j',
    (value) => {
      expect(reportEnv({ WAYMARK_PROJECT: value }, HOME).kind).toBe('nothing');
    },
  );

  test('R058 takes the first entry of a list of folders', () => {
    const a = tempFolder();

    const report = reportEnv({ WORKSPACE_FOLDER_PATHS: `${a.path},/elsewhere` }, HOME);

    expect(report).toMatchObject({ kind: 'found', project: { root: a.path } });
  });
});

describe('the working directory', () => {
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

  test('R016 is not used over HTTP without the flag', () => {
    const folder = tempFolder({ 'package.json': '{}' });
    const facts = { cwd: folder.path, projectFromCwd: false, home: HOME };

    expect(reportCwd({ ...facts, transport: 'http' }).kind).toBe('nothing');
    expect(reportCwd({ ...facts, transport: 'stdio' })).toMatchObject({ kind: 'found', via: 'package.json' });
    expect(reportCwd({ ...facts, transport: 'http', projectFromCwd: true })).toMatchObject({
      via: '--project-from-cwd',
    });
  });

  test.each(['.', '..', './foo', 'foo', ''])('R017 rejects PWD=%j', (pwd) => {
    expect(reportPwd({ pwd, cwd: undefined, transport: 'stdio', home: HOME }).kind).toBe('nothing');
  });
});

test('R020 a PWD that the process does not stand in is good enough to read from, not to write to', () => {
  const folder = tempFolder({ 'repo/.git/HEAD': '', 'repo/src/x': '' });
  const facts = { pwd: folder.join('repo'), transport: 'stdio', home: HOME } as const;

  expect(reportPwd({ ...facts, cwd: '/' })).toMatchObject({ kind: 'found', vcs: false });
  expect(reportPwd({ ...facts, cwd: folder.join('repo/src') })).toMatchObject({ kind: 'found', vcs: true });
});

describe('what is never a project', () => {
  test.each([
    '/',
    HOME,
    `${HOME}/.npm/_npx/abc`,
    `${HOME}/.cache/uv/x`,
    `${HOME}/.claude/plugins/x`,
    '/home',
    '/tmp',
  ])('R018 refuses %s', (path) => {
    expect(whyNeverProject(path, HOME)).toBeTypeOf('string');
  });

  test('R018 allows folders inside the temp directory', () => {
    expect(whyNeverProject('/tmp/x', HOME)).toBeUndefined();
  });

  test('a sibling with the same beginning is not inside', () => {
    expect(isInside('/a/bc', '/a/b')).toBe(false);
    expect(isInside('/a/b/c', '/a/b')).toBe(true);
    expect(isInside('/a/b', '/a/b')).toBe(true);
  });
});

describe('identity', () => {
  test('R021 is the real path, whichever link was named', async () => {
    const { symlinkSync } = await import('node:fs');
    const folder = tempFolder();
    mkdirSync(folder.join('real'));
    symlinkSync(folder.join('real'), folder.join('link'));

    const named = resolveNamedDirectory(folder.join('link'), HOME);

    expect(named).toMatchObject({ kind: 'project', project: { root: folder.join('real'), name: 'real' } });
  });

  test.each([
    ['relative', 'a/b', 'must be absolute'],
    ['missing', '/does/not/exist', 'does not exist'],
    ['NUL', '/a\0b', 'NUL'],
    ['root', '/', 'never a project'],
  ])('says why a %s path is no project', (_what, path, reason) => {
    expect(resolveNamedDirectory(path, HOME)).toMatchObject({
      kind: 'unusable',
      message: expect.stringContaining(reason),
    });
  });
});
