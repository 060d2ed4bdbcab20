/** Guards against values that are defined by each other, and against chains that are too long. */
export function createGuard(mostDepth: number): <T>(what: object, work: () => T) => T | undefined {
  const busy = new Set<object>();
  let depth = 0;
  return (what, work) => {
    if (busy.has(what) || depth > mostDepth) return undefined;
    busy.add(what);
    depth++;
    try {
      return work();
    } finally {
      busy.delete(what);
      depth--;
    }
  };
}
