/**
 * The rule files that speak about a folder's entries, strongest first: `.waymarkignore`, `.ignore`, `.gitignore` (each from
 * the deepest folder up), the repository's `info/exclude`, the user's global excludes. The first file with a matching rule
 * decides. A folder that is left out is never entered, so no deeper negation can bring its files back, as in git.
 */
import { fromByteText, type Subject } from './pattern.ts';
import type { RuleFile } from './rule-file.ts';
import type { StepBudget } from './wildcards.ts';

/** From the strongest to the weakest. */
export const RULE_FILE_NAMES = ['.waymarkignore', '.ignore', '.gitignore'] as const;
export type RuleFileName = (typeof RULE_FILE_NAMES)[number];

/** Which line of which file decided. */
export interface RuleReference {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly pattern: string;
  readonly negated: boolean;
  /** Written for Waymark or for search tools, not only for git. */
  readonly isOurs: boolean;
}

interface RankedFile extends RuleFile {
  /** Index in RULE_FILE_NAMES; beyond them for files that belong to no folder. */
  readonly rank: number;
}

export interface RuleScope {
  /** Strongest first. */
  readonly files: readonly RankedFile[];
}

export const EMPTY_SCOPE: RuleScope = { files: [] };

/** A file that holds everywhere and gives way to every other: each one added is stronger than the one before. */
export function withEverywhere(scope: RuleScope, file: RuleFile | undefined): RuleScope {
  if (file === undefined) return scope;
  return { files: [{ ...file, rank: RULE_FILE_NAMES.length }, ...scope.files] };
}

/** The scope inside a folder with a rule file of its own. */
export function withFolderFile(scope: RuleScope, name: RuleFileName, file: RuleFile): RuleScope {
  const rank = RULE_FILE_NAMES.indexOf(name);
  const weaker = scope.files.findIndex((other) => other.rank >= rank);
  const at = weaker === -1 ? scope.files.length : weaker;
  return { files: scope.files.toSpliced(at, 0, { ...file, rank }) };
}

/** What was written for Waymark or for search tools. */
export function onlyOurs(scope: RuleScope): RuleScope {
  return { files: scope.files.filter(isOurs) };
}

function isOurs({ rank }: RankedFile): boolean {
  return rank < RULE_FILE_NAMES.indexOf('.gitignore');
}

/** `subject.path` is relative to the top that the files' bases are relative to. */
export function findRule(scope: RuleScope, subject: Subject, budget: StepBudget): RuleReference | undefined {
  for (const file of scope.files) {
    const path = file.base === '' ? subject.path : subject.path.slice(file.base.length + 1);
    const rule = file.find(
      file.base === '' ? subject : { path, name: subject.name, isFolder: subject.isFolder },
      budget,
    );
    if (rule === undefined) continue;
    return {
      file: file.label,
      line: rule.line,
      pattern: fromByteText(rule.text),
      negated: rule.negated,
      isOurs: isOurs(file),
    };
  }
  return undefined;
}

const MAX_SHOWN = 120;

/** `.gitignore:3 *.log` */
export function renderRule({ file, line, pattern }: RuleReference): string {
  return `${file}:${line} ${pattern.length > MAX_SHOWN ? `${pattern.slice(0, MAX_SHOWN)}…` : pattern}`;
}
