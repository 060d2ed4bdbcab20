/**
 * The texts of the files that say what imports mean. They are looked for beside the indexed files and above them, by name, because git
 * may ignore what the compiler reads.
 */
import { posix } from 'node:path';
import { isImportConfig } from '../languages/index.ts';
import type { FactFile } from './project-facts.ts';
import { familyOf } from './families.ts';

const NAMES: Readonly<Record<string, readonly string[]>> = {
  script: ['package.json', 'tsconfig.json', 'jsconfig.json'],
  go: ['go.mod'],
  php: ['composer.json'],
  python: ['pyproject.toml', 'setup.cfg'],
  rust: ['Cargo.toml'],
};
/** Of folders that are looked into. */
const MOST_FOLDERS = 20_000;
const MOST_EXTENDED = 200;

export type ReadConfig = (path: string) => string | undefined;

export function readImportConfigs(
  files: Iterable<Pick<FactFile, 'path' | 'language'>>,
  read: ReadConfig,
): ReadonlyMap<string, string> {
  const configs = new Map<string, string>();
  const take = (path: string): void => {
    if (configs.has(path)) return;
    const text = read(path);
    if (text !== undefined) configs.set(path, text);
  };
  const wanted = new Set<string>();
  for (const { path, language } of files) {
    if (isImportConfig(path)) wanted.add(path);
    const names = NAMES[familyOf(language)];
    if (names === undefined || wanted.size > MOST_FOLDERS) continue;
    for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
      const at = names.map((name) => (folder === '.' ? name : `${folder}/${name}`));
      if (at.every((each) => wanted.has(each))) break;
      for (const each of at) wanted.add(each);
      if (folder === '.') break;
    }
  }
  for (const path of wanted) take(path);
  // What a configuration extends has any name.
  let extended = 0;
  for (const [path, text] of configs)
    for (const [, named = ''] of text.matchAll(/"extends"\s*:\s*\[?\s*"(\.[^"]{1,200})"/g)) {
      if (++extended > MOST_EXTENDED) return configs;
      const at = posix.join(posix.dirname(path), named);
      if (!at.startsWith('../'))
        for (const each of [at, `${at}.json`]) if (each.endsWith('.json')) take(each);
    }
  return configs;
}
