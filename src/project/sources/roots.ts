/** Source `roots`: the folders the client says it has open. */
import type { Project, Silence, SourceReport } from '../../core/index.ts';
import { parseFileUri } from '../file-uri.ts';
import { resolveOpenDirectory } from '../identity.ts';
import { forbidden, found, nothing, resolveAllowed, type NamedProject, type SourceRules } from './report.ts';

/** What asking for roots came to. */
export type RootsAnswer =
  | {
      readonly kind: 'roots';
      readonly uris: readonly string[];
      /** The client did not answer this time: these are the roots it told last. */
      readonly earlier?: boolean;
    }
  | { readonly kind: 'none'; readonly reason: string; readonly silence?: Silence };

/** Hears of each root that was passed over; `root` counts from 1. */
export type OnSkippedRoot = (root: number, reason: string) => void;

/** A client may say anything, and each root costs a look at the disk. */
const MAX_ROOTS = 100;

/** The first root that is a usable directory wins; all of them are the workspace. */
export function reportRoots(
  answer: RootsAnswer,
  rules: SourceRules,
  onSkipped: OnSkippedRoot = () => {},
): SourceReport {
  if (answer.kind === 'none') return nothing('roots', answer.reason, answer.silence);
  if (answer.uris.length === 0) return nothing('roots', 'the client has no folder open');
  const skipped: string[] = [];
  const usable: { readonly root: number; readonly named: NamedProject }[] = [];
  for (const [index, uri] of answer.uris.slice(0, MAX_ROOTS).entries()) {
    const path = parseFileUri(uri);
    const named =
      path === undefined
        ? ({ kind: 'unusable', message: 'not a file URI of this machine' } as const)
        : resolveAllowed(path, resolveOpenDirectory, rules);
    // To go on to the next root would answer from a folder that is not the one the user works in.
    if (named === 'forbidden' && usable.length === 0) return forbidden('roots', path ?? uri);
    if (named !== 'forbidden' && named.kind === 'project') {
      usable.push({ root: index + 1, named });
      continue;
    }
    const reason = named === 'forbidden' ? 'outside the folders this server allows' : named.message;
    skipped.push(`root ${index + 1}: ${reason}`);
    onSkipped(index + 1, reason);
  }
  const unseen = answer.uris.length - MAX_ROOTS;
  const [first] = usable;
  if (unseen > 0) skipped.push(`${unseen} more roots are not looked at`);
  if (first === undefined) return nothing('roots', skipped.join('; '));
  const earlier = answer.earlier === true ? ', as the client told earlier' : '';
  const limit = unseen > 0 ? `, of which ${MAX_ROOTS} are looked at` : '';
  const { inside } = first.named;
  const around = inside === undefined ? '' : `, ${inside}, which lies in this repository`;
  const via = `root ${first.root} of ${answer.uris.length}${limit}${earlier}${around}`;
  return { ...found('roots', first.named, via), workspace: toWorkspace(usable) };
}

function toWorkspace(usable: readonly { readonly named: NamedProject }[]): readonly Project[] {
  return [...new Map(usable.map(({ named }) => [named.project.root, named.project])).values()];
}
