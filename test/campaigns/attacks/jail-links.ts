/** A project inside the limit brings along links and git files that lead out of it. */
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Attack } from './attack.ts';
import { CANARY, git, openCell, type Cell } from './jail-server.ts';
import { put } from './run-command.ts';

interface Plant {
  readonly stands: string;
  plant(cell: Cell): void;
}

const CODE = `export function ${CANARY}Function() { return 'needle ${CANARY}'; }\n`;

function link(target: string, path: string): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(join(path, '..'), { recursive: true });
  symlinkSync(target, path);
}

const repository = (root: string): void => {
  mkdirSync(root, { recursive: true });
  git(root, 'init', '-q', '-b', CANARY);
  put(root, { [`${CANARY}.ts`]: CODE });
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', CANARY);
  git(root, 'remote', 'add', 'origin', `https://${CANARY}.example/x.git`);
};

const LINKS = 'links of a repository';
const GIT = 'git files of a repository';
const PLANTS: Readonly<Record<string, Plant>> = {
  'a file that is a link': { stands: LINKS, plant: (cell) => link(code(cell), join(cell.inside, 'a.ts')) },
  'a folder that is a link': {
    stands: LINKS,
    plant(cell) {
      code(cell);
      link(cell.outside, join(cell.inside, 'src'));
    },
  },
  'a link to a link': {
    stands: LINKS,
    plant(cell) {
      code(cell);
      link(cell.outside, join(cell.inside, 'one'));
      link('one', join(cell.inside, 'two'));
    },
  },
  'a link through the root of this process': {
    stands: LINKS,
    plant: (cell) => link(`/proc/self/root${code(cell)}`, join(cell.inside, 'a.ts')),
  },
  'a link to an open file of this process': {
    stands: LINKS,
    plant: (cell) => link('/proc/self/environ', join(cell.inside, 'a.txt')),
  },
  'a manifest that is a link': {
    stands: LINKS,
    plant(cell) {
      put(cell.outside, { 'package.json': `{"name": "${CANARY}"}` });
      link(join(cell.outside, 'package.json'), join(cell.inside, 'package.json'));
    },
  },
  'settings that are a link': {
    stands: LINKS,
    plant(cell) {
      put(cell.outside, { 'settings.json': `{"exclude": ["${CANARY}"], "${CANARY}": 1}` });
      link(join(cell.outside, 'settings.json'), join(cell.inside, '.waymark.json'));
    },
  },
  'an ignore file that is a link': {
    stands: LINKS,
    plant(cell) {
      put(cell.outside, { rules: `${CANARY}\n` });
      link(join(cell.outside, 'rules'), join(cell.inside, '.gitignore'));
    },
  },
  'a folder of guides that is a link': {
    stands: LINKS,
    plant(cell) {
      put(cell.outside, { [`team/${CANARY}.md`]: CANARY });
      link(cell.outside, join(cell.inside, '.waymark/guides'));
    },
  },
  'a category of guides that is a link': {
    stands: LINKS,
    plant(cell) {
      put(cell.outside, { [`${CANARY}.md`]: CANARY });
      link(cell.outside, join(cell.inside, '.waymark/guides/team'));
    },
  },
  'a guide that is a link': {
    stands: LINKS,
    plant(cell) {
      put(cell.outside, { 'guide.md': CANARY });
      link(join(cell.outside, 'guide.md'), join(cell.inside, '.waymark/guides/team/a.md'));
    },
  },
  'a .waymark that is a link': {
    stands: LINKS,
    plant(cell) {
      put(cell.outside, { [`guides/team/${CANARY}.md`]: CANARY });
      link(cell.outside, join(cell.inside, '.waymark'));
    },
  },
  'settings of a compiler that extend a file outside': {
    stands: 'files that name other files',
    plant(cell) {
      put(cell.outside, { 'base.json': `{"compilerOptions": {"paths": {"${CANARY}": ["x"]}}}` });
      put(cell.inside, { 'tsconfig.json': `{"extends": "${cell.outside}/base.json"}`, 'a.ts': 'import "x"' });
    },
  },
  'a .git that is a link': {
    stands: GIT,
    plant(cell) {
      repository(cell.outside);
      link(join(cell.outside, '.git'), join(cell.inside, '.git'));
    },
  },
  'a .git file that points out': {
    stands: GIT,
    plant(cell) {
      repository(cell.outside);
      put(cell.inside, { '.git': `gitdir: ${cell.outside}/.git\n` });
    },
  },
  'a worktree of a repository outside': {
    stands: GIT,
    plant(cell) {
      repository(cell.outside);
      rmSync(cell.inside, { recursive: true });
      git(cell.outside, 'worktree', 'add', '-q', '-b', `${CANARY}-tree`, cell.inside);
      rmSync(join(cell.inside, `${CANARY}.ts`));
    },
  },
  'a common directory that is outside': {
    stands: GIT,
    plant(cell) {
      repository(cell.outside);
      git(cell.inside, 'init', '-q', '-b', 'mine');
      writeFileSync(join(cell.inside, '.git/commondir'), `${cell.outside}/.git\n`);
    },
  },
  'a submodule whose directory is outside': {
    stands: GIT,
    plant(cell) {
      repository(cell.outside);
      git(cell.inside, 'init', '-q', '-b', 'mine');
      put(cell.inside, { 'sub/.git': `gitdir: ${cell.outside}/.git\n`, 'sub/a.ts': 'needle' });
    },
  },
  'objects of another repository': {
    stands: GIT,
    plant(cell) {
      repository(cell.outside);
      git(cell.inside, 'init', '-q', '-b', 'mine');
      put(cell.inside, { '.git/objects/info/alternates': `${cell.outside}/.git/objects\n` });
    },
  },
  ...Object.fromEntries(
    ['HEAD', 'config', 'index', 'packed-refs', 'logs', 'refs', 'objects', 'info'].map((name) => [
      `a .git/${name} that is a link`,
      {
        stands: GIT,
        plant(cell: Cell) {
          repository(cell.outside);
          git(cell.outside, 'pack-refs', '--all');
          put(cell.outside, { '.git/info/exclude': `${CANARY}\n` });
          git(cell.inside, 'init', '-q', '-b', 'mine');
          link(join(cell.outside, '.git', name), join(cell.inside, '.git', name));
        },
      },
    ]),
  ),
  'a project that moved out and left a link': {
    stands: LINKS,
    plant(cell) {
      put(cell.outside, { 'moved/a.ts': CODE });
      put(cell.inside, { 'part/a.ts': 'before' });
      renameSync(join(cell.inside, 'part'), join(cell.inside, 'before'));
      link(join(cell.outside, 'moved'), join(cell.inside, 'part'));
      appendFileSync(join(cell.inside, 'before/a.ts'), 'needle');
    },
  },
};

