/** Node modules and packages that belong to certain rooms. */
import { BUNDLED_APART } from '../bundled.mjs';
import { ROOMS } from './rooms.mjs';

/** @type {ReadonlyMap<string, string>} */
const INSTEAD = new Map([
  [
    'platform',
    'Call a function of platform (or take one as a parameter), so that the machine is touched in one place',
  ],
  ['http', 'Write against Request and Response, so that the listener is the only code that knows sockets'],
  ['storage', 'Use a storage port, so that engines can be exchanged'],
  ['mcp', 'Use our own types, so that a new protocol version changes one room'],
  ['cli', 'Take parsed values as parameters, so that the command line is known to one room'],
]);

/**
 * @param {import('./source-file.mjs').SourceFile} file
 * @param {string} name
 * @param {readonly string[] | undefined} dependencies
 * @returns {string | undefined}
 */
export function checkModuleImport(file, name, dependencies) {
  // A test may look at the machine to see what the code did to it.
  if (file.isTest) return undefined;
  if (name === 'node:process') {
    return 'Use the global `process`, not node:process: the house rules look for it by that name.';
  }
  const owners = ownersOf(name);
  const [owner] = owners;
  if (owner !== undefined) {
    if (file.room !== undefined && owners.includes(file.room)) return undefined;
    return `${name} belongs to src/${owners.join('/ and src/')}/. ${INSTEAD.get(owner) ?? `Go through ${owner}`}.`;
  }
  const isNodeModule = name.startsWith('node:');
  if (isNodeModule && file.room !== undefined && ROOMS[file.room]?.pure) {
    return `${file.room} is pure and imports no Node module, not even ${name}. Take the value as a parameter, or move the code to the room that calls it.`;
  }
  const isInstalled = dependencies === undefined || [...dependencies, ...BUNDLED_APART].includes(name);
  if (!isNodeModule && !isInstalled) {
    return `${name} is not among the dependencies in package.json, so it is missing once installed. Add it there with a decision record, or do without.`;
  }
  return undefined;
}

/** @param {string} name */
function ownersOf(name) {
  return Object.keys(ROOMS).filter((room) =>
    ROOMS[room]?.owns?.some((owned) =>
      owned.endsWith('/*') ? name.startsWith(owned.slice(0, -1)) : owned === name,
    ),
  );
}
