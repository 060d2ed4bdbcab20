/** A folder of its own for one test, removed afterwards. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

export interface TempFolder {
  readonly path: string;
  join(...parts: string[]): string;
  write(files: Readonly<Record<string, string>>): void;
}

export function tempFolder(files: Readonly<Record<string, string>> = {}): TempFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'waymark-test-')));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
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
  return folder;
}
