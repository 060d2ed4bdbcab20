/** Files as tests find, prepare and compare them. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { loadDriver } from '../../src/storage/sqlite/driver.ts';

/** Runs a script on a file as a program other than Waymark would. */
export async function withForeignHands(absPath: string, sql: string): Promise<void> {
  const driver = await loadDriver();
  const connection = driver.connect(absPath, { readOnly: false, timeout: 0 });
  connection.exec(sql);
  connection.close();
}

/** Names and contents of all files in a folder but the lock, which is ours to make. */
export function contentsOf(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder).filter((name) => !name.endsWith('.lock'));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name)).toString('base64')]));
}

/** Permission bits of a folder and of everything in it, in octal. */
export function modesIn(folder: string): Readonly<Record<string, string>> {
  const mode = (absPath: string): string => (statSync(absPath).mode & 0o777).toString(8);
  return Object.fromEntries([
    ['.', mode(folder)],
    ...readdirSync(folder).map((name) => [name, mode(join(folder, name))] as const),
  ]);
}