/** A file of code outside; returns its path. */
function code({ outside }: Cell): string {
  put(outside, { [`${CANARY}.ts`]: CODE });
  return join(outside, `${CANARY}.ts`);
}

const QUESTIONS: readonly (readonly [tool: string, args: object])[] = [
  ['project_status', {}],
  ['index_codebase', {}],
  ['index_stats', {}],
  ['search_code', { query: 'needle' }],
  ['search_code', { query: '/needle \\w+/' }],
  ['search_code', { query: 'needle', changed: true }],
  ['search_code', { query: 'needle', branch: 'main' }],
  ['category_list', {}],
  ['category_content', { category: 'team' }],
  ['get_content', { expressions: ['**'] }],
  ['checkpoint_save', { content: 'Here it stands.', files: ['a.ts', 'src/a.ts'] }],
  ['checkpoint_resume', { level: 'full' }],
  ['checkpoint_list', {}],
  ['list_indexes', {}],
];

async function ask(cell: Cell): Promise<string | undefined> {
  for (const [tool, args] of QUESTIONS) {
    const answer = await cell.call(tool, { ...args, project: cell.inside });
    if (answer.includes(CANARY)) return `${tool} told it: ${answer.slice(0, 300)}`;
  }
  return undefined;
}

export const linkAttacks: readonly Attack[] = Object.entries(PLANTS).map(
  ([name, { stands, plant }]): Attack => ({
    name,
    area: 'jail',
    stands,
    async run(place) {
      const cell = await openCell(place);
      put(cell.inside, { 'package.json': '{}', 'own.ts': 'export const own = 1;\n' });
      plant(cell);
      return ask(cell);
    },
  }),
);
