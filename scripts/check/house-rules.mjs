/** House rules that no linter knows, each a pure function from a parsed file to findings. */
import { checkComments } from './house/comments.mjs';
import { checkCasts } from './house/casts.mjs';
import { checkMocks } from './house/mocks.mjs';
import { checkModuleState } from './house/module-state.mjs';
import { checkNetwork } from './house/network.mjs';
import { checkProcessUse } from './house/process-use.mjs';
import { checkSql } from './house/sql.mjs';
import { checkTimeAndChance } from './house/time-and-chance.mjs';

/** @typedef {import('./finding.mjs').Finding} Finding */
/** @typedef {import('./source-file.mjs').SourceFile} SourceFile */

/** @type {(file: SourceFile) => boolean} */
const isShipped = (file) => file.area === 'src' && !file.isTest;

/** @type {ReadonlyArray<{ appliesTo: (file: SourceFile) => boolean, check: (file: SourceFile) => Finding[] }>} */
const RULES = [
  { appliesTo: isShipped, check: checkProcessUse },
  { appliesTo: isShipped, check: checkTimeAndChance },
  { appliesTo: isShipped, check: checkModuleState },
  { appliesTo: isShipped, check: checkNetwork },
  { appliesTo: isShipped, check: checkSql },
  { appliesTo: (file) => file.path.endsWith('.ts'), check: checkCasts },
  { appliesTo: (file) => file.path.endsWith('.ts'), check: checkMocks },
  { appliesTo: () => true, check: checkComments },
];

/**
 * @param {import('./source-tree.mjs').SourceTree} tree
 * @returns {Finding[]}
 */
export function checkHouseRules(tree) {
  return tree.files.flatMap((file) =>
    RULES.filter((rule) => rule.appliesTo(file)).flatMap((rule) => rule.check(file)),
  );
}
