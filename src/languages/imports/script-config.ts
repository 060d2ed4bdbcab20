/** What tsconfig.json, jsconfig.json and package.json say about imports. */
import { fieldsOf, readJsonFields, textOf } from './read-json.ts';
import { folderOf, joinInside } from './project-files.ts';

export interface PathRules {
  /** Folder that bare names may start from; absent when the configuration names none. */
  readonly baseFolder: string | undefined;
  /** Patterns with at most one `*`, as written, and what they stand for, from the root. */
  readonly patterns: readonly { readonly from: string; readonly to: readonly string[] }[];
}

export interface WorkspacePackage {
  readonly name: string;
  readonly folder: string;
  /** What its package.json names as its source or entry, from the root. */
  readonly entries: readonly string[];
  /** What its own files may import by names that begin with `#`, from the root. */
  readonly own: readonly { readonly from: string; readonly to: readonly string[] }[];
  /** What others may import from it: the path behind its name, with at most one `*`, and what that stands for. */
  readonly exported: readonly { readonly from: string; readonly to: readonly string[] }[];
}

const MOST_EXTENDS = 5;

/** With what it extends inside the project. */
export function readPathRules(
  configs: ReadonlyMap<string, string>,
  path: string,
  depth = 0,
): PathRules | undefined {
  const config = readJsonFields(configs.get(path) ?? '');
  if (config === undefined) return undefined;
  const folder = folderOf(path);
  const options = fieldsOf(config['compilerOptions']);
  const base = textOf(options?.['baseUrl']);
  const baseFolder = base === undefined ? undefined : joinInside(folder, base);
  const paths = fieldsOf(options?.['paths']);
  const patterns = Object.entries(paths ?? {}).map(([from, to]) => ({
    from,
    to: listOf(to).flatMap((target) => joinInside(baseFolder ?? folder, target) ?? []),
  }));
  const parent = depth < MOST_EXTENDS ? parentOf(configs, folder, config['extends']) : undefined;
  const inherited = parent === undefined ? undefined : readPathRules(configs, parent, depth + 1);
  return {
    baseFolder: baseFolder ?? inherited?.baseFolder,
    patterns: paths === undefined ? (inherited?.patterns ?? []) : patterns,
  };
}

function parentOf(configs: ReadonlyMap<string, string>, folder: string, value: unknown): string | undefined {
  const named = textOf(value) ?? listOf(value).at(-1);
  if (named === undefined || !named.startsWith('.')) return undefined;
  const path = joinInside(folder, named);
  return [path, `${path}.json`].find((candidate) => candidate !== undefined && configs.has(candidate));
}

export function readWorkspacePackage(path: string, text: string): WorkspacePackage | undefined {
  const manifest = readJsonFields(text);
  const name = textOf(manifest?.['name']);
  if (manifest === undefined) return undefined;
  const folder = folderOf(path);
  const named = ['source', 'types', 'module', 'main'].map((key) => textOf(manifest?.[key]));
  const entries = named.flatMap((entry) => (entry === undefined ? [] : (joinInside(folder, entry) ?? [])));
  return {
    name: name ?? '',
    folder,
    entries,
    own: targetsIn(manifest?.['imports'], folder),
    exported: targetsIn(manifest?.['exports'], folder).map(({ from, to }) => ({
      from: from.replace(/^\.\/?/, ''),
      to,
    })),
  };
}

const MOST_CONDITIONS = 50;

/** `imports` and `exports` of package.json: every file that a condition names, in their order. */
function targetsIn(value: unknown, folder: string): { from: string; to: readonly string[] }[] {
  const map = fieldsOf(value);
  const isMap = map !== undefined && Object.keys(map).every((key) => /^[.#]/.test(key));
  const entries: [string, unknown][] = isMap ? Object.entries(map) : [['.', value]];
  return entries.map(([from, targets]) => ({
    from,
    to: textsIn(targets).flatMap((target) => joinInside(folder, target) ?? []),
  }));
}

function textsIn(value: unknown): string[] {
  const found: string[] = [];
  const open: unknown[] = [value];
  for (let steps = 0; open.length > 0 && steps < MOST_CONDITIONS; steps++) {
    const next = open.shift();
    if (typeof next === 'string') found.push(next);
    else open.push(...(Array.isArray(next) ? next : Object.values(fieldsOf(next) ?? {})));
  }
  return found;
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
