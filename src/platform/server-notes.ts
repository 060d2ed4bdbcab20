/** Notes of running servers: each writes one that only its user can read, and removes it when it ends. */
import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { readableNames } from './folders.ts';
import { isProcessAlive } from './machine.ts';
import { ensurePrivateDir, writePrivateText } from './private-files.ts';
import { readTextIfPresent } from './untrusted-files.ts';

export interface ServerNote {
  /** As clients connect to it. */
  readonly url: string;
  readonly version: string;
  /** What another process of this user shows to its page; undefined where it serves none. */
  readonly ui: string | undefined;
}

export interface NotedServer extends ServerNote {
  readonly pid: number;
  readonly file: string;
  readonly alive: boolean;
}

const folderIn = (dataDir: string): string => join(dataDir, 'servers');

/** Returns what removes the note again. A note that cannot be written or removed is no reason to stop serving. */
export function writeServerNote(dataDir: string, note: ServerNote): () => void {
  const folder = folderIn(dataDir);
  const absPath = join(folder, `${process.pid}.json`);
  try {
    ensurePrivateDir(folder);
    writePrivateText(absPath, `${JSON.stringify({ pid: process.pid, ...note }, null, 2)}\n`);
  } catch {
    return () => {};
  }
  return () => {
    try {
      unlinkSync(absPath);
    } catch {
      // It was removed before.
    }
  };
}

export function listServers(dataDir: string): readonly NotedServer[] {
  const folder = folderIn(dataDir);
  return readableNames(folder)
    .filter((name) => /^\d+\.json$/.test(name))
    .flatMap((name) => {
      const server = readNote(join(folder, name));
      return server === undefined ? [] : [{ ...server, alive: isProcessAlive(server.pid) }];
    });
}

/** The address of a server's page. One that listens on every address is asked on this machine's own. */
export function pageAddress({ url }: Pick<ServerNote, 'url'>): string {
  return url.replace(/\/mcp$/, '/ui/').replace(/\/\/(?:0\.0\.0\.0|\[::\]):/, '//127.0.0.1:');
}

function readNote(file: string): Omit<NotedServer, 'alive'> | undefined {
  try {
    const value: unknown = JSON.parse(readTextIfPresent(file) ?? '');
    const fields = new Map(Object.entries(Object(value)));
    const pid = Number(fields.get('pid'));
    const ui: unknown = fields.get('ui');
    return {
      pid,
      url: String(fields.get('url')),
      version: String(fields.get('version')),
      ui: typeof ui === 'string' ? ui : undefined,
      file,
    };
  } catch {
    return undefined;
  }
}
