/** Which type is derived from which, through others too. */
import type { FactDefinition } from '../languages/index.ts';
import type { Target } from './targets.ts';

export interface Hierarchy {
  inherits(type: FactDefinition, base: FactDefinition): boolean;
}

const MOST_TYPES = 500;

export function createHierarchy(basesOf: (type: FactDefinition) => readonly Target[]): Hierarchy {
  return {
    inherits(type, base) {
      const seen = new Set([type]);
      for (const at of seen) {
        for (const each of basesOf(at))
          if (each.kind === 'definition') for (const definition of each.all) seen.add(definition);
        if (at !== base && seen.has(base)) return true;
        if (seen.size > MOST_TYPES) return false;
      }
      return false;
    },
  };
}
