/** The filters `changed:` and `branch:`: only files that are not as they were committed. */
import { AppError, type WhyUntold } from '../../core/index.ts';
import { quoteForeign } from '../../text/index.ts';
import type { Filters } from './parse-query.ts';
import type { SearchParts } from '../ports.ts';
import type { View } from '../view/view.ts';

export interface KeepChangedInput {
  readonly root: string;
  readonly view: View;
  readonly filters: Filters;
}

/** Narrows `allowed` as far as the filters say so. */
export async function keepChanged(
  allowed: Uint8Array,
  { root, view, filters: { changed, branch } }: KeepChangedInput,
  { changedFiles }: Pick<SearchParts, 'changedFiles'>,
): Promise<void> {
  const wanted = [...(changed ? [undefined] : []), ...(branch === undefined ? [] : [branch])];
  for (const name of wanted) {
    const told = await changedFiles(root, name);
    if (told.kind === 'untold') throw cannotTell(told.why, name);
    const paths = new Set(told.paths);
    for (const segment of view.segments)
      segment.files.forEach(({ path }, local) => {
        if (!paths.has(path)) allowed[segment.firstFile + local] = 0;
      });
  }
}

function cannotTell(why: WhyUntold, branch: string | undefined): AppError {
  const name = quoteForeign(branch ?? '');
  const filter = branch === undefined ? '`changed:yes`' : '`branch:`';
  const [message, hint] = ((): readonly [string, string] => {
    switch (why) {
      case 'no_repository':
        return ['What changed cannot be told here: this is no git working tree.', `Leave ${filter} out.`];
      case 'no_commit':
        return [
          'What changed cannot be told yet: nothing has been committed in this git repository.',
          `Leave ${filter} out, since every file is new, or make the first commit.`,
        ];
      case 'no_index':
        return [
          "What changed cannot be told here: git's index is missing, cannot be read or lists more than 20,000 files.",
          `Leave ${filter} out.`,
        ];
      case 'no_branch':
        return [
          `There is no branch ${name} here.`,
          'Name one that `git branch -a` lists, such as `branch:main` or `branch:origin/main`; for what is not committed, use `changed:yes`.',
        ];
      case 'no_common_commit':
        return [
          `No commit was found that this branch and ${name} share.`,
          'A shallow clone, or one that borrows the objects of another, does not hold it; for what is not committed, use `changed:yes`.',
        ];
      case 'not_all_here':
        return [
          `The files of ${name} cannot be read: not all of its objects are in this repository.`,
          'For what is not committed, use `changed:yes`.',
        ];
    }
  })();
  return new AppError('bad_argument', message, { hint });
}
