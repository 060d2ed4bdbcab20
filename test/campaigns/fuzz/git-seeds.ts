/** Repositories that git itself wrote, with every form of index it knows: what damage starts from. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { git } from '../../support/git.ts';

export interface GitSeeds {
  readonly root: string;
  /** A linked worktree, whose `.git` is a file. */
  readonly worktree: string;
  readonly submodule: string;
  readonly indexes: readonly Uint8Array[];
}

/** Each leaves another form of index behind. */
const FORMS: readonly (readonly (readonly string[])[])[] = [
  [['update-index', '--index-version', '4']],
  [
    ['config', 'index.recordEndOfIndexEntries', 'true'],
    ['update-index', '--force-write-index'],
  ],
  [
    ['config', 'index.recordOffsetTable', 'true'],
    ['config', 'index.threads', '2'],
    ['update-index', '--force-write-index'],
  ],
  [['update-index', '--untracked-cache']],
  [
    ['update-index', '--index-version', '3'],
    ['update-index', '--skip-worktree', 'src/part-1/a.ts'],
    ['add', '-N', 'new.ts'],
  ],
  [
    ['sparse-checkout', 'init', '--cone', '--sparse-index'],
    ['sparse-checkout', 'set', 'src/part-2'],
    ['sparse-checkout', 'disable'],
  ],
  [
    ['update-index', '--split-index'],
    ['add', '--all'],
  ],
  [['update-index', '--no-split-index', '--no-untracked-cache']],
];

export function makeGitSeeds(folder: string): GitSeeds {
  const root = join(folder, 'project');
  const library = join(folder, 'library');
  for (const path of [root, library]) {
    mkdirSync(path, { recursive: true });
    git(path, 'init', '-q', '-b', 'main');
  }
  write(library, 'lib.ts', 'export const lib = 1;\n');
  commit(library);
  const indexes: Uint8Array[] = [];
  const note = (): void => void indexes.push(readFileSync(join(root, '.git', 'index')));
  for (let part = 0; part < 6; part++)
    for (const name of ['a.ts', 'b.py', 'ü ö.md'])
      write(root, `src/part-${part}/${name}`, `${part} ${name}\n`.repeat(4));
  write(root, '.gitignore', '*.log\n/build/\n!keep.log\n');
  commit(root);
  git(root, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', library, 'vendor/library');
  commit(root);
  note();
  git(root, 'branch', 'topic');
  write(root, 'src/part-3/a.ts', 'ours\n');
  commit(root);
  git(root, 'checkout', '-q', 'topic');
  for (let turn = 0; turn < 4; turn++) {
    write(root, `src/part-${turn}/b.py`, `theirs ${turn}\n`);
    commit(root);
  }
  git(root, 'checkout', '-q', 'main');
  // A merge with a conflict that is then resolved leaves `REUC` behind.
  write(root, 'src/part-1/b.py', 'ours as well\n');
  commit(root);
  tolerate(() => git(root, 'merge', '-q', 'topic'));
  note();
  git(root, 'add', '--all');
  note();
  commit(root);
  git(root, 'tag', '-a', 'v1', '-m', 'first');
  git(root, 'remote', 'add', 'origin', 'https://user:secret@example.com/shop.git');
  git(root, 'worktree', 'add', '-q', join(folder, 'linked'), 'topic');
  git(root, 'gc', '-q', '--aggressive');
  for (let turn = 0; turn < 2; turn++) {
    write(root, `src/part-5/a.ts`, `loose ${turn}\n`);
    commit(root);
  }
  write(root, 'new.ts', 'export {};\n');
  write(root, 'src/part-0/a.ts', 'changed\n');
  for (const form of FORMS) {
    for (const words of form) tolerate(() => git(root, ...words));
    note();
  }
  return { root, worktree: join(folder, 'linked'), submodule: join(root, 'vendor', 'library'), indexes };
}

function write(root: string, path: string, text: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
}

function commit(root: string): void {
  git(root, 'add', '--all');
  git(root, 'commit', '-q', '-m', 'more');
}

/** An older git does not know every form; what it leaves is then one of the others again. */
function tolerate(work: () => void): void {
  try {
    work();
  } catch {
    // The index stays as it was.
  }
}
