/** The words of files, packed for the index, and vectors of texts: kernel/file.ts, with strings in place of addresses. */
import { instantiate } from './wasm-module.ts';
import { WORDS_WASM, WORDS_WASM_PLAIN } from './words-wasm.ts';

/** A chunk's lines, 1-based, and its text: a part of the file's, or another one where that is not what is shown of it. */
export interface ChunkPlace {
  readonly startLine: number;
  readonly endLine: number;
  /** Places in the file's text. */
  readonly from: number;
  readonly to: number;
  readonly ownText?: string;
}

export interface NamePlace {
  readonly name: string;
  readonly weight: number;
  readonly startLine: number;
  readonly endLine: number;
}

export interface FileToPack {
  readonly text: string;
  readonly chunks: readonly ChunkPlace[];
  readonly names: readonly NamePlace[];
  readonly solidLines: number;
  /** The file's name, which counts twice among the words of each chunk, and its folders. */
  readonly stem: string;
  readonly folders: string;
  /** What counts twice in each chunk's vector, and what the path's own vector is made of. */
  readonly own: string;
  readonly place: string;
}

export interface PackedWords {
  readonly terms: Uint8Array;
  /** Only with a model. */
  readonly vectors: Uint8Array | undefined;
}

/** A model's file, and what its head says. */
export interface TextModel {
  readonly bytes: Uint8Array;
  readonly count: number;
  readonly dimensions: number;
  readonly vocabularyBytes: number;
}

export interface WordKernel {
  /** Before any text. Gives how many words the vocabulary really has. */
  useModel(model: TextModel): number;
  packFile(file: FileToPack): PackedWords;
  /** Hashes of a text's runs of three characters, ascending, packed. */
  packTrigrams(text: string): Uint8Array;
  /** Of unit length, or all zeros for a text without a known word. Only with a model. */
  encode(text: string): Float32Array;
}

/** Every number is an address, or counts what is there. */
interface Exports extends TextTaker {
  reserveTable(numbers: number): number;
  reserveModel(bytes: number): number;
  takeModel(at: number, count: number, dimensions: number, vocabularyBytes: number): number;
  packFile(): number;
  packTrigrams(units: number): number;
  encodeText(units: number): number;
  written(): number;
  packedVectors(): number;
}

/** A model in the memory of a kernel. */
interface PlacedModel extends Omit<TextModel, 'bytes'> {
  readonly at: number;
  readonly sizeBytes: number;
  /** That its vocabulary really has. */
  readonly words: number;
}

interface Opened {
  readonly kernel: Exports;
  readonly model: PlacedModel | undefined;
}

const HEAD_NUMBERS = 11;
const CHUNK_NUMBERS = 4;
const NAME_NUMBERS = 5;
/** Between pieces of text: in no word. */
const BREAK = '\n';

/** With a memory of its own. `plain`: as on a processor without SIMD. */
export function openWordKernel(engine?: 'plain'): WordKernel {
  const modules = engine === 'plain' ? [WORDS_WASM_PLAIN] : [WORDS_WASM, WORDS_WASM_PLAIN];
  // Ours, made from kernel/file.ts, which exports just these; a test calls each.
  const start = (): Exports => instantiate(modules) as unknown as Exports;
  let current: Opened | undefined = { kernel: start(), model: undefined };
  /** Of what was given up. */
  let spare: TextModel | undefined;

  const open = (): Opened =>
    (current ??= spare === undefined ? { kernel: start(), model: undefined } : load(spare));
  const load = (model: TextModel): Opened => {
    const kernel = start();
    return { kernel, model: place(kernel, model) };
  };
  /** A call that stopped midway leaves its tables half written: the next one gets a fresh kernel. */
  const safely = <T>(work: (opened: Opened) => T): T => {
    const opened = open();
    try {
      return work(opened);
    } catch (thrown) {
      const { kernel, model } = opened;
      current = undefined;
      if (model !== undefined) spare = { ...model, bytes: copyOf(kernel, model.at, model.sizeBytes) };
      throw thrown;
    }
  };

  return {
    useModel(given) {
      const { kernel } = open();
      const model = place(kernel, given);
      current = { kernel, model };
      return model.words;
    },
    packFile: (file) =>
      safely(({ kernel, model }) => {
        const { pieces, table } = layOut(file);
        writeText(kernel, file.text + pieces);
        const tableAt = kernel.reserveTable(table.length);
        new Uint32Array(kernel.memory.buffer, tableAt, table.length).set(table);
        const bytes = kernel.packFile();
        const terms = copyOf(kernel, kernel.written(), bytes);
        if (model === undefined) return { terms, vectors: undefined };
        return {
          terms,
          vectors: copyOf(kernel, kernel.packedVectors(), (file.chunks.length + 2) * (model.dimensions + 4)),
        };
      }),
    packTrigrams: (text) =>
      safely(({ kernel }) => {
        const lower = text.toLowerCase();
        writeText(kernel, lower);
        const bytes = kernel.packTrigrams(lower.length);
        return copyOf(kernel, kernel.written(), bytes);
      }),
    encode: (text) =>
      safely(({ kernel, model }) => {
        writeText(kernel, text);
        const at = kernel.encodeText(text.length);
        return new Float32Array(kernel.memory.buffer, at, model?.dimensions ?? 0).slice();
      }),
  };
}

function place(kernel: Exports, { bytes, ...head }: TextModel): PlacedModel {
  const at = kernel.reserveModel(bytes.byteLength);
  new Uint8Array(kernel.memory.buffer, at, bytes.byteLength).set(bytes);
  const words = kernel.takeModel(at, head.count, head.dimensions, head.vocabularyBytes);
  return { ...head, at, sizeBytes: bytes.byteLength, words };
}

function copyOf(kernel: Exports, at: number, bytes: number): Uint8Array {
  return new Uint8Array(kernel.memory.buffer, at, bytes).slice();
}

/** The table of kernel/file.ts, and what follows the file's text: every piece with a break before it. */
function layOut(file: FileToPack): { readonly pieces: string; readonly table: Uint32Array } {
  const { text, chunks, names } = file;
  const table = new Uint32Array(HEAD_NUMBERS + chunks.length * CHUNK_NUMBERS + names.length * NAME_NUMBERS);
  let at = 0;
  let pieces = '';
  const put = (piece: string): void => {
    const from = text.length + pieces.length + BREAK.length;
    pieces += BREAK + piece;
    table[at++] = from;
    table[at++] = from + piece.length;
  };
  table[at++] = chunks.length;
  table[at++] = names.length;
  table[at++] = file.solidLines;
  put(file.stem);
  put(file.folders);
  put(file.own);
  put(file.place);
  for (const { startLine, endLine, from, to, ownText } of chunks) {
    table[at++] = startLine;
    table[at++] = endLine;
    if (ownText === undefined) {
      table[at++] = from;
      table[at++] = to;
    } else put(ownText);
  }
  for (const { name, weight, startLine, endLine } of names) {
    table[at++] = weight;
    table[at++] = startLine;
    table[at++] = endLine;
    put(name);
  }
  return { pieces, table };
}

export interface TextTaker {
  readonly memory: WebAssembly.Memory;
  /** Where a text of so many units may be written. */
  reserveText(units: number): number;
}

/** Strings become UTF-16 units in a kernel's memory. */
export function writeText(kernel: TextTaker, text: string): void {
  const at = kernel.reserveText(text.length);
  // Not before: memory that grows is another buffer.
  Buffer.from(kernel.memory.buffer, at, text.length * 2).write(text, 'utf16le');
}
