/** Paths that stay valid: a package runner empties its cache, and a package manager renames its folders. */
import { dirname, join, sep } from 'node:path';
import * as z from 'zod';
import {
  copyFolder,
  digestFile,
  filesBelow,
  findProgram,
  pathExists,
  pathFacts,
  readableNames,
  readTextIfPresent,
  realPath,
  removeEmptyFolders,
  removeIfPresent,
  writePrivateText,
  type Ids,
} from '../platform/index.ts';
import type { Places } from './client.ts';

/** Beside the copy. */
const LIST = 'copied.json';
const MOST_LIST_BYTES = 16 * 1024 * 1024;

interface RunningProgram {
  readonly node: string;
  /** The script that runs now, links followed. */
  readonly script: string;
}

/** Whether the script lies in the cache of a package runner. */
export function isTemporaryInstall(script: string): boolean {
  return script.split(sep).some((folder) => /^(?:_npx|dlx(?:-\d+)?|bunx(?:-.*)?)$/.test(folder));
}

/** Where the permanent copy of a version belongs. */
export function copyPlace(dataDir: string, version: string): string {
  return join(dataDir, 'app', version, 'node_modules');
}

/** The script in the copy. */
export function scriptInCopy(script: string, place: string): string {
  return join(place, script.slice(modulesOf(script).length + 1));
}

/**
 * Copies the package and all it needs out of the runner's cache. A version that was copied before is kept as it is.
 * Nothing is downloaded.
 */
export function makePermanentCopy(script: string, place: string, ids: Ids): void {
  if (pathExists(scriptInCopy(script, place))) return;
  copyFolder(modulesOf(script), place, ids, ['.bin', '.cache', '.package-lock.json']);
  listCopy(place);
}

/** Records what was copied, so that uninstall deletes this and nothing else. */
export function listCopy(place: string): void {
  const digests = filesBelow(place).map(
    (path) => [path, digestFile(join(place, ...path.split('/')))] as const,
  );
  writePrivateText(
    join(dirname(place), LIST),
    `${JSON.stringify({ version: 1, files: Object.fromEntries(digests) })}\n`,
  );
}

interface DroppedCopies {
  /** Whether anything was removed. */
  readonly removed: boolean;
  /** What is still there: it was not copied by us, or was changed since. */
  readonly left: readonly string[];
}

/** Removes the copies of all versions, file by file as they were noted, once no client starts them any more. */
export function dropCopies(dataDir: string): DroppedCopies {
  const app = join(dataDir, 'app');
  if (pathFacts(app)?.kind !== 'directory') return { removed: false, left: [] };
  let removed = false;
  for (const version of readableNames(app)) {
    const list = join(app, version, LIST);
    const files = pathFacts(join(app, version))?.kind === 'directory' ? readList(list) : undefined;
    if (files === undefined) continue;
    for (const [path, digest] of files) {
      const absPath = join(app, version, 'node_modules', ...path.split('/'));
      // A link on the way would lead to a file elsewhere.
      if (realPath(absPath) !== join(realPath(app) ?? app, version, 'node_modules', ...path.split('/')))
        continue;
      if (digestFile(absPath) !== digest) continue;
      removeIfPresent(absPath);
      removed = true;
    }
    removeIfPresent(list);
  }
  return { removed, left: removeEmptyFolders(app) ? [] : leftIn(app) };
}

function leftIn(app: string): readonly string[] {
  return readableNames(app).map((version) => join(app, version));
}

const listShape = z.object({ version: z.literal(1), files: z.record(z.string(), z.string()) });

function readList(absPath: string): readonly (readonly [string, string])[] | undefined {
  try {
    const { files } = listShape.parse(
      JSON.parse(readTextIfPresent(absPath, { maxBytes: MOST_LIST_BYTES }) ?? ''),
    );
    return Object.entries(files).filter(([path]) => !path.split('/').includes('..'));
  } catch {
    return undefined;
  }
}

/** The outermost node_modules that holds the script. */
function modulesOf(script: string): string {
  const mark = `${sep}node_modules${sep}`;
  const at = script.indexOf(mark);
  return at === -1 ? dirname(script) : script.slice(0, at + mark.length - 1);
}

/** Homebrew removes the folder of a Node version at the next update; the link to the current one stays. */
export function stableNodePath({ node }: RunningProgram, places: Places): string {
  if (!node.split(sep).includes('Cellar')) return node;
  const linked = findProgram('node', { path: places.env['PATH'] });
  return linked !== undefined && realPath(linked) === realPath(node) ? linked : node;
}
