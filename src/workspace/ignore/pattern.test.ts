import { expect, it } from 'vitest';
import { toByteText } from './pattern.ts';
import { createRuleSet, parseRules } from './rule-file.ts';

/** Which line decides about this path; folders end with a slash. */
function lineFor(rules: string, path: string): number | undefined {
  const set = createRuleSet(parseRules(toByteText(rules), { maxRules: 1000, fold: false }).rules);
  const isFolder = path.endsWith('/');
  const plain = toByteText(isFolder ? path.slice(0, -1) : path);
  const name = plain.slice(plain.lastIndexOf('/') + 1);
  return set.find({ path: plain, name, isFolder }, { left: 1e9 })?.line;
}

it.each<[rules: string, path: string, line: number | undefined]>([
  ['a', 'x/a', 1],
  ['/a', 'x/a', undefined],
  ['x/a', 'x/a', 1],
  ['x/a', 'y/x/a', undefined],
  ['a/', 'a', undefined],
  ['a/', 'x/a/', 1],
  ['*.log', 'x/a.log', 1],
  ['*.tar.gz', 'a.tar.gz', 1],
  ['*.log\n!keep.log', 'keep.log', 2],
  ['!keep.log\n*.log', 'keep.log', 2],
  // The same rule again counts where it stands last.
  ['*.log\n!*.log\n*.log', 'a.log', 3],
  ['?\n!?\n?\n!?', 'a', 4],
  ['**/a', 'x/y/a', 1],
  ['**/a', 'a', 1],
  ['a/**', 'a/', undefined],
  ['a/**', 'a/b/c', 1],
  ['a/**/b', 'a/b', 1],
  ['a/**/b', 'a/x/y/b', 1],
  ['a/*/b', 'a/x/y/b', undefined],
  // The text before the first wildcard is set aside, so these stars stand at a start.
  ['a**/b', 'ax/y/b', 1],
  ['x?a**/b', 'x1a2/y/b', undefined],
  ['?', 'é', undefined],
  ['??', 'é', 1],
  ['[é]', 'é', undefined],
  ['[]a]', ']', 1],
  ['[a-]', '-', 1],
  ['[!a]', 'b', 1],
  ['[[:digit:]]', '7', 1],
  ['[[:bogus:]]', 'b', undefined],
  ['[[:]', ':', 1],
  ['[a', '[a', undefined],
  ['\\!a', '!a', 1],
  ['\\#a', '#a', 1],
  ['#a', '#a', undefined],
  ['a\\', 'a\\', undefined],
  ['a  ', 'a', 1],
  ['a\\ ', 'a ', 1],
  ['a\\  ', 'a ', 1],
  ['a\t', 'a', undefined],
  ['a\r\nb', 'a', 1],
  ['\uFEFFa', 'a', 1],
  ['\n\na', 'a', 3],
])('%j decides about %j in line %j', (rules, path, line) => {
  expect(lineFor(rules, path)).toBe(line);
});
