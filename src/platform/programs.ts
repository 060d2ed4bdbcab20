/** Which programs a user could start by name. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

export interface ProgramSearch {
  /** The value of PATH. */
  readonly path: string | undefined;
  /** The value of PATHEXT, on Windows. */
  readonly extensions?: string | undefined;
}

/** The first program of this name on the path. Relative parts of the path do not count: they mean another place each time. */
export function findProgram(name: string, { path = '', extensions }: ProgramSearch): string | undefined {
  const endings = process.platform === 'win32' ? (extensions ?? '.EXE;.CMD;.BAT').split(';') : [''];
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    for (const ending of endings) {
      const absPath = join(folder, name + ending);
      if (isProgram(absPath)) return absPath;
    }
  }
  return undefined;
}

export function isProgram(absPath: string): boolean {
  try {
    accessSync(absPath, constants.X_OK);
    return statSync(absPath).isFile();
  } catch {
    return false;
  }
}
