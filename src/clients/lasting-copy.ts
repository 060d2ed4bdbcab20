/** Paths that still hold tomorrow: a package runner's cache is emptied some day, a folder of a package manager renamed. */
import { dirname, join, sep } from 'node:path';
import { copyFolder, findProgram, pathExists, realPath, removeFolder, type Ids } from '../platform/index.ts';
import type { Places } from './client.ts';

export interface RunningProgram {
  readonly node: string;
  /** The script that runs now, links followed. */
  readonly script: string;
}

/** Whether the script lies in the cache of a package runner. */
export function isPassing(script: string): boolean {
  return ['_npx', 'dlx', 'bunx'].some((folder) => script.split(sep).includes(folder));
}

/** Where the lasting copy of a version belongs. */
export function copyPlace(dataDir: string, version: string): string {
  return join(dataDir, 'app', version, 'node_modules');
}

/** The script in the copy. */
export function lastingScript(script: string, place: string): string {
  return join(place, script.slice(modulesOf(script).length + 1));
}

/**
 * Copies the package and all it needs out of the runner's cache. A version that was copied before is kept as it is.
 * Nothing is downloaded.
 */
export function makeLasting(script: string, place: string, ids: Ids): void {
  if (pathExists(lastingScript(script, place))) return;
  copyFolder(modulesOf(script), place, ids, ['.bin', '.cache', '.package-lock.json']);
}

/** Removes the copies of all versions, once no client starts them any more. True if there were any. */
export function dropCopies(dataDir: string): boolean {
  const folder = join(dataDir, 'app');
  if (!pathExists(folder)) return false;
  removeFolder(folder);
  return true;
}

/** The outermost node_modules that holds the script. */
function modulesOf(script: string): string {
  const mark = `${sep}node_modules${sep}`;
  const at = script.indexOf(mark);
  return at === -1 ? dirname(script) : script.slice(0, at + mark.length - 1);
}

/** Homebrew puts each version of Node in a folder of its own and removes it at the next; the link beside it stays. */
export function lastingNode({ node }: RunningProgram, places: Places): string {
  if (!node.split(sep).includes('Cellar')) return node;
  const linked = findProgram('node', { path: places.env['PATH'] });
  return linked !== undefined && realPath(linked) === realPath(node) ? linked : node;
}
