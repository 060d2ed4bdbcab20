/** What a file's name says about it, before it is opened. */
import type { SkipReason } from '../../core/index.ts';
import { BINARY_EXTENSIONS, GENERATED_ENDINGS, LOCK_FILES, MINIFIED_ENDINGS } from './file-kinds.ts';

export interface Classified {
  readonly reason: SkipReason;
  readonly detail: string;
}

/** Undefined: nothing speaks against it. `path` has forward slashes. */
export function classifyName(path: string): Classified | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (LOCK_FILES.has(name)) return { reason: 'lock_file', detail: name };
  const dot = name.lastIndexOf('.');
  if (dot > 0) {
    const extension = name.slice(dot + 1);
    if (BINARY_EXTENSIONS.has(extension)) return { reason: 'binary', detail: `.${extension} file` };
  }
  const minified = MINIFIED_ENDINGS.find((ending) => name.endsWith(ending));
  if (minified !== undefined) return { reason: 'minified', detail: `name ends with ${minified}` };
  const generated = GENERATED_ENDINGS.find((ending) => name.endsWith(ending));
  if (generated !== undefined) return { reason: 'generated', detail: `name ends with ${generated}` };
  return undefined;
}
