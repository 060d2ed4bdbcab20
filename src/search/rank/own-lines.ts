/** Which definition each line of a file belongs to. Pure. */
import type { Definition } from '../../core/index.ts';

export interface OwnLines {
  readonly definition: Definition | undefined;
  /** Its lines, from 1, without those of definitions inside of it; for no definition, the lines that are in none. */
  readonly lines: readonly number[];
}

/** Each line belongs to the smallest definition around it. */
export function ownLines(definitions: readonly Definition[], lineCount: number): OwnLines[] {
  const owner = new Int32Array(lineCount + 1).fill(-1);
  const order = definitions
    .map((definition, at) => ({ at, size: definition.endLine - definition.startLine }))
    .sort((a, b) => b.size - a.size);
  for (const { at } of order) {
    const { startLine, endLine } = definitions[at] ?? { startLine: 1, endLine: 0 };
    owner.fill(at, startLine, Math.min(endLine, lineCount) + 1);
  }
  const rest: number[] = [];
  const lines: number[][] = definitions.map(() => []);
  for (let line = 1; line < owner.length; line++) (lines[owner[line] ?? -1] ?? rest).push(line);
  const own: OwnLines[] = definitions
    .map((definition, at) => ({ definition, lines: lines[at] ?? [] }))
    .filter((one) => one.lines.length > 0);
  return rest.length === 0 ? own : [...own, { definition: undefined, lines: rest }];
}
