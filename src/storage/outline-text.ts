/**
 * Definitions as they are kept: one text per file, a line for each: where it begins, how many more lines it has, and the rest as
 * a JSON list without names. Those of some lines are found without reading the others. Kinds and visibilities are
 * places in their lists: whoever changes the order of those changes the schema's version.
 */
import { AppError, DEFINITION_KINDS, VISIBILITIES, type Definition, type LineRange } from '../core/index.ts';

/** Undefined where there are none. They come in the order of their first lines. */
export function renderOutline(definitions: readonly Definition[]): string | undefined {
  if (definitions.length === 0) return undefined;
  return definitions
    .map(({ name, kind, startLine, endLine, signature, container, doc, visibility }) => {
      const visible = visibility === undefined ? undefined : VISIBILITIES.indexOf(visibility);
      const optional = [container, doc, visible].map((value) => value ?? 0);
      while (optional.at(-1) === 0 && (optional.length < 3 || visible === undefined)) optional.pop();
      const rest = JSON.stringify([name, DEFINITION_KINDS.indexOf(kind), signature, ...optional]);
      return `${startLine} ${Math.max(0, endLine - startLine)} ${rest}`;
    })
    .join('\n');
}

/** What a file defines, as it is kept: whoever shows a few lines of it needs few of its definitions. */
export class Outline {
  private readonly kept: string;

  constructor(kept: string | undefined) {
    this.kept = kept ?? '';
  }

  /** Characters that it is kept in. */
  get size(): number {
    return this.kept.length;
  }

  all(): Definition[] {
    return this.touching({ startLine: 0, endLine: Number.MAX_SAFE_INTEGER }).map((one) => one.whole());
  }

  /** Those with a line in the range. */
  touching({ startLine, endLine }: LineRange): KeptDefinition[] {
    const { kept } = this;
    const found: KeptDefinition[] = [];
    for (let from = 0; from < kept.length;) {
      const end = endOf(kept, '\n', from);
      // Digit by digit: of most lines nothing else is wanted, and cutting each out takes longer.
      let at = from;
      let first = 0;
      for (let digit = digitAt(kept, at); digit >= 0; digit = digitAt(kept, ++at)) first = first * 10 + digit;
      if (at === from || kept.charCodeAt(at) !== SPACE) throw damaged();
      const second = ++at;
      let more = 0;
      for (let digit = digitAt(kept, at); digit >= 0; digit = digitAt(kept, ++at)) more = more * 10 + digit;
      if (at === second || at > end) throw damaged();
      // They stand in the order of their first lines.
      if (first > endLine) break;
      const last = first + more;
      if (last >= startLine) found.push(new KeptDefinition(first, last, kept.slice(at + 1, end)));
      from = end + 1;
    }
    return found;
  }
}

/** Most are asked for their lines only: the rest is read when it is wanted. */
export class KeptDefinition implements Definition {
  readonly startLine: number;
  readonly endLine: number;
  private readonly json: string;
  private read: Definition | undefined;

  constructor(startLine: number, endLine: number, json: string) {
    this.startLine = startLine;
    this.endLine = endLine;
    this.json = json;
  }

  whole(): Definition {
    return (this.read ??= toDefinition(this.startLine, this.endLine, this.json));
  }

  get name(): string {
    return this.whole().name;
  }

  get kind(): Definition['kind'] {
    return this.whole().kind;
  }

  get container(): string | undefined {
    return this.whole().container;
  }

  get signature(): string {
    return this.whole().signature;
  }

  get doc(): string | undefined {
    return this.whole().doc;
  }
}

const SPACE = 32;
const ZERO = 48;

/** -1 where there is none. */
function digitAt(text: string, at: number): number {
  const digit = text.charCodeAt(at) - ZERO;
  return digit >= 0 && digit <= 9 ? digit : -1;
}

function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at;
}

function toDefinition(startLine: number, endLine: number, json: string): Definition {
  const value = parseList(json);
  const name = value[0];
  const kind = value[1];
  const signature = value[2];
  const container = value[3];
  const doc = value[4];
  const visibility = value[5];
  const known = typeof kind === 'number' ? DEFINITION_KINDS[kind] : undefined;
  if (typeof name !== 'string' || known === undefined || typeof signature !== 'string') throw damaged();
  const visible = typeof visibility === 'number' ? VISIBILITIES[visibility] : undefined;
  const definition = {
    name,
    kind: known,
    container: typeof container === 'string' ? container : undefined,
    signature,
    doc: typeof doc === 'string' ? doc : undefined,
    startLine,
    endLine,
  };
  return visible === undefined ? definition : { ...definition, visibility: visible };
}

function parseList(json: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(json);
    if (Array.isArray(parsed)) return parsed;
  } catch {
    // What is kept is ours, and always JSON: something has changed it.
  }
  throw damaged();
}

function damaged(): AppError {
  return new AppError('storage_damaged', 'The index holds a definition that cannot be read.', {
    hint: 'Run `waymark clear`, then `waymark index`: an index is made again from the files.',
  });
}
