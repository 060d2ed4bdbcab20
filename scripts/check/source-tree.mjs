/** Finds and parses the source files of a tree. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSource } from './source-file.mjs';

/** @typedef {import('./source-file.mjs').SourceFile} SourceFile */

/**
 * @typedef {object} SourceTree
 * @property {readonly SourceFile[]} files  Every parsed file of every area, ordered by path.
 * @property {ReadonlySet<string>} paths  Every file below src/, whatever its kind, and the parsed files elsewhere.
 * @property {readonly string[] | undefined} dependencies  Names from package.json; undefined when there is none.
 */

const AREAS = ['src', 'test', 'scripts', 'bench', 'web'];
const SOURCE_NAME = /\.(ts|mts|mjs|js|tsx)$/;
// Fixtures are other people's code on purpose; snapshots are written by the test runner.
const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'fixtures', '__snapshots__']);

/**
 * @param {string} root
 * @returns {Promise<SourceTree>}
 */
export async function readSourceTree(root) {
  const lists = await Promise.all(AREAS.map((area) => listFiles(root, area)));
  const paths = lists.flat().sort();
  const files = await Promise.all(
    paths
      .filter((path) => SOURCE_NAME.test(path))
      .map(async (path) => parseSource(path, await readFile(join(root, path), 'utf8'))),
  );
  return { files, paths: new Set(paths), dependencies: await readDependencies(root) };
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {Promise<string[]>}
 */
async function listFiles(root, folder) {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(nothingIfMissing);
  const kept = entries.filter((entry) => !entry.name.startsWith('.') && !SKIPPED_FOLDERS.has(entry.name));
  const lists = kept.map(async (entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? await listFiles(root, path) : [path];
  });
  return (await Promise.all(lists)).flat();
}

/** @param {string} root */
async function readDependencies(root) {
  const text = await readFile(join(root, 'package.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = JSON.parse(text);
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
}

/**
 * @param {NodeJS.ErrnoException} error
 * @returns {never[]}
 */
function nothingIfMissing(error) {
  if (error.code === 'ENOENT') return [];
  throw error;
}
