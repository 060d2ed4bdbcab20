/** A text that a person changes in an editor of their own: a private file that is there until it is discarded. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDirectory } from './machine.ts';
import { editorCommand } from './programs.ts';

export interface TextDraft {
  readonly absPath: string;
  /** Resolves when the editor has ended: with what went wrong, if anything did. */
  edit(command: string): Promise<string | undefined>;
  /** As it is now. */
  read(): string;
  discard(): void;
}

/** Only its owner may read it. The ending of the name tells editors how to colour it. */
export function openTextDraft(text: string, ending: string): TextDraft {
  const folder = mkdtempSync(join(tempDirectory(), 'waymark-edit-'));
  const absPath = join(folder, `text${ending}`);
  const endsInLine = text.endsWith('\n');
  writeFileSync(absPath, endsInLine ? text : `${text}\n`, { mode: 0o600, flag: 'wx' });
  return {
    absPath,
    edit: (command) => runEditor(command, absPath),
    read() {
      const changed = readFileSync(absPath, 'utf8');
      // Editors end the last line, whether or not it was ended before.
      return endsInLine ? changed : changed.replace(/\r?\n$/, '');
    },
    discard: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function runEditor(command: string, absPath: string): Promise<string | undefined> {
  const { program, args, shell } = editorCommand(command, absPath);
  const child = spawn(program, args, { stdio: 'inherit', shell });
  return new Promise((resolve) => {
    child.once('error', () => resolve('it could not be started'));
    child.once('close', (code, signal) =>
      resolve(code === 0 ? undefined : `it ended with ${signal ?? `exit code ${code}`}`),
    );
  });
}
