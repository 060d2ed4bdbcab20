/** The walls of the house: who imports whom, through which door, and who owns which module. */
import { importsOf } from './imports.mjs';
import { checkModuleImport } from './owned-modules.mjs';
import { checkRoomImport } from './room-imports.mjs';
import { checkStatements } from './room-statements.mjs';
import { resolveImport } from './resolve-import.mjs';
import { FOLDERS, ROOMS, ROOT_FILES } from './rooms.mjs';

/** @typedef {import('./finding.mjs').Finding} Finding */

/**
 * @param {import('./source-tree.mjs').SourceTree} tree
 * @returns {Finding[]}
 */
export function checkBoundaries(tree) {
  const files = tree.files.filter((file) => file.area === 'src');
  /** @type {Finding[]} */
  const findings = [...checkStatements(files), ...checkTable(tree.paths)];
  for (const file of files) {
    if (file.syntaxError !== undefined) {
      findings.push({
        path: file.path,
        line: 1,
        message: `Cannot be parsed: ${file.syntaxError}. Fix the syntax first.`,
      });
    }
    for (const found of importsOf(file)) {
      const target = resolveImport(file.path, found.specifier, tree.paths);
      const message =
        target.kind === 'module'
          ? checkModuleImport(file, target.name, tree.dependencies)
          : target.kind === 'broken'
            ? target.message
            : checkRoomImport(file, target.path, found.typeOnly);
      if (message !== undefined) findings.push({ path: file.path, line: found.line, message });
    }
  }
  return findings;
}

const TABLE = 'scripts/check/rooms.mjs';

/**
 * Rows for what does not exist. Asked only of a tree that has the table.
 * @param {ReadonlySet<string>} paths
 * @returns {Finding[]}
 */
function checkTable(paths) {
  if (!paths.has(TABLE)) return [];
  const all = [...paths];
  const folders = [...Object.keys(ROOMS), ...Object.keys(FOLDERS)].map((name) => `src/${name}/`);
  const ghosts = [
    ...folders.filter((folder) => !all.some((path) => path.startsWith(folder))),
    ...Object.keys(ROOT_FILES).filter((path) => !paths.has(path)),
  ];
  return ghosts.map((path) => ({
    path: TABLE,
    line: 1,
    message: `The table has a row for ${path}, which does not exist. Remove the row.`,
  }));
}
