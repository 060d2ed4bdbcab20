/** Copies of what is indexed: nothing is written into the repositories, and no rules of a folder above apply. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Tree {
  readonly name: string;
  /** The folder that is indexed. */
  readonly root: string;
}

export interface CopyOptions {
  /** A folder of NAME.json files whose `index_root` names the only folder to index. */
  readonly annotations: string | undefined;
  readonly only: readonly string[] | undefined;
}

export function copyTrees(repos: string, options: CopyOptions, to: string): readonly Tree[] {
  const { annotations, only } = options;
  return readdirSync(repos, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && (only?.includes(entry.name) ?? true))
    .map(({ name }) => {
      const from = join(repos, name, indexRoot(annotations, name));
      const root = join(to, name);
      // Times stay: a file that was just written is read twice.
      cpSync(from, root, { recursive: true, preserveTimestamps: true });
      return { name, root };
    });
}

function indexRoot(annotations: string | undefined, name: string): string {
  const file = annotations === undefined ? undefined : join(annotations, `${name}.json`);
  if (file === undefined || !existsSync(file)) return '';
  const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const found: unknown =
    typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, 'index_root') : undefined;
  return typeof found === 'string' ? found : '';
}

/** All of them side by side, as one project. */
export function joinTrees(trees: readonly Tree[], root: string): Tree {
  for (const { name, root: from } of trees) {
    cpSync(from, join(root, name), { recursive: true, preserveTimestamps: true });
  }
  return { name: 'all of them as one', root };
}

/** A project of this many source files, taken from the trees. */
export function takeFiles(trees: readonly Tree[], count: number, root: string): Tree {
  let taken = 0;
  for (const { name, root: from } of trees) {
    for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
      if (taken >= count) break;
      if (
        !entry.isFile() ||
        !/\.(?:[jt]s|py|go|rs|java|kt|scala|[ch]|cs|php|rb|hs|lua|zig|swift|ex)$/.test(entry.name)
      )
        continue;
      const absPath = join(entry.parentPath, entry.name);
      const folder = join(root, name, String(taken % 50));
      mkdirSync(folder, { recursive: true });
      cpSync(absPath, join(folder, `${taken}-${entry.name}`), { preserveTimestamps: true });
      taken += 1;
    }
  }
  return { name: `${taken} files`, root };
}
