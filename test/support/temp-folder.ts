/** A folder of its own for one test, removed afterwards. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Who is told what to do at the end: the running test by default, a hook for what a whole file shares. */
export type OnEnd = (end: () => void | Promise<void>) => void;

/** For a hook: keeps what to do at the end, and does it, the last first. */
export function collectEnds(): { readonly onEnd: OnEnd; readonly end: () => Promise<void> } {
  const ends: (() => void | Promise<void>)[] = [];
  return {
    onEnd: (end) => void ends.push(end),
    async end() {
      for (const end of ends.toReversed()) await end();
    },
  };
}

const EARLIER_MS = 60_000;

export interface TempFolder {
  readonly path: string;
  join(...parts: string[]): string;
  write(files: Readonly<Record<string, string>>): void;
}

export function tempFolder(
  files: Readonly<Record<string, string>> = {},
  onEnd: OnEnd = onTestFinished,
): TempFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'waymark-test-')));
  onEnd(() => rmSync(path, { recursive: true, force: true }));
  const folder: TempFolder = {
    path,
    join: (...parts) => join(path, ...parts),
    write(entries) {
      for (const [name, content] of Object.entries(entries)) {
        mkdirSync(dirname(join(path, name)), { recursive: true });
        writeFileSync(join(path, name), content);
      }
    },
  };
  folder.write(files);
  // As files that were there for a while: what is read right after it was written may still change, and counts as doubtful.
  const earlier = new Date(Date.now() - EARLIER_MS);
  for (const name of Object.keys(files)) utimesSync(join(path, name), earlier, earlier);
  return folder;
}
