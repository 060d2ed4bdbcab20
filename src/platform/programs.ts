/** Which programs a user could start by name, and what a system's own are called. */
import { accessSync, constants, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';

export interface ProgramSearch {
  /** The value of PATH. */
  readonly path: string | undefined;
  /** The value of PATHEXT, on Windows. */
  readonly extensions?: string | undefined;
}

/** The first program of this name on the path. */
export function findProgram(name: string, search: ProgramSearch): string | undefined {
  return programPaths(name, search).find(isProgram);
}

/** Where a program of this name may be. Relative parts of the path do not count: they mean another place each time. */
export function programPaths(
  name: string,
  { path = '', extensions }: ProgramSearch,
  system: NodeJS.Platform = process.platform,
): readonly string[] {
  const { delimiter, isAbsolute, join } = system === 'win32' ? win32 : posix;
  const endings = system === 'win32' ? (extensions ?? '.EXE;.CMD;.BAT').split(';') : [''];
  const folders = path.split(delimiter).filter(isAbsolute);
  return folders.flatMap((folder) => endings.map((ending) => join(folder, name + ending)));
}

/** What opens an address in the user's browser. No shell is asked, so nothing in the address is a command. */
export function browserCommand(
  url: string,
  system: NodeJS.Platform = process.platform,
): readonly [program: string, ...args: string[]] {
  if (system === 'darwin') return ['open', url];
  return system === 'win32' ? ['explorer.exe', url] : ['xdg-open', url];
}

export interface ShellCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly shell: boolean;
}

/** An editor as git starts it: through a shell, because the variable may hold arguments. */
export function editorCommand(
  command: string,
  absPath: string,
  system: NodeJS.Platform = process.platform,
): ShellCommand {
  if (system === 'win32') return { program: `${command} "${absPath}"`, args: [], shell: true };
  return { program: '/bin/sh', args: ['-c', `${command} "$1"`, 'sh', absPath], shell: false };
}

export function isProgram(absPath: string): boolean {
  try {
    accessSync(absPath, constants.X_OK);
    return statSync(absPath).isFile();
  } catch {
    return false;
  }
}
