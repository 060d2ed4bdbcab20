/** Why a path is or is not listed: the same decisions as the listing, for one path, with the rule that made them. */
import { closeSync, readSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Skip } from '../../core/index.ts';
import type { RuleReference } from '../ignore/scope.ts';
import { openSource } from '../reading/read-source.ts';
import { classifyContent } from './classify-content.ts';
import { lookAt, rootPlace, unreadableRoot } from './list-files.ts';
import { type Entry, type Folder, openFolder } from './folder.ts';
import { judgeEntry, judgeInside, skippedPath, type Judgement } from './judge-entry.ts';
import { createListContext, type ListContext, type ListOptions } from './list-options.ts';

export type PathExplanation =
  /** `rule`: the negated one that kept it, where there is one. Folders are listed when they are entered. */
  | { readonly kind: 'listed'; readonly path: string; readonly rule: RuleReference | undefined }
  /** `skip.path` may be a folder around the path, with a slash at its end. */
  | { readonly kind: 'skipped'; readonly skip: Skip; readonly rule: RuleReference | undefined }
  | { readonly kind: 'missing'; readonly path: string }
  | { readonly kind: 'outside'; readonly path: string };

const HEAD_BYTES = 64 * 1024;

/** `path` is relative to the root, or absolute. */
export function explainPath(root: string, path: string, options: ListOptions = {}): PathExplanation {
  const inside = relative(root, resolve(root, path)).split(sep).join('/');
  if (inside === '..' || inside.startsWith('../') || isAbsolute(inside)) return { kind: 'outside', path };
  const context = createListContext(root, options);
  const opened = openFolder(context, rootPlace(context));
  if (opened.kind === 'failed') throw unreadableRoot(root);
  let { folder } = opened;
  let rule: RuleReference | undefined;
  const names = inside === '' ? [] : inside.split('/');
  for (const [index, name] of names.entries()) {
    const entry = folder.entries.find((one) => one.name === name);
    if (entry === undefined) return { kind: 'missing', path: inside };
    const step = takeStep(context, folder, entry);
    if (step.kind === 'skipped') return step;
    rule = step.rule;
    if (step.kind === 'file')
      return index === names.length - 1 ? step.answer : { kind: 'missing', path: inside };
    folder = step.folder;
  }
  return { kind: 'listed', path: inside === '' ? '' : `${inside}/`, rule };
}

type Taken = Extract<Judgement, { kind: 'take' }>;
type Skipped = Extract<PathExplanation, { kind: 'skipped' }>;
type Step =
  | Skipped
  | { readonly kind: 'file'; readonly answer: PathExplanation; readonly rule: RuleReference | undefined }
  | { readonly kind: 'folder'; readonly folder: Folder; readonly rule: RuleReference | undefined };

function takeStep(context: ListContext, folder: Folder, entry: Entry): Step {
  const path = folder.path + entry.name;
  const shown = entry.kind === 'folder' ? `${path}/` : path;
  const judgement = judgeEntry(context, folder, entry);
  const { rule } = judgement;
  if (judgement.kind === 'skip') {
    return {
      kind: 'skipped',
      skip: {
        path: skippedPath(folder, entry, judgement),
        reason: judgement.reason,
        detail: judgement.detail,
      },
      rule,
    };
  }
  if (entry.kind === 'file') return { kind: 'file', answer: explainFile(context, path, judgement), rule };
  const { scope, depth } = folder;
  const opened = openFolder(context, {
    path: shown,
    depth: depth + 1,
    scope,
    isIncluded: judgement.isIncluded,
  });
  if (opened.kind === 'failed') {
    return { kind: 'skipped', skip: { path: shown, reason: 'unreadable', detail: opened.why }, rule };
  }
  const why = judgement.isAskedFor ? undefined : judgeInside(entry.name, opened.folder.entries);
  if (why !== undefined) {
    return { kind: 'skipped', skip: { path: shown, reason: 'excluded_by_default', detail: why }, rule };
  }
  return { kind: 'folder', folder: opened.folder, rule };
}

function explainFile(context: ListContext, path: string, judgement: Taken): PathExplanation {
  const { rule, isAskedFor } = judgement;
  const found = lookAt(context, path, isAskedFor);
  if (found === undefined || found.kind === 'notice') return { kind: 'missing', path };
  if (found.kind === 'skip') return { kind: 'skipped', skip: found.skip, rule };
  const head = readHead(context.root, path);
  if (head === undefined) {
    return { kind: 'skipped', skip: { path, reason: 'unreadable', detail: undefined }, rule };
  }
  const classified = classifyContent(head, path);
  const isKept = isAskedFor && classified?.reason !== 'binary';
  if (classified !== undefined && !isKept) return { kind: 'skipped', skip: { path, ...classified }, rule };
  return { kind: 'listed', path, rule };
}

function readHead(realRoot: string, path: string): Uint8Array | undefined {
  const fd = openSource({ realRoot, absPath: `${realRoot}/${path}` });
  if (fd === undefined) return undefined;
  try {
    const buffer = Buffer.alloc(HEAD_BYTES);
    return buffer.subarray(0, readSync(fd, buffer, 0, HEAD_BYTES, 0));
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}
