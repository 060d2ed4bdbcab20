/** A home, a project and a user file of their own for one test, and what they resolve to. */
import {
  readProjectConfig,
  resolveConfig,
  type ConfigInput,
  type ResolvedConfig,
} from '../../src/config/index.ts';
import { AppError } from '../../src/core/index.ts';
import { tempFolder, type TempFolder } from '../support/temp-folder.ts';

export const USER_FILE = 'home/.config/waymark/config.json';

export interface ConfigHome {
  readonly folder: TempFolder;
  readonly root: string;
  resolve(input?: Partial<ConfigInput>): ResolvedConfig;
  /** With the project's file on top. */
  resolveProject(input?: Partial<ConfigInput>): ResolvedConfig;
}

export function configHome(files: Readonly<Record<string, string>> = {}): ConfigHome {
  const folder = tempFolder({ 'home/.keep': '', 'project/.keep': '', ...files });
  const root = folder.join('project');
  const resolve = (input: Partial<ConfigInput> = {}): ResolvedConfig =>
    resolveConfig({ cwd: root, ...input, env: { HOME: folder.join('home'), ...input.env } });
  return { folder, root, resolve, resolveProject: (input) => readProjectConfig(resolve(input), root) };
}

/** The error that this throws; a failing test if it throws none. */
export function errorOf(act: () => unknown): AppError {
  try {
    act();
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown;
    throw thrown;
  }
  throw new Error('nothing was thrown');
}
