/** A folder that is being listed: its entries and the rules that hold inside it. */
import { foldAscii, toByteText } from '../ignore/byte-text.ts';
import { readRuleFile } from '../ignore/read-rule-file.ts';
import { RULE_FILE_NAMES, withFolderFile, type RuleScope } from '../ignore/scope.ts';
import type { ListContext } from './list-options.ts';
import { findNestedRepository, nestedScope } from './nested-repository.ts';
import { dotEntry, readFolder, type Entry } from './read-folder.ts';

export interface Folder {
  /** From the root, with a slash at its end; empty for the root. */
  readonly path: string;
  /** The path as rules look at it: from the top of the repository, in byte text, folded where cases are. */
  readonly rulePath: string;
  readonly depth: number;
  readonly entries: readonly Entry[];
  readonly scope: RuleScope;
  /** It, or a folder around it, matches an `include` glob. */
  readonly isIncluded: boolean;
}

export type OpenedFolder =
  | { readonly kind: 'open'; readonly folder: Folder; readonly notices: readonly string[] }
  | { readonly kind: 'failed'; readonly why: string };

export interface FolderPlace {
  readonly path: string;
  readonly depth: number;
  /** The rules around it. */
  readonly scope: RuleScope;
  readonly isIncluded: boolean;
}

/** `beforeRules` hears of the entries before the rule files among them are read. */
export function openFolder(
  context: ListContext,
  place: FolderPlace,
  beforeRules?: (entries: readonly Entry[]) => void,
): OpenedFolder {
  const read = readFolder(`${context.root}/${place.path}`);
  if (read.kind === 'failed') return read;
  beforeRules?.(read.entries);
  const isTop = dotEntry(read.entries, '.git') !== undefined;
  const nested = isTop ? findNestedRepository(context, place.path) : undefined;
  const around = nested === undefined ? undefined : nestedScope(context, place, nested);
  let { scope } = around ?? place;
  const notices = [...(around?.notices ?? [])];
  const { prefix, fold } = context.outside;
  const rulePath = prefix + toByteText(place.path);
  for (const name of RULE_FILE_NAMES) {
    if (dotEntry(read.entries, name)?.kind !== 'file') continue;
    const label = `${place.path}${name}`;
    const base = rulePath.slice(0, -1);
    const file = readRuleFile({ absPath: `${context.root}/${label}`, label, base, fold, links: 'refuse' });
    if (file === undefined) continue;
    scope = withFolderFile(scope, name, file);
    if (file.notice !== undefined) notices.push(file.notice);
  }
  return {
    kind: 'open',
    folder: { ...place, rulePath: fold ? foldAscii(rulePath) : rulePath, entries: read.entries, scope },
    notices,
  };
}
