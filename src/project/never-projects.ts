/** Directories that are never a project, whoever says so: indexing or remembering there would be a disaster. */
import { basename, dirname, parse, sep } from 'node:path';

/** Where package runners and clients unpack other people's code, as path endings below the home directory. */
const CACHE_FOLDERS: readonly string[] = [
  ['.npm', '_npx'],
  ['.npm', '_cacache'],
  ['.cache', 'uv'],
  ['.cache', 'npm'],
  ['.claude', 'plugins'],
  ['.codex', 'plugins'],
  ['.cursor', 'plugins'],
  ['.gemini', 'extensions'],
  // Extensions start servers too, and each of them has a package.json.
  ['.vscode', 'extensions'],
  ['.vscode-server', 'extensions'],
  ['.cursor', 'extensions'],
  ['.windsurf', 'extensions'],
  ['.antigravity', 'extensions'],
].map((parts) => parts.join(sep));

/** Why this real path can never be a project, or undefined if it can. */
export function whyNeverProject(root: string, home: string): string | undefined {
  if (root === parse(root).root) return 'it is the root of the file system';
  if (root === home) return 'it is the home directory itself';
  if (dirname(root) === parse(root).root && /^(home|Users|root|tmp|var|etc|usr|opt)$/.test(basename(root))) {
    return 'it is a system directory';
  }
  const cache = CACHE_FOLDERS.find((folder) => isInside(root, `${home}${sep}${folder}`));
  return cache === undefined ? undefined : `it lies in a package cache (~${sep}${cache})`;
}

/** Whether `path` is `folder` or below it. Compares whole segments, so /a/bc is not inside /a/b. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}
