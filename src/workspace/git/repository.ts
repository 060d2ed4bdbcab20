/**
 * A repository as its files tell it: where it is, its identity, branch, commits and remote. No git program runs: a repository's
 * configuration can name commands (fsmonitor, hooks, external diffs) that git would start, and a repository is not trusted.
 */
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { GitIdentity, ProjectPlace } from '../../core/index.ts';
import { WHOLE_DISK, type Disk } from '../reading/read-source.ts';
import { firstValue, lastValue, parseGitConfig, type GitSetting } from './config-file.ts';

const MAX_FILE_BYTES = 256 * 1024;
/** A hundred thousand names in one `packed-refs` are ten megabytes. */
const MAX_REFS_BYTES = 32 * 1024 * 1024;

/**
 * Undefined if the directory is no git working tree, or only claims to be one. A worktree whose repository lies outside of
 * the disk that may be looked at is one of these: it has neither a branch nor a memory to share.
 */
export function readGitIdentity(root: string, disk: Disk = WHOLE_DISK): GitIdentity | undefined {
  const located = locate(root, disk);
  if (located === undefined) return undefined;
  const { gitDir, commonDir, worktree } = located;
  return { commonDir, worktree, branch: readBranch(gitDir, disk), remote: readRemote(commonDir, disk) };
}

/** A worktree's own git directory, where its index and HEAD are. */
export function gitDirOf({ commonDir, worktree }: Pick<GitIdentity, 'commonDir' | 'worktree'>): string {
  return worktree === undefined ? commonDir : join(commonDir, 'worktrees', worktree);
}

/** Whether this is the root of a git working tree, and not merely something with a `.git` in it. */
export function isGitRoot(root: string, disk: Disk = WHOLE_DISK): boolean {
  return locate(root, disk) !== undefined;
}

/** The common git directory of the working tree around a folder; undefined outside of one, or if it only claims to be one. */
export function findGitDir(root: string, disk: Disk = WHOLE_DISK): string | undefined {
  return locateFrom(root, disk)?.commonDir;
}

/** Whether git is switching branches, merging or rebasing in the tree around a folder. A dead git may leave its lock behind. */
export function isGitBusy(root: string, disk: Disk = WHOLE_DISK): boolean {
  const located = locateFrom(root, disk);
  return located !== undefined && disk.kind(join(located.gitDir, 'index.lock')) !== 'missing';
}

/** Where a project stands in history. `tree` is the working tree around it: a project shares the memory of its tree. */
export function readPlace(project: string, tree: string | undefined, disk: Disk = WHOLE_DISK): ProjectPlace {
  const root = tree ?? project;
  const folder = relative(root, project).split(sep).join('/');
  const located = locate(root, disk);
  if (located === undefined) return { root, name: basename(root), identity: root, folder };
  const { gitDir, commonDir, worktree } = located;
  const branch = readBranch(gitDir, disk);
  const commit =
    branch === undefined
      ? toCommit(readGitFile(gitDir, 'HEAD', disk))
      : readRef(commonDir, `refs/heads/${branch}`, disk);
  const name = basename(commonDir) === '.git' ? basename(dirname(commonDir)) : basename(root);
  return { root, name, identity: commonDir, folder, gitDir, worktree, branch, commit };
}

/**
 * Where a file of a git directory really lies. `name` is its path from there. Undefined if there is none, or if a link leads
 * out of the git directory: archives can carry links, and such a file would be one that the archive's author chose.
 */
export function findGitFile(gitDir: string, name: string, disk: Disk = WHOLE_DISK): string | undefined {
  const home = disk.real(gitDir);
  const real = disk.real(join(gitDir, name));
  if (home === undefined || real === undefined) return undefined;
  return real.startsWith(join(home, sep)) || isKeptByRepo(home, name, real) ? real : undefined;
}

/**
 * Android's `repo` keeps what belongs to the project at `a/b` in `.repo/projects/a/b.git` at the top of its checkout, and
 * links to it from `a/b/.git`. That place of this very project is the only one outside that a link may lead to.
 */
function isKeptByRepo(gitDir: string, name: string, real: string): boolean {
  const project = dirname(gitDir);
  for (let top = dirname(project); top !== dirname(top); top = dirname(top))
    if (real === join(top, '.repo', 'projects', `${relative(top, project)}.git`, name)) return true;
  return false;
}

