/** The globs of the configuration: the syntax of ignore files, and `{a,b}` besides. */
import { toByteText, foldAscii } from './byte-text.ts';
import { compilePattern, matchPattern, type Pattern, type Subject } from './pattern.ts';
import type { StepBudget } from './wildcards.ts';

export interface Glob {
  /** As the user wrote it. */
  readonly written: string;
  readonly pattern: Pattern;
  /** Folders that the pattern names outright, each with what must match up to it: `a/*` and `build` of `a/*` `/build/**`. */
  readonly named: readonly { readonly name: string; readonly upTo: Pattern }[];
  /** The folders before the first wildcard; undefined if the pattern may match anywhere. */
  readonly anchor: string | undefined;
}

const MAX_ALTERNATIVES = 64;

export function compileGlobs(globs: readonly string[], fold: boolean): readonly Glob[] {
  return globs.flatMap((written) =>
    expandGlob(written).map((text) => compileGlob(written, toByteText(text), fold)),
  );
}

/** As ignore files would write it: without `./` and braces. */
export function expandGlob(written: string): readonly string[] {
  return expandBraces(written.replace(/^(!?)\.\//, '$1/'));
}

function compileGlob(written: string, text: string, fold: boolean): Glob {
  const pattern = compilePattern(text, { fold });
  const body = text.replace(/^!/, '').replace(/^\/|\/$/g, '');
  const parts = body.split('/');
  const isLiteral = (part: string): boolean => !/[*?[\\]/.test(part);
  const named = parts.flatMap((part, index) => {
    if (!isLiteral(part)) return [];
    const slash = parts.length > 1 || /^!?\//.test(text) ? '/' : '';
    const upTo = compilePattern(`${slash}${parts.slice(0, index + 1).join('/')}`, { fold });
    return [{ name: fold ? foldAscii(part) : part, upTo }];
  });
  const isAnchored =
    pattern.test.kind === 'path' || (pattern.test.kind === 'wild' && pattern.test.subject === 'path');
  const firstWild = parts.findIndex((part) => !isLiteral(part));
  const before = parts.slice(0, firstWild === -1 ? parts.length : firstWild).join('/');
  return { written, pattern, named, anchor: isAnchored ? (fold ? foldAscii(before) : before) : undefined };
}

/** The glob that decides about this path; a later one wins over an earlier one, and `!` takes back. */
export function findGlob(globs: readonly Glob[], subject: Subject, budget: StepBudget): Glob | undefined {
  const found = globs.findLast(({ pattern }) => matchPattern(pattern, subject, budget));
  return found === undefined || found.pattern.negated ? undefined : found;
}

/** Does a glob name this very folder, rather than reach it by wildcards? */
export function namesFolder(globs: readonly Glob[], subject: Subject, budget: StepBudget): boolean {
  return globs.some(
    ({ pattern, named }) =>
      !pattern.negated &&
      named.some(({ name, upTo }) => name === subject.name && matchPattern(upTo, subject, budget)),
  );
}

/** Could one of the globs match something inside this folder? */
export function mayMatchInside(globs: readonly Glob[], folder: string): boolean {
  return globs.some(
    ({ anchor, pattern }) =>
      !pattern.negated &&
      (anchor === undefined || anchor === '' || isWithin(anchor, folder) || isWithin(folder, anchor)),
  );
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** `*.{ts,tsx}` → `*.ts`, `*.tsx`. Too many alternatives, or none: the text is taken as it is. */
function expandBraces(text: string): readonly string[] {
  let open = [text];
  const done: string[] = [];
  while (open.length > 0 && open.length + done.length <= MAX_ALTERNATIVES) {
    const next: string[] = [];
    for (const one of open) {
      const group = /\{([^{}]*,[^{}]*)\}/.exec(one);
      if (group === null) done.push(one);
      else {
        const [whole, inside = ''] = group;
        const end = group.index + whole.length;
        for (const choice of inside.split(','))
          next.push(one.slice(0, group.index) + choice + one.slice(end));
      }
    }
    open = next;
  }
  return open.length > 0 ? [text] : done;
}
