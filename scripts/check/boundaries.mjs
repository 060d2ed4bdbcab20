/** The walls of the house: who imports whom, through which door, and who owns which module. */
import { importsOf } from './imports.mjs';
import { checkModuleImport } from './owned-modules.mjs';
import { checkRoomImport } from './room-imports.mjs';
import { checkStatements } from './room-statements.mjs';
import { resolveImport } from './resolve-import.mjs';

/** @typedef {import('./finding.mjs').Finding} Finding */

/**
 * @param {import('./source-tree.mjs').SourceTree} tree
 * @returns {Finding[]}
 */
export function checkBoundaries(tree) {
  const files = tree.files.filter((file) => file.area === 'src');
  /** @type {Finding[]} */
  const findings = checkStatements(files);
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
