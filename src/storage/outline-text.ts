/**
 * Definitions as they are kept: one JSON text per file, because they are only ever read together. Each is a list without names,
 * half as long and read in a fraction of the time. Kinds and visibilities are places in their lists: whoever changes the order
 * of those changes the schema's version.
 */
import { AppError, DEFINITION_KINDS, VISIBILITIES, type Definition, type LineRange } from '../core/index.ts';

/** Undefined where there are none. */
export function renderOutline(definitions: readonly Definition[]): string | undefined {
  if (definitions.length === 0) return undefined;
  return JSON.stringify(
    definitions.map(({ name, kind, startLine, endLine, signature, container, doc, visibility }) => {
      const visible = visibility === undefined ? undefined : VISIBILITIES.indexOf(visibility);
      const optional = [container, doc, visible].map((value) => value ?? 0);
      while (optional.at(-1) === 0 && (optional.length < 3 || visible === undefined)) optional.pop();
      return [name, DEFINITION_KINDS.indexOf(kind), startLine, endLine - startLine, signature, ...optional];
    }),
  );
}

/** What a file defines, as it is kept: whoever shows a few lines of it needs few of its definitions. */
export class Outline {
  private readonly json: string | undefined;

  constructor(json: string | undefined) {
    this.json = json;
  }

  all(): Definition[] {
    return this.parse().map(toDefinition);
  }

  /** Those with a line in the range. */
  touching({ startLine, endLine }: LineRange): Definition[] {
    return this.parse()
      .filter((value) => touches(value, startLine, endLine))
      .map(toDefinition);
  }

  private parse(): readonly unknown[] {
    const parsed: unknown = this.json === undefined ? [] : JSON.parse(this.json);
    if (!Array.isArray(parsed)) throw damaged();
    return parsed;
  }
}

/** What cannot be read counts, so that it is found out. */
function touches(value: unknown, startLine: number, endLine: number): boolean {
  if (!Array.isArray(value)) return true;
  const list: readonly unknown[] = value;
  const first = list[2];
  const length = list[3];
  if (typeof first !== 'number' || typeof length !== 'number') return true;
  return first <= endLine && first + length >= startLine;
}

function toDefinition(value: unknown): Definition {
  if (!Array.isArray(value)) throw damaged();
  const list: readonly unknown[] = value;
  const name = list[0];
  const kind = list[1];
  const startLine = list[2];
  const length = list[3];
  const signature = list[4];
  const container = list[5];
  const doc = list[6];
  const visibility = list[7];
  const known = typeof kind === 'number' ? DEFINITION_KINDS[kind] : undefined;
  if (
    typeof name !== 'string' ||
    known === undefined ||
    typeof signature !== 'string' ||
    typeof startLine !== 'number' ||
    typeof length !== 'number'
  ) {
    throw damaged();
  }
  const visible = typeof visibility === 'number' ? VISIBILITIES[visibility] : undefined;
  const definition = {
    name,
    kind: known,
    container: typeof container === 'string' ? container : undefined,
    signature,
    doc: typeof doc === 'string' ? doc : undefined,
    startLine,
    endLine: startLine + length,
  };
  return visible === undefined ? definition : { ...definition, visibility: visible };
}

function damaged(): AppError {
  return new AppError('storage_damaged', 'The index holds a definition that cannot be read.', {
    hint: 'Run `waymark clear`, then `waymark index`: an index is made again from the files.',
  });
}
