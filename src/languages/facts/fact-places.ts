/** Where in the numbers of a file what stands; found while they are checked, so that what is read later is whole. */
import { USE_KINDS } from '../../core/index.ts';
import { EXPR_KINDS, FACT_KINDS, SCOPE_KINDS } from './facts.ts';
import { cut, type Numbers, signedOf } from './number-cursor.ts';

export interface FactPlaces {
  readonly exprs: Uint32Array;
  readonly scopes: number;
  readonly definitions: Uint32Array;
  /** Names and lines of the definitions. */
  readonly named: Uint32Array;
  readonly lines: Uint32Array;
  readonly members: Uint32Array;
  readonly bindings: Uint32Array;
  /** Of the first of them, and how many there are. */
  readonly uses: number;
  readonly usesCount: number;
}

/** `from` is behind what the file imports and exports. Throws RangeError if the numbers are none that `packFacts` made. */
export function findPlaces(numbers: Numbers, from: number, names: number): FactPlaces {
  let at = from;
  const below = (most: number): number => {
    const value = numbers[at++];
    return value !== undefined && value < most ? value : cut();
  };
  const count = (): number => below(numbers.length - at + 1);
  const allExprs = count();
  const allScopes = count();
  const allDefinitions = count();

  const exprs = new Uint32Array(allExprs);
  for (let id = 0; id < allExprs; id++) {
    exprs[id] = at;
    const kind = EXPR_KINDS[below(EXPR_KINDS.length)] ?? cut();
    if (kind === 'name') below(names);
    else if (kind === 'type') {
      below(names);
      below(names + 1);
      below(names + 1);
    } else if (kind !== 'foreign' && kind !== 'unknown') {
      // Of one that came before: there are no circles.
      if (below(id + 1) === 0) cut();
      if (kind === 'member') below(names);
      if (kind === 'result') at++;
    }
  }
  const scopes = at;
  for (let id = 0; id < allScopes; id++) {
    below(id + 1);
    below(SCOPE_KINDS.length);
    below(allDefinitions + 1);
  }
  const definitions = new Uint32Array(allDefinitions);
  const named = new Uint32Array(allDefinitions);
  const lines = new Uint32Array(allDefinitions);
  let line = 0;
  for (let id = 0; id < allDefinitions; id++) {
    definitions[id] = at;
    named[id] = below(names);
    below(FACT_KINDS.length);
    lines[id] = line += signedOf(numbers[at++] ?? cut());
    // Column, first and last line.
    at += 3;
    below(allScopes);
    below(allDefinitions + 1);
    below(names + 1);
    below(allScopes + 1);
    // Marks and arity.
    at += 2;
    for (let one = 0; one < 3; one++) below(allExprs + 1);
    for (let list = 0; list < 3; list++) for (let left = count(); left > 0; left--) below(allExprs + 1);
  }
  const some = (): void => {
    for (let left = count(); left > 0; left--) if (below(allDefinitions + 1) === 0) cut();
  };
  const members = new Uint32Array(allDefinitions);
  for (let id = 0; id < allDefinitions; id++) {
    members[id] = at;
    for (let left = count(); left > 0; left--) {
      below(names);
      below(allExprs + 1);
      below(allExprs + 1);
      some();
    }
  }
  const bindings = new Uint32Array(allScopes);
  for (let id = 0; id < allScopes; id++) {
    bindings[id] = at;
    for (let left = count(); left > 0; left--) {
      below(names);
      const has = below(16);
      if (has & 1) some();
      if (has & 2) {
        below(names);
        below(names);
      }
      if (has & 4) below(allExprs + 1);
      if (has & 8) below(allExprs + 1);
    }
  }
  const usesCount = count();
  const uses = at;
  let scope = 0;
  for (let left = usesCount; left > 0; left--) {
    below(names);
    below(USE_KINDS.length);
    // Line and column.
    at += 2;
    scope += signedOf(numbers[at++] ?? cut());
    if (scope < 0 || scope >= allScopes) cut();
    below(allExprs + 1);
    // Arguments.
    if (at++ >= numbers.length) cut();
  }
  return { exprs, scopes, definitions, named, lines, members, bindings, uses, usesCount };
}
