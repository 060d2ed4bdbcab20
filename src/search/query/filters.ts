/** Which files a search may find. */
import { AppError, type SearchKind, type WhyUntold } from '../../core/index.ts';
import { hashWord, quoteForeign } from '../../text/index.ts';
import type { LanguageKind, SearchParts } from '../ports.ts';
import { filesDefining } from '../rank/match.ts';
import { pathFlags } from '../view/file-facts.ts';
import type { PlacedSegment, View } from '../view/view.ts';
import type { Filters } from './parse-query.ts';
import { SEPARATORS } from './question.ts';

/** Each part is looked up in the whole index, and no code nests its names deeper. */
const MOST_PARTS = 12;
const CLASS_WEIGHT = 20;
const CALLABLE_WEIGHT = 10;

export interface FilterInput {
  readonly root: string;
  readonly view: View;
  readonly filters: Filters;
}

/** Editors and agents have absolute paths at hand: one of this project is meant from its root. */
function fromRoot(filters: Filters, root: string): Filters {
  const toGlob = (path: string): string => {
    if (path !== root && !path.startsWith(`${root}/`)) return path;
    const inside = path.slice(root.length);
    return inside.length <= 1 ? '/**' : inside;
  };
  return { ...filters, paths: filters.paths.map(toGlob), notPaths: filters.notPaths.map(toGlob) };
}

/** 1 for each file of the view that is alive and passes every filter but `changed:` and `branch:`. */
export function allowedFiles({ root, view, filters: written }: FilterInput, parts: SearchParts): Uint8Array {
  const filters = fromRoot(written, root);
  const allowed = new Uint8Array(view.fileCount);
  const languages = new Set(filters.languages.flatMap((name) => resolveLanguage(name, parts)));
  const isIn = filters.paths.length === 0 ? () => true : parts.compileGlobs(filters.paths);
  const isOut = filters.notPaths.length === 0 ? () => false : parts.compileGlobs(filters.notPaths);
  const defining =
    filters.symbols.length === 0
      ? undefined
      : new Set(filters.symbols.flatMap((name) => filesWithSymbol(view, name)));
  const kindOf = rememberKinds(parts);
  for (const segment of view.segments) {
    segment.files.forEach(({ path, language }, local) => {
      if (segment.alive[local] === 0) return;
      const number = segment.firstFile + local;
      const passes =
        (languages.size === 0 || languages.has(language)) &&
        isIn(path) &&
        !isOut(path) &&
        (defining === undefined || defining.has(number)) &&
        (filters.kinds.length === 0 || filters.kinds.some((kind) => isOfKind(kind, segment, local, kindOf)));
      if (passes) allowed[number] = 1;
    });
  }
  return allowed;
}

/** `Store.get`: the files that define a name of that spelling, or else every part of it. */
function filesWithSymbol(view: View, name: string): number[] {
  const whole = [...filesDefining(view, hashWord(name)).keys()];
  const parts = name.split(SEPARATORS).filter((part) => part !== '');
  if (whole.length > 0 || parts.length < 2 || parts.length > MOST_PARTS) return whole;
  const [first = new Set<number>(), ...others] = parts.map(
    (part) => new Set(filesDefining(view, hashWord(part)).keys()),
  );
  return [...first].filter((file) => others.every((files) => files.has(file)));
}

type KindOf = (language: string) => LanguageKind | undefined;

/** There are many files and few languages. */
function rememberKinds({ languageKind }: SearchParts): KindOf {
  const known = new Map<string, LanguageKind | undefined>();
  return (language) => {
    if (!known.has(language)) known.set(language, languageKind(language));
    return known.get(language);
  };
}

function isOfKind(kind: SearchKind, segment: PlacedSegment, local: number, kindOf: KindOf): boolean {
  const { path, language } = segment.files[local] ?? { path: '', language: '' };
  switch (kind) {
    case 'test':
      return pathFlags(path, () => false).test;
    case 'doc':
    case 'config':
    case 'code':
      return kindOf(language) === kind;
    case 'function':
    case 'class':
      return hasDefinition(segment, local, weightOf(kind));
  }
}

/** The weight of definitions of a kind, for the kinds that are about definitions. */
export function weightOf(kind: SearchKind): number {
  return kind === 'class' ? CLASS_WEIGHT : kind === 'function' ? CALLABLE_WEIGHT : 0;
}

function hasDefinition(
  { names: { offsets, weights } }: PlacedSegment,
  local: number,
  weight: number,
): boolean {
  return weights.subarray(offsets[local] ?? 0, offsets[local + 1] ?? 0).includes(weight);
}

function resolveLanguage(name: string, parts: SearchParts): readonly string[] {
  const languages = parts.languagesNamed(name);
  if (languages.length > 0) return languages;
  throw new AppError('bad_argument', `There is no language ${quoteForeign(name)} here.`, {
    hint: 'Use a name such as `typescript`, or the ending of its files, such as `ts`.',
  });
}

/** The filters `changed:` and `branch:`: narrows `allowed` to files that are not as they were committed. */
export async function keepChanged(
  allowed: Uint8Array,
  { root, view, filters: { changed, branch } }: FilterInput,
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
