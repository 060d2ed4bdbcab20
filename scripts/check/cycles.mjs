/** Finds circles of imports between files; type imports count, because they tie the meaning of files together too. */

/** @typedef {{ from: string, to: string, line: number }} Edge */

/**
 * One finding for each group of files that can reach each other: the shortest circle through its first file.
 * @param {readonly Edge[]} edges
 * @returns {import('./finding.mjs').Finding[]}
 */
export function checkCycles(edges) {
  /** @type {Map<string, Edge[]>} */
  const outgoing = new Map();
  for (const edge of edges) outgoing.set(edge.from, [...(outgoing.get(edge.from) ?? []), edge]);

  const findings = [];
  const reported = new Set();
  for (const start of [...outgoing.keys()].sort()) {
    if (reported.has(start)) continue;
    const circle = shortestCircle(start, outgoing);
    const [first] = circle;
    if (first === undefined) continue;
    for (const edge of circle) reported.add(edge.from);
    const route = [...circle.map((edge) => edge.from), start].join(' → ');
    const message = `Import cycle: ${route}. Move what both sides need into a file that imports neither; in a circle no file can be read, tested or changed alone (types count too).`;
    findings.push({ path: start, line: first.line, message });
  }
  return findings;
}

/**
 * @param {string} start
 * @param {ReadonlyMap<string, readonly Edge[]>} outgoing
 * @returns {readonly Edge[]}
 */
function shortestCircle(start, outgoing) {
  /** @type {Edge[][]} */
  let routes = [[]];
  const seen = new Set();
  while (routes.length > 0) {
    /** @type {Edge[][]} */
    const longer = [];
    for (const route of routes) {
      for (const edge of outgoing.get(route.at(-1)?.to ?? start) ?? []) {
        if (edge.to === start) return [...route, edge];
        if (seen.has(edge.to)) continue;
        seen.add(edge.to);
        longer.push([...route, edge]);
      }
    }
    routes = longer;
  }
  return [];
}
