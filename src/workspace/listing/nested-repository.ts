/**
 * A repository inside the one that is listed: a submodule, a checkout, a worktree. Git looks at its rules there and at none
 * of those around it. What is written for Waymark and for search tools holds there as well: they know no repositories.
 */
import { join } from 'node:path';
import { findGitFile } from '../git/repository.ts';
import { toByteText } from '../ignore/byte-text.ts';
import { readRuleFile } from '../ignore/read-rule-file.ts';
import { EMPTY_SCOPE, onlyOurs, withEverywhere, type RuleScope } from '../ignore/scope.ts';
import type { ListContext } from './list-options.ts';
import { lookAtPath } from './stamp.ts';

export interface NestedRepository {
  /** Its `info/exclude`, whether there is one or not. */
  readonly excludeFile: string;
  readonly gitDir: string;
}

/** `path` is the folder's, with a slash at its end. Undefined where there is none: at the root, without a `.git`, or with one that leads to no repository of this folder. */
export function findNestedRepository(
  { root, gitDirOf }: ListContext,
  path: string,
): NestedRepository | undefined {
  if (path === '' || gitDirOf === undefined || lookAtPath(`${root}/${path}.git`) === undefined)
    return undefined;
  const gitDir = gitDirOf(`${root}/${path.slice(0, -1)}`);
  return gitDir === undefined ? undefined : { gitDir, excludeFile: join(gitDir, 'info', 'exclude') };
}

/** The rules that hold in its top folder before that folder's own are read. */
export function nestedScope(
  { outside }: ListContext,
  { path, scope }: { readonly path: string; readonly scope: RuleScope },
  { gitDir }: NestedRepository,
): { readonly scope: RuleScope; readonly notices: readonly string[] } {
  const { prefix, fold, globalExcludes } = outside;
  const base = (prefix + toByteText(path)).slice(0, -1);
  const absPath = findGitFile(gitDir, 'info/exclude');
  const label = `${path}.git/info/exclude`;
  // Whether cases are told apart is a matter of the file system, so what holds for the repository around holds here.
  const exclude =
    absPath === undefined ? undefined : readRuleFile({ absPath, label, base, fold, links: 'refuse' });
  const rebased = globalExcludes === undefined ? undefined : { ...globalExcludes, base };
  const everywhere = withEverywhere(withEverywhere(EMPTY_SCOPE, rebased), exclude);
  return {
    scope: { files: [...onlyOurs(scope).files, ...everywhere.files] },
    notices: exclude?.notice === undefined ? [] : [exclude.notice],
  };
}
