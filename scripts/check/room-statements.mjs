/** Every folder under src/ says its job in one line. */
import { posix } from 'node:path';
import { FOLDERS, ROOMS, ROOT_FILES } from './rooms.mjs';

/** @typedef {import('./finding.mjs').Finding} Finding */
/** @typedef {import('./source-file.mjs').SourceFile} SourceFile */

const PLAN = 'scripts/check/rooms.mjs';
const STATEMENT = /^\/\*\* \S.*\*\/\s*$/;

/**
 * @param {readonly SourceFile[]} files
 * @returns {Finding[]}
 */
export function checkStatements(files) {
  const rooms = new Set(files.flatMap((file) => file.room ?? []));
  return [
    ...checkRootFiles(files),
    ...[...rooms].flatMap((room) => checkRoom(room, files)),
    ...checkNested(files),
  ];
}

/**
 * @param {readonly SourceFile[]} files
 * @returns {Finding[]}
 */
function checkRootFiles(files) {
  const known = Object.keys(ROOT_FILES);
  return files
    .filter((file) => file.room === undefined && !file.isTest && !known.includes(file.path))
    .map((file) => ({
      path: file.path,
      line: 1,
      message: `src/ itself holds only ${known.map((path) => path.slice(4)).join(', ')}. Move this file into the room whose job it is.`,
    }));
}

/**
 * @param {string} room
 * @param {readonly SourceFile[]} files
 * @returns {Finding[]}
 */
function checkRoom(room, files) {
  if (ROOMS[room] === undefined) {
    const path = files.find((file) => file.room === room)?.path ?? `src/${room}`;
    const message = `src/${room}/ is not on the house plan. Put the code into an existing room, or add a row with a job and allowed imports to ${PLAN}.`;
    return [{ path, line: 1, message }];
  }
  const door = `src/${room}/index.ts`;
  const index = files.find((file) => file.path === door);
  if (index === undefined) {
    const message = `src/${room}/ has no index.ts. Add one: its first line states the room's job, the rest exports what other rooms may use.`;
    return [{ path: door, line: 1, message }];
  }
  const [firstLine = ''] = index.text.split('\n', 1);
  if (STATEMENT.test(firstLine)) return [];
  const message = `The room does not say what it is for. Make the first line \`/** … */\` with its one job (the plan says: ${ROOMS[room].job}).`;
  return [{ path: door, line: 1, message }];
}

/**
 * @param {readonly SourceFile[]} files
 * @returns {Finding[]}
 */
function checkNested(files) {
  const folders = new Set(files.map((file) => posix.dirname(file.path).slice('src/'.length)));
  return [...folders]
    .filter((folder) => folder.includes('/') && !(folder in FOLDERS))
    .map((folder) => ({
      path: files.find((file) => posix.dirname(file.path) === `src/${folder}`)?.path ?? `src/${folder}`,
      line: 1,
      message: `src/${folder}/ does not say what it is for. Add '${folder}' with its job in one line to FOLDERS in ${PLAN}, or move the files up.`,
    }));
}
