/** Time and randomness come from platform/ as values, so that tests own them. */
import { memberUses } from './member-uses.mjs';

const TIME =
  'Take a Clock as a parameter and call clock.now() or clock.elapsed(), so that tests own the time.';
const CHANCE = 'Take ids (from platform/) as a parameter, so that tests can repeat a run.';

/** @type {Readonly<Record<string, { properties: readonly string[], instead: string }>>} */
const SOURCES = {
  Date: { properties: ['now'], instead: TIME },
  performance: { properties: ['now', 'timeOrigin'], instead: TIME },
  Math: { properties: ['random'], instead: CHANCE },
  crypto: {
    properties: ['randomUUID', 'randomBytes', 'randomInt', 'randomFillSync', 'getRandomValues'],
    instead: CHANCE,
  },
};

/**
 * @param {import('../source-file.mjs').SourceFile} file
 * @returns {import('../finding.mjs').Finding[]}
 */
export function checkTimeAndChance(file) {
  if (file.room === 'platform') return [];
  const members = memberUses(file)
    .filter(({ object, property }) => SOURCES[object]?.properties.includes(property))
    .map(({ object, property, node }) => ({
      node,
      what: `${object}.${property}`,
      instead: SOURCES[object]?.instead,
    }));
  const dates = file
    .nodes('NewExpression', 'CallExpression')
    .filter((node) => node.callee.name === 'Date' && node.arguments.length === 0)
    .map((node) => ({ node, what: 'new Date() without arguments', instead: TIME }));
  const imported = file
    .nodes('ImportDeclaration')
    .filter((node) => /^(node:)?crypto$/.test(node.source.value))
    .flatMap((node) => node.specifiers)
    .filter((node) => SOURCES.crypto?.properties.includes(node.imported?.name))
    .map((node) => ({ node, what: `${node.imported.name} from node:crypto`, instead: CHANCE }));
  return [...members, ...dates, ...imported].map(({ node, what, instead }) => ({
    path: file.path,
    line: file.lineAt(node.start),
    message: `${what} outside platform/. ${instead}`,
  }));
}
