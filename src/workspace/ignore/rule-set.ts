/** The patterns of one file or list, with the last match winning, and indexes so that most are never tried one by one. */
import { matchPattern, type Pattern, type Subject } from './pattern.ts';
import type { StepBudget } from './wildcards.ts';

export interface Rule extends Pattern {
  /** As written, in byte text. */
  readonly text: string;
  /** 1-based. */
  readonly line: number;
}

export interface RuleSet {
  /** The rule that decides about this path, negated ones included. */
  find(subject: Subject, budget: StepBudget): Rule | undefined;
}

/** Positions of rules by what they are looked up with, in rising order. */
type Positions = ReadonlyMap<string, readonly number[]>;

export function createRuleSet(rules: readonly Rule[]): RuleSet {
  const byName = new Map<string, number[]>();
  const byEnding = new Map<string, number[]>();
  const byPath = new Map<string, number[]>();
  const others: number[] = [];
  rules.forEach(({ test }, position) => {
    if (test.kind === 'never') return;
    if (test.kind === 'name') add(byName, test.text, position);
    else if (test.kind === 'path') add(byPath, test.text, position);
    // With one dot, at its start, the ending is what follows a name's last dot: one look-up for all such rules.
    else if (test.kind === 'ending' && test.text.lastIndexOf('.') === 0) add(byEnding, test.text, position);
    else others.push(position);
  });

  function last(positions: Positions, key: string, isFolder: boolean): number {
    const found = positions.get(key);
    if (found === undefined) return -1;
    for (let index = found.length - 1; index >= 0; index--) {
      const position = found[index] ?? -1;
      if (isFolder || rules[position]?.foldersOnly === false) return position;
    }
    return -1;
  }

  return {
    find(subject, budget) {
      const { name, path, isFolder } = subject;
      let best = byName.size === 0 ? -1 : last(byName, name, isFolder);
      if (byPath.size > 0) best = Math.max(best, last(byPath, path, isFolder));
      if (byEnding.size > 0) {
        const dot = name.lastIndexOf('.');
        if (dot !== -1) best = Math.max(best, last(byEnding, name.slice(dot), isFolder));
      }
      for (let index = others.length - 1; index >= 0; index--) {
        const position = others[index] ?? -1;
        // Without a budget the answer does not count: the listing ends here.
        if (position < best || budget.left < 0) break;
        const rule = rules[position];
        if (rule !== undefined && matchPattern(rule, subject, budget)) return rule;
      }
      return rules[best];
    },
  };
}

function add(map: Map<string, number[]>, key: string, position: number): void {
  const found = map.get(key);
  if (found === undefined) map.set(key, [position]);
  else found.push(position);
}
