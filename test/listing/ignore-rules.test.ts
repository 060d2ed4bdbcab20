import { symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findGlobalExcludes } from '../../src/workspace/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { compareWithGit } from './ignore-campaign.ts';
import { listAll } from './list-all.ts';

describe('ignore rules', () => {
  it('agree with git on every path of 60 generated trees, rule by rule', async () => {
    const report = await compareWithGit(100_000, 60);
    expect(report.mismatches).toEqual([]);
    // A comparison of trees where nothing is ignored would prove nothing.
    expect(report.ignored).toBeGreaterThan(300);
    expect(report.paths - report.ignored).toBeGreaterThan(300);
  }, 120_000);

  it('stay bounded for patterns made to explode', async () => {
    const name = 'a'.repeat(250);
    const deep = `${Array.from({ length: 60 }, () => 'aaaa').join('/')}/${'a'.repeat(200)}`;
    const stars = [
      `${'*a'.repeat(500)}b`,
      `${'**/'.repeat(400)}b`,
      `/${'*/'.repeat(300)}**/b`,
      `${'[a-z]*'.repeat(300)}!`,
      `**/${'*a*/'.repeat(200)}b`,
    ];
    const folder = tempFolder({
      '.gitignore': stars.flatMap((star) => Array.from({ length: 150 }, () => star)).join('\n'),
      [name]: '',
      [deep]: '',
    });
    const { files } = await listAll(folder.path);
    expect(files).toEqual(expect.arrayContaining([name, deep]));
    const cut = await listAll(folder.path, { maxRuleSteps: 100_000 });
    expect(cut.files).not.toContain(name);
    expect(Object.values(cut.skips)).toEqual(['too_many_files ignore rules that take too long to match']);
  });

  it('grow in strength: global excludes, info/exclude, .gitignore, .ignore, .waymarkignore', async () => {
    const folder = tempFolder({
      global: 'one\ntwo\nthree\nfour\nfive\n',
      '.git/info/exclude': '!two\n',
      '.gitignore': '!three\nonly-git\n',
      'sub/.gitignore': 'four\n',
      '.ignore': '!four\n!only-git\n',
      '.waymarkignore': '!five\n',
    });
    for (const name of ['one', 'two', 'three', 'four', 'five', 'only-git'])
      folder.write({ [`sub/${name}`]: '' });
    const { files, skips } = await listAll(folder.path, { globalExcludes: folder.join('global') });
    expect(files.filter((path) => /^sub\/[a-z]/.test(path))).toEqual([
      'sub/five',
      // `.ignore` at the top is stronger than `.gitignore` in the folder.
      'sub/four',
      'sub/only-git',
      'sub/three',
      'sub/two',
    ]);
    expect(skips['sub/one']).toBe('ignored global excludes:1 one');
  });

  it('never bring back a file from a folder that is left out', async () => {
    const folder = tempFolder({
      '.gitignore': 'gone/\n!gone/keep.ts\n',
      'gone/.gitignore': '!keep.ts\n',
      'gone/.waymarkignore': '!keep.ts\n',
      'gone/keep.ts': '',
    });
    const { files, skips } = await listAll(folder.path);
    expect(files).toEqual(['.gitignore']);
    expect(skips).toEqual({ 'gone/': 'ignored .gitignore:1 gone/' });
  });

  it('hold above the root, up to the top of the repository and not beyond', async () => {
    const folder = tempFolder({
      '.gitignore': '*\n',
      'repo/.git/HEAD': '',
      'repo/.gitignore': '/packages/one/local\n*.tmp\n',
      'repo/packages/.gitignore': '/one/near\n/near\n',
      'repo/packages/one/local': '',
      'repo/packages/one/near': '',
      'repo/packages/one/x.tmp': '',
      'repo/packages/one/src/local': '',
    });
    const { files, skips } = await listAll(folder.join('repo/packages/one'));
    expect(files).toEqual(['src/local']);
    expect(skips).toEqual({
      local: 'ignored ../../.gitignore:1 /packages/one/local',
      near: 'ignored ../.gitignore:1 /one/near',
      'x.tmp': 'ignored ../../.gitignore:2 *.tmp',
    });
  });

  it('take the git directory of a worktree from the caller', async () => {
    const folder = tempFolder({
      'main/.git/info/exclude': 'secret-plan\n',
      'tree/.git': 'gitdir: elsewhere\n',
      'tree/secret-plan': '',
    });
    expect((await listAll(folder.join('tree'))).files).toEqual(['secret-plan']);
    const { skips } = await listAll(folder.join('tree'), { gitDir: folder.join('main/.git') });
    expect(skips['secret-plan']).toBe('ignored .git/info/exclude:1 secret-plan');
  });
});

describe("the user's global excludes", () => {
  it('are where the git configuration says, else beside it', () => {
    const home = tempFolder();
    const places = { home: home.path, configHome: undefined };
    expect(findGlobalExcludes(places)).toBe(home.join('.config/git/ignore'));
    expect(findGlobalExcludes({ ...places, configHome: home.join('xdg') })).toBe(home.join('xdg/git/ignore'));
    home.write({ '.config/git/config': '[core]\n\texcludesFile = /from/xdg\n' });
    expect(findGlobalExcludes(places)).toBe('/from/xdg');
    home.write({
      '.gitconfig':
        '[user]\nexcludesfile = /no\n[Core "sub"]\nexcludesfile = /no\n[CORE] ; note\n\tExcludesFile = "~/my ignore" # note\n',
    });
    expect(findGlobalExcludes(places)).toBe(home.join('my ignore'));
  });

  it('may be a link, as dotfiles often are', async () => {
    const folder = tempFolder({ 'dotfiles/ignore': '*.bak\n', 'repo/a.bak': '' });
    symlinkSync(folder.join('dotfiles/ignore'), folder.join('linked'));
    const { skips } = await listAll(folder.join('repo'), { globalExcludes: folder.join('linked') });
    expect(skips['a.bak']).toBe('ignored global excludes:1 *.bak');
  });
});