/** Undefined if there is none, a link leads out, or it is too large. */
function readGitFile(
  gitDir: string,
  name: string,
  disk: Disk,
  maxBytes = MAX_FILE_BYTES,
): string | undefined {
  const absPath = findGitFile(gitDir, name, disk);
  return absPath === undefined ? undefined : disk.read(absPath, maxBytes);
}

/** The repository's own configuration; empty if it cannot be read. */
export function readGitConfig(gitDir: string, disk: Disk = WHOLE_DISK): readonly GitSetting[] {
  return parseGitConfig(readGitFile(gitDir, 'config', disk) ?? '');
}

interface Located {
  readonly gitDir: string;
  readonly commonDir: string;
  readonly worktree: string | undefined;
}

/** By the nearest `.git`, whatever it is. */
function locateFrom(root: string, disk: Disk): Located | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    if (disk.kind(join(folder, '.git')) !== 'missing') return locate(folder, disk);
    if (folder === dirname(folder)) return undefined;
  }
}

function locate(root: string, disk: Disk): Located | undefined {
  const dotGit = join(root, '.git');
  const real = disk.real(dotGit);
  // A linked `.git` would adopt the memory of whatever it points to: archives can carry links.
  if (real === undefined || real !== join(disk.real(root) ?? '', '.git')) return undefined;
  return disk.kind(real) === 'directory' ? locateMain(real, disk) : locateLinked(root, dotGit, disk);
}

function locateMain(gitDir: string, disk: Disk): Located | undefined {
  const head = findGitFile(gitDir, 'HEAD', disk);
  if (head === undefined || disk.kind(head) !== 'file') return undefined;
  return { gitDir, commonDir: gitDir, worktree: undefined };
}

/**
 * A `.git` file points to a directory elsewhere. It counts only if that directory points back, so that an unpacked archive
 * cannot adopt another project's memory by naming its git directory.
 */
function locateLinked(root: string, dotGit: string, disk: Disk): Located | undefined {
  const target = /^gitdir: (.+)$/m.exec(disk.read(dotGit, MAX_FILE_BYTES) ?? '')?.[1]?.trim();
  const gitDir = target === undefined ? undefined : disk.real(resolve(root, target));
  if (gitDir === undefined) return undefined;
  const common = readGitFile(gitDir, 'commondir', disk)?.trim();
  return common === undefined
    ? locateSubmodule(root, gitDir, disk)
    : locateWorktree({ dotGit, gitDir, common }, disk);
}

function locateWorktree(
  { dotGit, gitDir, common }: { readonly dotGit: string; readonly gitDir: string; readonly common: string },
  disk: Disk,
): Located | undefined {
  const commonDir = disk.real(resolve(gitDir, common));
  if (commonDir === undefined || dirname(gitDir) !== join(commonDir, 'worktrees')) return undefined;
  const back = readGitFile(gitDir, 'gitdir', disk)?.trim();
  if (back === undefined || !isSame(isAbsolute(back) ? back : resolve(gitDir, back), dotGit, disk))
    return undefined;
  return { gitDir, commonDir, worktree: basename(gitDir) };
}

/**
 * A submodule's git directory lies in that of the working tree around it, and names its own working tree in its
 * configuration. One that lies elsewhere is not even looked into.
 */
function locateSubmodule(root: string, gitDir: string, disk: Disk): Located | undefined {
  const around = locateAround(disk.real(root) ?? root, disk);
  if (around === undefined || !gitDir.startsWith(join(around.gitDir, 'modules', sep))) return undefined;
  const worktree = lastValue(readGitConfig(gitDir, disk), 'core.worktree');
  if (worktree === undefined || !isSame(resolve(gitDir, worktree), root, disk)) return undefined;
  return { gitDir, commonDir: gitDir, worktree: undefined };
}

/** The working tree that a folder lies in: a repository's, one of its linked ones, or a submodule again. */
function locateAround(root: string, disk: Disk): Located | undefined {
  for (let folder = root; folder !== dirname(folder);) {
    folder = dirname(folder);
    const kind = disk.kind(join(folder, '.git'));
    const located = kind === 'missing' ? undefined : locate(folder, disk);
    // Git walks past a `.git` folder that is none. Stop at a file that leads nowhere: many of them, one in another, would take
    // exponential time.
    if (located !== undefined || kind === 'file') return located;
  }
  return undefined;
}

