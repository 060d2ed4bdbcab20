/** Guards against values that are defined by each other, and against chains that are too long. */
export interface Guard {
  /** Undefined where this is being worked on already, or too deep. */
  once<T>(what: object, work: () => T): T | undefined;
  /** Work that is done once for all that ask: how deep the first one is must not decide. */
  fromTop<T>(work: () => T): T;
}

export function createGuard(mostDepth: number): Guard {
  const busy = new Set<object>();
  let depth = 0;
  return {
    once(what, work) {
      if (busy.has(what) || depth > mostDepth) return undefined;
      busy.add(what);
      depth++;
      try {
        return work();
      } finally {
        busy.delete(what);
        depth--;
      }
    },
    fromTop(work) {
      const before = depth;
      depth = 0;
      try {
        return work();
      } finally {
        depth = before;
      }
    },
  };
}
