/** Real bug reports with the files that their fixes changed, and a work tree of the commit before each fix. */
import { spawnSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface IssueTask {
  readonly id: string;
  readonly repo: string;
  readonly base_commit: string;
  readonly created_at: string;
  readonly query: string;
  readonly gold_files: readonly string[];
  /** Per file the ranges of old lines that the fix changed, 1-based; some sets have none. */
  readonly gold_lines?: Readonly<Record<string, readonly (readonly [number, number])[]>>;
}

/** In order of repository and date, so that one work tree can follow. */
export function readTasks(file: string, only: readonly string[]): IssueTask[] {
  // The benchmark's own file, made for this reader.
  const all = JSON.parse(readFileSync(file, 'utf8')) as IssueTask[];
  return all
    .filter(
      ({ id, repo }) => only.length === 0 || only.some((part) => id.includes(part) || repo.includes(part)),
    )
    .sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

const key = ({ repo, created_at, id }: IssueTask): string => `${repo} ${created_at} ${id}`;

/** The git directory of a repository below the mirror, whatever the case of its name; undefined if it is not there. */
export function findMirror(mirror: string, repo: string): string | undefined {
  const wanted = repo.toLowerCase();
  for (const name of readdirSync(mirror)) {
    if (name.toLowerCase().replace('+', '/') !== wanted) continue;
    return ['repo', '.git', '.']
      .map((part) => join(mirror, name, part))
      .find((dir) => existsSync(join(dir, 'HEAD')));
  }
  return undefined;
}

export interface Tree {
  readonly root: string;
  /** Where its index is kept. */
  readonly home: string;
}

/**
 * The tree of the task's commit below the folder: one per repository, which follows from task to task, and its index with it.
 * Undefined if the mirror has no such commit.
 */
export function openTree(task: IssueTask, mirror: string, folder: string): Tree | undefined {
  const place = join(folder, task.repo.replaceAll('/', '+'));
  const [root, home] = [join(place, 'tree'), join(place, 'home')];
  const gitDir = findMirror(mirror, task.repo);
  if (gitDir === undefined) return undefined;
  mkdirSync(root, { recursive: true });
  const git = (...args: readonly string[]): boolean =>
    spawnSync('git', ['--git-dir', gitDir, '--work-tree', root, ...args], {
      env: { ...process.env, GIT_INDEX_FILE: join(place, 'git-index') },
      stdio: 'ignore',
    }).status === 0;
  if (git('read-tree', '--reset', '-u', task.base_commit)) {
    linkHistory(root, gitDir, task.base_commit);
    return { root, home };
  }
  if (!git('read-tree', task.base_commit)) return undefined;
  // A mirror may lack its largest files: all others are written.
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  git('checkout-index', '--all', '--force');
  linkHistory(root, gitDir, task.base_commit);
  return { root, home };
}

/** A git directory whose last commit is the one before the fix: what came later is not in its history, though it is in its packs. */
function linkHistory(root: string, gitDir: string, commit: string): void {
  const own = join(root, '.git');
  const [from, to] = [join(gitDir, 'objects/pack'), join(own, 'objects/pack')];
  for (const folder of [to, join(own, 'refs')]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(own, 'HEAD'), `${commit}\n`);
  for (const name of readdirSync(from))
    if (/\.(?:idx|pack)$/.test(name) && !existsSync(join(to, name)))
      linkSync(join(from, name), join(to, name));
}
