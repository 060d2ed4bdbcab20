/** stdout, stderr, the environment, exit and signals each have one home. */
import { memberUses } from './member-uses.mjs';

/** @typedef {import('../source-file.mjs').SourceFile} SourceFile */

/**
 * @typedef {object} Home
 * @property {readonly string[]} properties  Of `process`.
 * @property {(file: SourceFile) => boolean} allows
 * @property {string} message
 */

/** @type {(file: SourceFile) => boolean} */
const isMain = (file) => file.path === 'src/main.ts' || file.path === 'src/program.ts';

/** @type {readonly Home[]} */
const HOMES = [
  {
    properties: ['stdout'],
    allows: (file) => file.room === 'cli' || file.path.startsWith('src/mcp/stdio'),
    message:
      'process.stdout outside cli/ and mcp/stdio. Return the text, or log through a Logger: stdout belongs to the protocol, and one stray line breaks a client.',
  },
  {
    properties: ['stderr'],
    allows: (file) => isMain(file) || file.room === 'cli' || file.room === 'platform',
    message:
      'process.stderr outside cli/, platform/ and main.ts. Take a Logger: it sets the level and redacts secrets.',
  },
  {
    properties: ['env'],
    allows: (file) => file.room === 'config',
    message:
      'process.env outside config/. Add an entry to the setting definitions in config/ and take the value from your slice of Config, so that every setting is listed, checked and shown with its origin.',
  },
  {
    properties: ['exit', 'abort', 'reallyExit'],
    allows: isMain,
    message:
      'process.exit outside main.ts. Throw an AppError: main.ts turns it into an exit code after everything is closed.',
  },
  {
    properties: ['on', 'once', 'addListener', 'prependListener'],
    allows: (file) => isMain(file) || file.room === 'platform',
    message:
      'process.on outside main.ts and platform/. Take an AbortSignal: one place handles signals and aborts the rest.',
  },
  {
    properties: ['hrtime'],
    allows: (file) => file.room === 'platform',
    message:
      'process.hrtime outside platform/. Take a Clock and call clock.elapsed(), so that tests own the time.',
  },
];

/**
 * @param {SourceFile} file
 * @returns {import('../finding.mjs').Finding[]}
 */
export function checkProcessUse(file) {
  return memberUses(file).flatMap(({ object, property, node }) => {
    const message =
      object === 'console' ? CONSOLE : object === 'process' ? processMessage(file, property) : undefined;
    return message === undefined ? [] : [{ path: file.path, line: file.lineAt(node.start), message }];
  });
}

const CONSOLE =
  'console in src/. Log through a Logger, or print through the output object of cli/: console writes to stdout, which belongs to the protocol.';

/**
 * @param {SourceFile} file
 * @param {string} property
 */
function processMessage(file, property) {
  return HOMES.find((home) => home.properties.includes(property) && !home.allows(file))?.message;
}
