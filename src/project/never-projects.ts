/** Directories that are never a project, whoever says so: indexing or remembering there would be a disaster. */
import nodePath, { type PlatformPath } from 'node:path';
import { isInside, type Places } from './places.ts';

/** Directly below the root of a file system or a drive; what is inside them may be a project. */
const SYSTEM_FOLDERS =
  /^(?:home|users|root|tmp|var|etc|usr|opt|bin|sbin|lib|lib64|dev|proc|sys|run|boot|private|applications|library|system|program files|program files \(x86\)|programdata)$/i;
/** With all that is in them. */
const SYSTEM_TREES = ['windows'];
const SHARED_TEMP = ['/var/tmp', '/private/tmp', '/private/var', '/dev/shm'];

/** Why this real path can never be a project, or undefined if it can. */
export function whyNeverProject(
  root: string,
  { home, caches }: Places,
  path: PlatformPath = nodePath,
): string | undefined {
  const { root: top } = path.parse(root);
  if (root === top) return 'it is the root of the file system';
  if (isInside(root, home, path) && isInside(home, root, path)) return 'it is the home directory itself';
  const [first = ''] = root.slice(top.length).split(path.sep);
  const isSystem = path.dirname(root) === top && SYSTEM_FOLDERS.test(first);
  const inSystem = path.sep === '\\' && SYSTEM_TREES.includes(first.toLowerCase());
  if (isSystem || inSystem || SHARED_TEMP.includes(root)) return 'it is a system directory';
  const cache = caches.find((folder) => isInside(root, folder, path));
  if (cache === undefined) return undefined;
  const shown = isInside(cache, home, path) ? `~${cache.slice(home.length)}` : cache;
  return `it lies in a folder of caches or plugins (${shown})`;
}
