/** A project of real code of about a size: files that are parsed, of one repository after the other, and again if there are too few. */
import { cpSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isParsable, languageOf } from '../../src/languages/index.ts';

const MOST_FILE_BYTES = 1_000_000;
/** Files that tell where imports lead come too. */
const CONFIG = /^(?:package|tsconfig)\.json$|^(?:go\.mod|Cargo\.toml|pyproject\.toml|composer\.json)$/;
const MOST_ROUNDS = 50;

export function copySources(repos: string, root: string, bytes: number): { bytes: number; files: number } {
  const made = { bytes: 0, files: 0 };
  for (let round = 0; round < MOST_ROUNDS && made.bytes < bytes; round++)
    for (const name of readdirSync(repos).toSorted()) {
      const to = join(root, round === 0 ? name : `${name}-${round}`);
      for (const path of sourcesBelow(join(repos, name))) {
        if (made.bytes >= bytes) return made;
        const target = join(to, relative(join(repos, name), path));
        mkdirSync(dirname(target), { recursive: true });
        // Times stay: a file that was just written is read twice.
        cpSync(path, target, { preserveTimestamps: true });
        made.bytes += statSync(path).size;
        made.files++;
      }
    }
  return made;
}

function sourcesBelow(folder: string): string[] {
  const found: string[] = [];
  const waiting = [folder];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop())
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      if (entry.isDirectory() && !['.git', 'node_modules', 'vendor'].includes(entry.name)) waiting.push(path);
      if (!entry.isFile() || statSync(path).size > MOST_FILE_BYTES) continue;
      if (CONFIG.test(entry.name) || isSource(entry.name)) found.push(path);
    }
  return found;
}

function isSource(name: string): boolean {
  const language = languageOf(name);
  return language !== undefined && isParsable(language) && !/\.(?:json|ya?ml|toml|html|css)$/.test(name);
}
