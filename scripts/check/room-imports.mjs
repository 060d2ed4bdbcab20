/** May this file import that file? Answers with what to do instead, or undefined when it may. */
import { ROOMS, ROOT_FILES } from './rooms.mjs';

/**
 * @param {import('./source-file.mjs').SourceFile} file
 * @param {string} target
 * @param {boolean} typeOnly
 * @returns {string | undefined}
 */
export function checkRoomImport(file, target, typeOnly) {
  if (!target.startsWith('src/')) return checkOutside(file, target);
  const [, targetRoom = '', ...inside] = target.split('/');
  if (inside.length === 0) return checkRootFile(file, target);
  if (targetRoom === file.room) return undefined;
  return checkAllowed(file, targetRoom, typeOnly) ?? checkFrontDoor(targetRoom, inside.join('/'));
}

/**
 * @param {import('./source-file.mjs').SourceFile} file
 * @param {string} target
 */
function checkOutside(file, target) {
  if (file.isTest && target.startsWith('test/support/')) return undefined;
  return file.isTest
    ? `A test beside the code may not import ${target}. Take support code from test/support/ only.`
    : `src/ may not import ${target}. Shipped code needs nothing outside src/: move what you need into a room.`;
}

/**
 * @param {import('./source-file.mjs').SourceFile} file
 * @param {string} target
 */
function checkRootFile(file, target) {
  if (file.room === undefined && file.isTest) return undefined;
  if (ROOT_FILES[file.path]?.mayImportFiles.includes(target)) return undefined;
  return `No room imports ${target}. Take what you need as a parameter and let src/app.ts pass it in: it wires the rooms, so an import back to it is a circle.`;
}

/**
 * @param {import('./source-file.mjs').SourceFile} file
 * @param {string} targetRoom
 * @param {boolean} typeOnly
 */
function checkAllowed(file, targetRoom, typeOnly) {
  const importer = file.room ?? file.path;
  const rule = file.room === undefined ? ROOT_FILES[file.path] : ROOMS[file.room];
  // An unknown room or root file is reported once, by its own rule.
  if (rule === undefined || rule.mayImport.includes(targetRoom)) return undefined;
  if ('mayImportTypes' in rule && rule.mayImportTypes?.includes(targetRoom)) {
    return typeOnly
      ? undefined
      : `${importer} may import only types from ${targetRoom}. Write \`import type\`, or take the value as a parameter that src/app.ts passes in.`;
  }
  const seen = rule.mayImport.length === 0 ? 'nothing' : rule.mayImport.join(', ');
  return `${importer} may not import ${targetRoom}${typeOnly ? ' (types count too)' : ''}. It sees only: ${seen}. Declare the small interface you need here and let src/app.ts wire it, or move the code to the room whose job it is.`;
}

/**
 * @param {string} targetRoom
 * @param {string} inside
 */
function checkFrontDoor(targetRoom, inside) {
  if (inside === 'index.ts') return undefined;
  return `Enter ${targetRoom} through src/${targetRoom}/index.ts, not ${inside}. Export there what other rooms need; the rest stays free to change.`;
}
