/** Is this entry listed, and if not, why? Decided from names and rules alone; nothing is opened. */
import type { SkipReason } from '../../core/index.ts';
import { foldAscii, toByteText } from '../ignore/byte-text.ts';
import { findGlob, mayMatchInside, namesFolder } from '../ignore/globs.ts';
import type { Subject } from '../ignore/pattern.ts';
import { findRule, renderRule, type RuleReference } from '../ignore/scope.ts';
import { classifyName } from './classify-name.ts';
import {
  EXCLUDED_FOLDER_AFFIXES,
  EXCLUDED_FOLDERS,
  TELLING_ENTRIES,
  VERSION_CONTROL,
  WITNESSED_FOLDERS,
} from './default-excludes.ts';
import type { Folder } from './folder.ts';
import type { ListContext } from './list-options.ts';
import type { Entry } from './read-folder.ts';
import { secretFileKind } from './secret-files.ts';

export type Judgement =
  | {
      readonly kind: 'take';
      /** What is left out by default was asked for. */
      readonly isAskedFor: boolean;
      readonly isIncluded: boolean;
      /** The rule that kept it. */
      readonly rule: RuleReference | undefined;
    }
  | {
      readonly kind: 'skip';
      readonly reason: SkipReason;
      readonly detail: string | undefined;
      readonly rule: RuleReference | undefined;
    };

export function judgeEntry(context: ListContext, folder: Folder, entry: Entry): Judgement {
  if (entry.isUndecodable) return skip('undecodable_name', 'not UTF-8');
  if (entry.kind === 'link') return skip('symlink', undefined);
  if (entry.kind === 'other') return skip('not_regular', undefined);
  if (VERSION_CONTROL.has(entry.name)) return skip('excluded_by_default', 'version control');
  const subject = toSubject(context, folder, entry);
  const above = context.outside.prefix.length;
  const inProject = above === 0 ? subject : { ...subject, path: subject.path.slice(above) };
  const excluded = findGlob(context.exclude, inProject, context.budget);
  if (excluded !== undefined) return skip('excluded_by_config', `exclude ${excluded.written}`);
  const rule = findRule(folder.scope, subject, context.budget);
  if (rule?.negated === false) return { ...skip('ignored', renderRule(rule)), rule };
  return entry.kind === 'folder'
    ? judgeFolder(context, { folder, entry, subject: inProject, rule })
    : judgeFile(context, { folder, entry, subject: inProject, rule });
}

interface Judged {
  readonly folder: Folder;
  readonly entry: Entry;
  readonly subject: Subject;
  readonly rule: RuleReference | undefined;
}

function judgeFolder(context: ListContext, { folder, entry, subject, rule }: Judged): Judgement {
  const { include, budget } = context;
  const isAskedFor = rule?.isOurs === true || namesFolder(include, subject, budget);
  const why = isAskedFor ? undefined : defaultExclude(entry.name, folder.entries);
  if (why !== undefined) return skip('excluded_by_default', why);
  const isIncluded = folder.isIncluded || findGlob(include, subject, budget) !== undefined;
  if (!isIncluded && !mayMatchInside(include, subject.path)) {
    return skip('not_included', 'no include glob leads here');
  }
  if (folder.depth >= context.maxDepth) {
    return skip('excluded_by_default', `more than ${context.maxDepth} folders deep`);
  }
  return { kind: 'take', isAskedFor, isIncluded, rule };
}

function judgeFile(context: ListContext, { folder, entry, subject, rule }: Judged): Judgement {
  const secret = secretFileKind(entry.name, folder.path);
  if (secret !== undefined) return skip('secret_file', secret);
  const isAskedFor = rule?.isOurs === true;
  const known = isAskedFor ? undefined : classifyName(entry.name);
  if (known !== undefined) return skip(known.reason, known.detail);
  if (!folder.isIncluded && findGlob(context.include, subject, context.budget) === undefined) {
    return skip('not_included', 'matches no include glob');
  }
  const language = context.otherLanguage?.(entry.name);
  if (language !== undefined) return skip('other_language', language);
  return { kind: 'take', isAskedFor, isIncluded: true, rule };
}

/** Why a folder of this name, beside these entries, is left out. */
function defaultExclude(name: string, beside: readonly Entry[]): string | undefined {
  const known =
    EXCLUDED_FOLDERS.get(name) ??
    EXCLUDED_FOLDER_AFFIXES.find(({ prefix, suffix }) => name.startsWith(prefix) && name.endsWith(suffix))
      ?.why;
  if (known !== undefined) return known;
  const witnesses = WITNESSED_FOLDERS.get(name);
  const witness = witnesses?.beside.find((wanted) =>
    beside.some((entry) =>
      wanted.startsWith('*') ? entry.name.endsWith(wanted.slice(1)) : entry.name === wanted,
    ),
  );
  return witness === undefined ? undefined : `${witnesses?.why ?? ''}: beside ${witness}`;
}

/** Why a folder with these entries is left out, although its name and its neighbours did not say so. */
export function judgeInside(name: string, entries: readonly Entry[]): string | undefined {
  const witnesses = WITNESSED_FOLDERS.get(name);
  for (const entry of entries) {
    const why = TELLING_ENTRIES.get(entry.name);
    if (why !== undefined) return `${why}: holds ${entry.name}`;
    if (witnesses?.inside.includes(entry.name) === true) return `${witnesses.why}: holds ${entry.name}`;
  }
  return undefined;
}

function toSubject({ outside }: ListContext, folder: Folder, entry: Entry): Subject {
  const bytes = toByteText(entry.name);
  const name = outside.fold ? foldAscii(bytes) : bytes;
  return { path: folder.rulePath + name, name, isFolder: entry.kind === 'folder' };
}

function skip(reason: SkipReason, detail: string | undefined): Extract<Judgement, { kind: 'skip' }> {
  return { kind: 'skip', reason, detail, rule: undefined };
}
