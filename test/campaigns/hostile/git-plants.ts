/** What a repository can plant to have a program run or a file read by a caller of git, or a reader of its files. */
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Family, Fixture, Place } from './fixture.ts';

function gitConfig(name: string, lines: (place: Place) => string): Fixture {
  return {
    name: `.git/config: ${name}`,
    make(place) {
      place.write('.git/config', lines(place));
      place.write('.gitattributes', '* filter=evil diff=evil merge=evil\n');
    },
    comesTo: { 'plain.ts': 'indexed' },
  };
}

function program(path: string, more: Partial<Fixture> = {}): Fixture {
  return {
    name: `${path} that runs something`,
    make(place) {
      place.write(path, `#!/bin/sh\n${place.program}\n`);
      chmodSync(place.at(path), 0o755);
    },
    ...more,
  };
}

const HOOKS = [
  'post-index-change',
  'fsmonitor-watchman',
  'post-checkout',
  'pre-commit',
  'reference-transaction',
];

export const GIT_PLANTS: Family = {
  name: 'planted programs and git directories',
  fixtures: [
    gitConfig('fsmonitor', (place) => `[core]\n\tfsmonitor = ${place.program}\n`),
    gitConfig('hooksPath', (place) => `[core]\n\thooksPath = ${join(place.program, '..')}\n`),
    gitConfig('aliases', (place) => ['status', 'ls-files', 'check-ignore', 'rev-parse', 'log'].map((verb) => `[alias]\n\t${verb} = !${place.program}\n`).join('')),
    gitConfig('filters', (place) => `[filter "evil"]\n\tclean = ${place.program}\n\tsmudge = ${place.program}\n\tprocess = ${place.program}\n\trequired = true\n`),
    gitConfig('diffs and text conversion', (place) => `[diff]\n\texternal = ${place.program}\n[diff "evil"]\n\ttextconv = ${place.program}\n\tcommand = ${place.program}\n`),
    gitConfig('pager, editor, ssh, proxy', (place) => `[core]\n\tpager = ${place.program}\n\teditor = ${place.program}\n\tsshCommand = ${place.program}\n\tgitProxy = ${place.program}\n\taskPass = ${place.program}\n`),
    gitConfig('credential helper', (place) => `[credential]\n\thelper = !${place.program}\n`),
    gitConfig('includes of files outside', (place) => `[include]\n\tpath = ${place.outside}/git/config\n[includeIf "gitdir:/"]\n\tpath = ${place.outside}/git/config\n`),
    gitConfig('excludes outside', (place) => `[core]\n\texcludesFile = ${place.outside}/rules\n\tattributesFile = ${place.outside}/rules\n`),
    gitConfig('a worktree outside', (place) => `[core]\n\tworktree = ${place.outside}\n\tbare = true\n`),
    gitConfig('10 MB', () => '[core]\n\tx = y\n'.repeat(700_000)),
    gitConfig('no text', () => '\0\u0001[core\n\tignorecase = \xff"\\\n'),
    gitConfig('one line without an end', () => `[${'a'.repeat(200_000)}`),
    {
      name: 'hooks that may be run',
      make(place) {
        for (const hook of HOOKS) {
          place.write(`.git/hooks/${hook}`, `#!/bin/sh\n${place.program}\n`);
          chmodSync(place.at(`.git/hooks/${hook}`), 0o755);
        }
      },
    },
    {
      name: '.git is a file that leads outside',
      make(place) {
        rmSync(place.at('.git'), { recursive: true });
        place.write('.git', `gitdir: ${place.outside}/git\n`);
      },
      comesTo: { 'plain.ts': 'indexed' },
      mayRefuse: true,
    },
    {
      name: '.git is a file that leads outside by dots',
      make(place) {
        rmSync(place.at('.git'), { recursive: true });
        place.write('.git', 'gitdir: ../outside/git\n');
      },
      comesTo: { 'plain.ts': 'indexed' },
      mayRefuse: true,
    },
    {
      name: '.git is 10 MB of text',
      make(place) {
        rmSync(place.at('.git'), { recursive: true });
        place.write('.git', `gitdir: ${'x'.repeat(10_000_000)}\n`);
      },
      mayRefuse: true,
    },
    {
      name: 'a common directory and objects outside',
      make(place) {
        place.write('.git/commondir', `${place.outside}/git\n`);
        place.write('.git/objects/info/alternates', `${place.outside}\n`);
        place.write('.git/gitdir', `${place.outside}/git\n`);
      },
      comesTo: { 'plain.ts': 'indexed' },
    },
    {
      name: 'HEAD is a link out, refs go in circles',
      make(place) {
        rmSync(place.at('.git/HEAD'));
        place.link('.git/HEAD', join(place.outside, 'stolen.ts'));
        place.write('.git/refs/heads/main', 'ref: refs/heads/other\n');
        place.write('.git/refs/heads/other', 'ref: refs/heads/main\n');
      },
      mayRefuse: true,
    },
    {
      name: 'a bare repository in a folder',
      make(place) {
        place.write('sub/HEAD', 'ref: refs/heads/main\n');
        place.write('sub/config', `[core]\n\tbare = true\n\tfsmonitor = ${place.program}\n`);
        place.write('sub/objects/info/packs', '\n');
        place.write('sub/refs/heads/main', `${'0'.repeat(40)}\n`);
        place.write('sub/hooks/post-checkout', `#!/bin/sh\n${place.program}\n`);
      },
    },
    {
      name: 'a repository in a repository',
      make(place) {
        place.write('inner/.git/HEAD', 'ref: refs/heads/main\n');
        place.write('inner/.git/config', `[core]\n\tfsmonitor = ${place.program}\n`);
        place.write('inner/.git/info/exclude', '*\n');
        place.write('inner/a.ts', 'export const inner = 1;\n');
      },
    },
    {
      name: 'submodules with commands and paths that lead out',
      make(place) {
        const module = (path: string, url: string): string =>
          `[submodule "${path}"]\n\tpath = ${path}\n\turl = ${url}\n\tupdate = !${place.program}\n`;
        place.write('.gitmodules', module('../outside/folder', `--upload-pack=${place.program}`) + module('a/../../x', 'ext::sh'));
        place.write('mod/.git', 'gitdir: ../.git/modules/../../../outside/git\n');
        place.write('mod/a.ts', 'export const mod = 1;\n');
      },
    },
    {
      name: 'an index, packs and refs of rubbish',
      make(place) {
        place.write('.git/index', Buffer.alloc(100_000, 'DIRC'));
        place.write('.git/packed-refs', 'x'.repeat(5_000_000));
        place.write('.git/HEAD', '\0'.repeat(1000));
        place.write('.git/shallow', '\xff\xfe');
      },
      mayRefuse: true,
    },
    {
      name: 'other version control with hooks',
      make(place) {
        place.write('.hg/hgrc', `[hooks]\nupdate = ${place.program}\n[extensions]\nx = ${place.program}\n`);
        place.write('.svn/wc.db', 'no database');
        place.write('.jj/repo/config.toml', `ui.editor = "${place.program}"\n`);
      },
    },
    program('.envrc'),
    program('.husky/post-merge'),
    program('configure'),
    program('Makefile'),
    program('.vscode/tasks.json'),
    program('.waymark'),
    program('conftest.py'),
    {
      name: 'scripts of packages, tools and editors',
      make(place) {
        const scripts = { preinstall: place.program, postinstall: place.program, prepare: place.program };
        place.write('package.json', JSON.stringify({ name: 'x', scripts, main: './index.cjs' }));
        place.write('index.cjs', `require('child_process').execSync('${place.program}');\n`);
        place.write('.npmrc', `script-shell=${place.program}\nnode-options=--require ${place.root}/index.cjs\n`);
        place.write('node_modules/typescript/index.js', `require('child_process').execSync('${place.program}');\n`);
        place.write('tsconfig.json', JSON.stringify({ compilerOptions: { plugins: [{ name: './index.cjs' }] } }));
        place.write('.pnpmfile.cjs', `require('child_process').execSync('${place.program}');\n`);
        place.write('.tool-versions', 'nodejs path:./evil\n');
        place.write('build.gradle', `"${place.program}".execute()\n`);
      },
      comesTo: { 'plain.ts': 'indexed', 'node_modules/': 'excluded_by_default' },
    },
  ],
}; // prettier-ignore
