/** Names that a project does not have, made from those that it has: what a caller gets who misremembers one. */

export interface Asked {
  readonly kind: 'refused' | 'answered';
  /** The error names names that are near. */
  readonly hasNear: boolean;
}

/** The same list for the same names. A letter left out, doubled, swapped or changed, two halves, and a container that is none. */
export function makeUpNames(known: readonly string[], count: number): readonly string[] {
  const names = [...new Set(known)].filter((name) => /^[A-Za-z_]\w{3,40}$/.test(name)).toSorted();
  const taken = new Set(known);
  const made = new Set<string>();
  let state = 1;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % limit;
  };
  // Few names give few others: the loop ends in any case.
  for (let tries = 0; made.size < count && tries < count * 20 && names.length > 0; tries++) {
    const name = names[below(names.length)] ?? '';
    const other = names[below(names.length)] ?? '';
    const at = 1 + below(name.length - 1);
    const wrong = [
      name.slice(0, at) + name.slice(at + 1),
      name.slice(0, at) + name.slice(at - 1),
      `${name.slice(0, at)}${name[at + 1] ?? 'x'}${name[at] ?? ''}${name.slice(at + 2)}`,
      `${name.slice(0, at)}q${name.slice(at + 1)}`,
      name.slice(0, Math.ceil(name.length / 2)) + other.slice(Math.floor(other.length / 2)),
    ][tries % 6];
    if (wrong === undefined) made.add(`Absent${at}Zq.${name}`);
    else if (!taken.has(wrong) && wrong.length > 2) made.add(wrong);
  }
  return [...made];
}

/** Asks for each; what is answered instead of refused is another symbol's. */
export async function askMadeUp(
  names: readonly string[],
  ask: (name: string) => Promise<Asked>,
): Promise<{ readonly refused: number; readonly near: number; readonly answered: readonly string[] }> {
  let [refused, near] = [0, 0];
  const answered: string[] = [];
  for (const name of names) {
    const { kind, hasNear } = await ask(name);
    if (kind === 'answered') answered.push(name);
    else refused++;
    if (hasNear) near++;
  }
  return { refused, near, answered };
}