function isSame(a: string, b: string, disk: Disk): boolean {
  const real = disk.real(a);
  return real !== undefined && real === disk.real(b);
}

/** Where the branches are in a table (reftable), `HEAD` only says that they are not here: no branch begins with a dot. */
function readBranch(gitDir: string, disk: Disk): string | undefined {
  const branch = /^ref: refs\/heads\/([^.].*)$/m.exec(readGitFile(gitDir, 'HEAD', disk) ?? '')?.[1];
  return branch?.trim();
}

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const SYMBOLIC = /^ref: (refs\/\S+)\s*$/;
/** Stricter than what git allows as a part of a name: a name of a branch must not reach another file. */
const REF_PART = /^(?![.-])[^\s\\~^:?*[\]\p{C}]{1,200}(?<!\.lock|\.)$/u;

/** A branch of this repository, or else the one of that name as it was last seen elsewhere. */
export function readBranchTip(commonDir: string, branch: string, disk: Disk): string | undefined {
  if (!isRefName(branch)) return undefined;
  for (const place of ['heads', 'remotes', 'remotes/origin']) {
    const tip = readRef(commonDir, `refs/${place}/${branch}`, disk);
    if (tip !== undefined) return tip;
  }
  return undefined;
}

/** The commit that a full name such as `refs/heads/main` stands for. One that stands for another is followed once. */
function readRef(
  commonDir: string,
  ref: string,
  disk: Disk,
  follow: 'once' | 'never' = 'once',
): string | undefined {
  const text = readGitFile(commonDir, ref, disk);
  const own = toCommit(text);
  if (own !== undefined) return own;
  const other = follow === 'once' ? SYMBOLIC.exec(text ?? '')?.[1] : undefined;
  if (other !== undefined) return isRefName(other) ? readRef(commonDir, other, disk, 'never') : undefined;
  const packed = `\n${readGitFile(commonDir, 'packed-refs', disk, MAX_REFS_BYTES) ?? ''}\n`;
  const end = packed.indexOf(` ${ref}\n`);
  return end === -1 ? undefined : toCommit(packed.slice(packed.lastIndexOf('\n', end) + 1, end));
}

function isRefName(name: string): boolean {
  return name.split('/').every((part) => REF_PART.test(part) && !part.includes('..'));
}

function toCommit(text: string | undefined): string | undefined {
  const trimmed = text?.trim() ?? '';
  return COMMIT.test(trimmed) ? trimmed : undefined;
}

function readRemote(commonDir: string, disk: Disk): string | undefined {
  const url = firstValue(readGitConfig(commonDir, disk), 'remote.origin.url');
  return url === undefined ? undefined : withoutCredentials(url);
}

const AUTHORITY = /^(?:\[[0-9a-f:.]+\]|[\p{L}\p{N}._~-]*)(?::\d*)?$/iu;

/**
 * A remote's address without users, passwords, query and fragment: people put tokens into it, and what is shown reaches a model.
 * Undefined if it cannot be told which part is which.
 */
function withoutCredentials(address: string): string | undefined {
  // Control characters belong into no address; `name::` hands the rest to a program, in a form that only that one knows.
  if (/\p{Cc}/u.test(address) || /^[a-z0-9+.-]+::/i.test(address)) return undefined;
  const [, scheme, rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)(.*)$/i.exec(address) ?? [];
  if (scheme !== undefined) return withoutUser(scheme, rest);
  // `user@host:path`, as scp has it; what has no colon before its first slash is a path of this machine.
  const [head = ''] = address.split('/', 1);
  if (/[:@]/.test(head)) return withoutUser('', address);
  // A mistyped address (`https//user:password@host`) is no path.
  return /:[^/]*@/.test(address) ? undefined : address;
}

function withoutUser(scheme: string, rest: string): string | undefined {
  const end = /[/?#]/.exec(rest)?.index ?? rest.length;
  const path = rest.slice(end);
  // A password with a slash in it would look like a host and its path.
  if (/(?<!\/)@/.test(path)) return undefined;
  const authority = rest.slice(rest.lastIndexOf('@', end) + 1, end);
  if (scheme !== '' && !AUTHORITY.test(authority)) return undefined;
  return (scheme + authority + path).replace(/[?#].*$/, '');
}
