/** What a file's name says about it, before it is opened. */
import type { SkipReason } from '../../core/index.ts';
import { BINARY_EXTENSIONS, GENERATED_ENDINGS, LOCK_FILES, MINIFIED_ENDINGS } from './file-kinds.ts';

export interface Classified {
  readonly reason: SkipReason;
  readonly detail: string;
}

/** By a name's last extension, so that most names are compared with nothing. */
const ENDINGS: ReadonlyMap<string, readonly (Classified & { readonly ending: string })[]> = groupEndings();

/** Undefined: nothing speaks against it. */
export function classifyName(written: string): Classified | undefined {
  const name = written.toLowerCase();
  if (LOCK_FILES.has(name)) return { reason: 'lock_file', detail: name };
  const dot = name.lastIndexOf('.');
  if (dot <= 0) return undefined;
  const extension = name.slice(dot + 1);
  if (BINARY_EXTENSIONS.has(extension)) return { reason: 'binary', detail: `.${extension} file` };
  const found = ENDINGS.get(extension)?.find(({ ending }) => name.endsWith(ending));
  return found === undefined ? undefined : { reason: found.reason, detail: found.detail };
}

function groupEndings(): Map<string, (Classified & { ending: string })[]> {
  const groups = new Map<string, (Classified & { ending: string })[]>();
  const add = (reason: SkipReason, ending: string): void => {
    const extension = ending.slice(ending.lastIndexOf('.') + 1);
    const group = groups.get(extension) ?? [];
    group.push({ reason, ending, detail: `name ends with ${ending}` });
    groups.set(extension, group);
  };
  for (const ending of MINIFIED_ENDINGS) add('minified', ending);
  for (const ending of GENERATED_ENDINGS) add('generated', ending);
  return groups;
}
