/** The steps of a check, in the order they are printed. */
import { checkBoundaries } from './boundaries.mjs';
import { checkFigures } from './figures.mjs';
import { checkDiagram } from './house-diagram.mjs';
import { checkHouseRules } from './house-rules.mjs';
import { checkNames } from './names.mjs';
import { checkSizes } from './sizes.mjs';
import { checkFormat } from './tools/format.mjs';
import { checkLint } from './tools/lint.mjs';
import { checkTypes } from './tools/types.mjs';
import { checkWords } from './words.mjs';

/**
 * @typedef {object} Subject
 * @property {string} root  Absolute path of the tree to check.
 * @property {() => Promise<import('./source-tree.mjs').SourceTree>} tree  Reads and parses on the first call only.
 */

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {(subject: Subject) => Promise<import('./finding.mjs').Outcome>} run
 * @property {string} [hint]  Printed once below the findings.
 */

/** @type {readonly Step[]} */
export const STEPS = [
  { name: 'format', run: ({ root }) => checkFormat(root) },
  { name: 'lint', run: ({ root }) => checkLint(root) },
  {
    name: 'types',
    run: ({ root }) => checkTypes(root),
    hint: 'Fix a type where it is made; `any` or `as` only moves the mistake to where users meet it.',
  },
  {
    name: 'rooms',
    run: async ({ root, tree }) => ({
      findings: [...checkBoundaries(await tree()), ...(await checkDiagram(root))],
    }),
  },
  { name: 'house', run: async ({ tree }) => ({ findings: checkHouseRules(await tree()) }) },
  { name: 'names', run: async ({ tree }) => ({ findings: checkNames(await tree()) }) },
  { name: 'sizes', run: async ({ tree }) => checkSizes(await tree()) },
  { name: 'figures', run: async ({ root }) => ({ findings: checkFigures(root) }) },
  { name: 'words', run: async ({ root, tree }) => ({ findings: await checkWords(root, await tree()) }) },
];
