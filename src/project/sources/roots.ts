/** Source `roots`: the folders the client says it has open. */
import type { SourceReport } from '../../core/index.ts';
import { parseFileUri } from '../file-uri.ts';
import { resolveNamedDirectory } from '../identity.ts';
import { foundIfAllowed, nothing, type SourceRules } from './report.ts';

/** What asking for roots came to. */
export type RootsAnswer =
  | { readonly kind: 'roots'; readonly uris: readonly string[] }
  | { readonly kind: 'none'; readonly reason: string };

/** The first root that is a usable directory wins; the others are the workspace. */
export function reportRoots(answer: RootsAnswer, rules: SourceRules): SourceReport {
  if (answer.kind === 'none') return nothing('roots', answer.reason);
  if (answer.uris.length === 0) return nothing('roots', 'the client has no folder open');
  const skipped: string[] = [];
  for (const [index, uri] of answer.uris.entries()) {
    const path = parseFileUri(uri);
    if (path === undefined) {
      skipped.push(`root ${index + 1} is not a file URI`);
      continue;
    }
    const named = resolveNamedDirectory(path, rules.home);
    if (named.kind === 'project')
      return foundIfAllowed('roots', named, `root ${index + 1} of ${answer.uris.length}`, rules);
    skipped.push(`root ${index + 1}: ${named.message}`);
  }
  return nothing('roots', skipped.join('; '));
}
