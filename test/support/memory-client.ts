/** A client of a real server with a project and a memory of its own. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { addressFor, isStdio, openClient, type ClientKind, type OpenClient } from './clients.ts';
import { tempFolder, type OnEnd, type TempFolder } from './temp-folder.ts';
import { emptyHome, serve, type Home } from './waymark.ts';

export interface MemoryProject {
  readonly folder: TempFolder;
  readonly home: Home;
}

/** A git repository with one commit, and an empty home. */
export function memoryProject(files: Readonly<Record<string, string>> = {}, onEnd?: OnEnd): MemoryProject {
  const folder = tempFolder({ 'src/a.ts': 'export const a = 1;\n', ...files }, onEnd);
  git(folder.path, 'init', '-q', '-b', 'main');
  git(folder.path, 'add', '.');
  git(folder.path, '-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-q', '-m', 'first');
  return { folder, home: emptyHome(onEnd) };
}

export function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

/** Connects in this directory; HTTP kinds get a server of their own. */
export async function openMemoryClient(
  kind: ClientKind,
  { home }: MemoryProject,
  cwd: string,
  args: readonly string[] = [],
): Promise<OpenClient> {
  mkdirSync(home.folder.join('home'), { recursive: true });
  if (isStdio(kind)) return openClient({ kind, cwd, env: home.env, args, name: 'memory-test' });
  const { url } = await serve(['--project-from-cwd', ...args], { cwd, home });
  return openClient({
    kind,
    url: addressFor(kind, url),
    name: 'memory-test',
  });
}

/** What differs from run to run, replaced by its sort. */
export function masked(text: string): string {
  return text
    .replaceAll(/\b(cp|fix|skill|fact|guide|col)-[0-9a-f]{12}\b/g, '$1-ID')
    .replaceAll(/\b[0-9a-f]{40}\b/g, 'COMMIT')
    .replaceAll(/\b[0-9a-f]{12}\b/g, 'WORD')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d\.\d{3}Z)?/g, 'TIME')
    .replaceAll(/\/[\w./-]*waymark-test-\w+/g, '/PROJECT')
    .replaceAll(/waymark-test-\w+/g, 'PROJECT')
    .replaceAll(/score \d+\.\d\d/g, 'score N');
}
