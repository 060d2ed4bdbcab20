/** The kinds of files and lines from outside that are fuzzed. */
import { BACKUP_FILES, IMPORT_FILES } from './backup-files.ts';
import { CLIENT_FILES } from './client-files.ts';
import type { FuzzKind } from './fuzz-kind.ts';
import { GIT_FILES } from './git-files.ts';
import { IGNORE_FILES } from './ignore-files.ts';
import { STDIO_LINES } from './stdio-lines.ts';

export const KINDS: readonly FuzzKind[] = [
  GIT_FILES,
  IGNORE_FILES,
  CLIENT_FILES,
  BACKUP_FILES,
  IMPORT_FILES,
  STDIO_LINES,
];
