/**
 * The rows of a file as they are stored, packed where they are made, because that may be another thread: words, vectors, and the
 * definitions as one text.
 *
 * The text has a line for each definition: where it begins, how many more lines it has, and the rest as a JSON list without names, so
 * that the definitions of some lines are found without reading the others. Kinds and visibilities are indexes into their lists:
 * changing the order of those lists changes the schema's version.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { AppError, type Definition, DEFINITION_KINDS, type LineRange, VISIBILITIES } from '../core/index.ts';
import { rowIsCut } from './byte-stream.ts';

export interface PackedFile {
  readonly language: string;
  readonly lines: number;
  /** Which rules found its bytes to be its text as it is shown, with nothing to take out; 0 if none did. */
  readonly plainBy: number;
  /** How many it has. */
  readonly chunks: number;
  readonly definitions: number;
  /** Undefined without definitions. */
  readonly outline: string | undefined;
  /** As kernel/file.ts packs them. */
  readonly terms: Uint8Array;
  /** Hashes of its runs of three characters, ascending: what tells which files may hold a piece of text. */
  readonly trigrams: Uint8Array;
  /** Left out without an encoder. */
  readonly vectors: (Pick<FileVectors, 'model' | 'dimensions'> & { readonly packed: Uint8Array }) | undefined;
}

/** One row for the path, one for the file, then one per chunk. */
export interface FileVectors {
  /** What made them: vectors of different makers are never compared. */
  readonly model: string;
  readonly dimensions: number;
  readonly rows: Int8Array;
  readonly scales: Float32Array;
}

/** Rows as they are; scales behind them. */
export function packVectors({ rows, scales }: FileVectors): Uint8Array {
  const packed = new Uint8Array(rows.byteLength + scales.byteLength);
  packed.set(new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength));
  packed.set(new Uint8Array(scales.buffer, scales.byteOffset, scales.byteLength), rows.byteLength);
  return packed;
}

/** How many there are. */
export function packedCount(packed: Uint8Array, dimensions: number): number {
  return packed.byteLength / (dimensions + 4);
}

export function unpackVectors(packed: Uint8Array, dimensions: number): Pick<FileVectors, 'rows' | 'scales'> {
  const count = packedCount(packed, dimensions);
  const scales = new Float32Array(count);
  // Byte by byte: they need not lie where such numbers may begin.
  new Uint8Array(scales.buffer).set(packed.subarray(count * dimensions));
  return { rows: new Int8Array(packed.buffer, packed.byteOffset, count * dimensions), scales };
}

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

/** Deflated: the text is as long as a fifth of its source, and a third of that so. Slower levels save no more than a tenth of it. */
const TEXT_LEVEL = 3;
/** No outline is so long: a damaged one must not ask for gigabytes. */
const MOST_TEXT_BYTES = 64 * 1024 * 1024;

export function packText(text: string): Uint8Array {
  return deflateRawSync(text, { level: TEXT_LEVEL });
}

export function unpackText(packed: Uint8Array): string {
  try {
    return inflateRawSync(packed, { maxOutputLength: MOST_TEXT_BYTES }).toString('utf8');
  } catch (thrown) {
    throw rowIsCut(thrown);
  }
}

/** What a file defines, decoded lazily: an answer that shows a few lines needs few of the definitions. */
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
    // We always write JSON, so the row is damaged.
  }
  throw damaged();
}

function damaged(): AppError {
  return new AppError('storage_damaged', 'The index holds a definition that cannot be read.', {
    hint: 'Run `waymark clear`, then `waymark index`: an index is made again from the files.',
  });
}

/** Whether an outline that another program made can be read. */
export function readableOutline(outline: string | undefined): boolean {
  try {
    new Outline(outline).all();
    return true;
  } catch {
    return false;
  }
}
