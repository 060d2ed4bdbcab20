/** Where git keeps rules outside the tree: the user's global excludes, `info/exclude`, and folders above the root. */
import { lstatSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { isOn, lastValue, parseGitConfig, type GitSetting } from '../git/config-file.ts';
import { findGitFile, readGitConfig } from '../git/repository.ts';
import { WHOLE_DISK, type Disk } from '../reading/read-source.ts';
import { EMPTY_SCOPE, withEverywhere, withFolderFile, RULE_FILE_NAMES, type RuleScope } from './scope.ts';
import { toByteText } from './pattern.ts';
import { readBounded, readRuleFile, type RuleFile } from './rule-file.ts';

export interface UserPlaces {
  readonly home: string;
  /** `XDG_CONFIG_HOME`, where it is set. */
  readonly configHome: string | undefined;
}

/**
 * The user's global excludes: `core.excludesFile` of the user's git configuration, else `git/ignore` beside it. What a
 * repository's own configuration names is not read: it could name any file of this machine.
 */
export function findGlobalExcludes({ home, configHome }: UserPlaces): string {
  const folder = join(configHome ?? join(home, '.config'), 'git');
  const named = [join(home, '.gitconfig'), join(folder, 'config')]
    .map((absPath) => lastValue(readUserConfig(absPath), 'core.excludesfile'))
    .find((value) => value !== undefined);
  const absPath = named?.startsWith('~/') === true ? join(home, named.slice(2)) : named;
  return absPath !== undefined && isAbsolute(absPath) ? absPath : join(folder, 'ignore');
}

export interface OutsideRules {
  readonly scope: RuleScope;
  /** Those of the user, which hold in every repository. */
  readonly globalExcludes: RuleFile | undefined;
  /** The path from the top of the repository to the root, in byte text, with a slash at its end; empty when they are one. */
  readonly prefix: string;
  /** The repository lies on a file system that does not tell cases apart. */
  readonly fold: boolean;
  readonly notices: readonly string[];
  /** Absolute paths of all files that were or would have been read: when one changes, so may the rules. */
  readonly consulted: readonly string[];
}

export interface OutsidePlaces {
  readonly root: string;
  readonly globalExcludes: string | undefined;
  /** The repository's common git directory, where the caller knows a better one than `.git` at the top. */
  readonly gitDir: string | undefined;
  /** What lies above the root counts as far as this shows it. */
  readonly disk?: Disk | undefined;
}

/** Files of a git directory that say what is ignored, and how. */
const OF_GIT = ['config', 'info/exclude'] as const;

export function readOutsideRules({
  root,
  globalExcludes,
  gitDir,
  disk = WHOLE_DISK,
}: OutsidePlaces): OutsideRules {
  const above = foldersAbove(root, disk);
  const top = above[0] ?? root;
  const git = gitDir ?? join(top, '.git');
  const [config, exclude] = isFolder(git) ? OF_GIT.map((name) => findGitFile(git, name, disk)) : [];
  const fold = config !== undefined && isOn(readGitConfig(git, disk), 'core.ignorecase');
  let scope = EMPTY_SCOPE;
  const consulted = OF_GIT.map((name) => join(git, name));
  // Where one is a link that may be followed, what it leads to counts as well.
  for (const followed of [config, exclude])
    if (followed !== undefined && !consulted.includes(followed)) consulted.push(followed);
  if (globalExcludes !== undefined) consulted.push(globalExcludes);
  for (const folder of above) consulted.push(...RULE_FILE_NAMES.map((name) => join(folder, name)));
  const global =
    globalExcludes === undefined
      ? undefined
      : readRuleFile({
          absPath: globalExcludes,
          label: 'global excludes',
          base: '',
          fold,
          links: 'follow',
        });
  scope = withEverywhere(scope, global);
  if (exclude !== undefined) {
    const place = { absPath: exclude, label: '.git/info/exclude', base: '', fold } as const;
    scope = withEverywhere(scope, readRuleFile({ ...place, links: 'refuse' }));
  }
  above.forEach((folder, index) => {
    const label = '../'.repeat(above.length - index);
    const base = toByteText(
      above
        .slice(1, index + 1)
        .map((path) => basename(path))
        .join('/'),
    );
    for (const name of RULE_FILE_NAMES.toReversed()) {
      const place = { absPath: join(folder, name), label: `${label}${name}`, base, fold } as const;
      const file = readRuleFile({ ...place, links: 'refuse' });
      if (file !== undefined) scope = withFolderFile(scope, name, file);
    }
  });
  const inside = [...above.slice(1), ...(above.length > 0 ? [root] : [])].map((path) => `${basename(path)}/`);
  return {
    scope,
    globalExcludes: global,
    prefix: toByteText(inside.join('')),
    fold,
    notices: scope.files.flatMap(({ notice }) => notice ?? []),
    consulted,
  };
}

/** From the top of the repository down to the root's parent; none if the root is a top itself or in no repository. */
function foldersAbove(root: string, disk: Disk): readonly string[] {
  const folders: string[] = [];
  const holdsGit = (folder: string): boolean => {
    const absPath = join(folder, '.git');
    return disk.kind(absPath) !== 'missing' || disk.isLink(absPath);
  };
  if (holdsGit(root)) return [];
  for (let folder = dirname(root); folder !== dirname(folder); folder = dirname(folder)) {
    folders.unshift(folder);
    if (holdsGit(folder)) return folders;
  }
  return [];
}

/** A linked `.git` could point anywhere; the caller says where it leads, once that was checked. */
function isFolder(absPath: string): boolean {
  try {
    return lstatSync(absPath).isDirectory();
  } catch {
    return false;
  }
}

const MAX_CONFIG_BYTES = 256 * 1024;

/** Nothing of it counts if it is too large. */
function readUserConfig(absPath: string): readonly GitSetting[] {
  const read = readBounded(absPath, MAX_CONFIG_BYTES, 'follow');
  return read === undefined || read.isCut ? [] : parseGitConfig(read.bytes.toString('utf8'));
}
