/** Which type is derived from which, through others too. */
import type { FactDefinition } from '../languages/index.ts';
import type { Target } from './targets.ts';

export interface Hierarchy {
  inherits(type: FactDefinition, base: FactDefinition): boolean;
}

const MOST_TYPES = 500;

export function createHierarchy(basesOf: (type: FactDefinition) => readonly Target[]): Hierarchy {
  const ancestors = new WeakMap<FactDefinition, ReadonlySet<FactDefinition>>();

  function readAncestors(type: FactDefinition): ReadonlySet<FactDefinition> {
    const found = new Set<FactDefinition>();
    const read = (at: FactDefinition): void => {
      for (const each of basesOf(at))
        if (each.kind === 'definition') for (const definition of each.all) found.add(definition);
    };
    read(type);
    for (const at of found) if (found.size <= MOST_TYPES) read(at);
    return found;
  }

  return {
    inherits(type, base) {
      const known = ancestors.get(type) ?? readAncestors(type);
      ancestors.set(type, known);
      return type !== base && known.has(base);
    },
  };
}
