/** The words of files, packed for the index, and vectors of texts: kernel/file.ts, with strings in place of addresses. */
import { AppError } from '../core/index.ts';
import { WORDS_WASM, WORDS_WASM_PLAIN } from './words-wasm.ts';
import { writeText, type TextTaker } from './write-text.ts';

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

const HEAD_NUMBERS = 11;
const CHUNK_NUMBERS = 4;
const NAME_NUMBERS = 5;
/** Between pieces of text: in no word. */
const BREAK = '\n';

interface OwnModel extends Omit<TextModel, 'bytes'> {
  readonly at: number;
  readonly sizeBytes: number;
}

/** With a memory of its own. `plain`: as on a processor without SIMD. */
export function openWordKernel(engine?: 'plain'): WordKernel {
  const modules = engine === 'plain' ? [WORDS_WASM_PLAIN] : [WORDS_WASM, WORDS_WASM_PLAIN];
  let kernel = instantiate(modules);
  let model: OwnModel | undefined;

  const useModel = ({ bytes, ...head }: TextModel): number => {
    const at = kernel.reserveModel(bytes.byteLength);
    new Uint8Array(kernel.memory.buffer, at, bytes.byteLength).set(bytes);
    model = { ...head, at, sizeBytes: bytes.byteLength };
    return kernel.takeModel(at, head.count, head.dimensions, head.vocabularyBytes);
  };
  const copyOf = (at: number, bytes: number): Uint8Array =>
    new Uint8Array(kernel.memory.buffer, at, bytes).slice();
  /** What stopped in the middle has left tables that nobody can trust: the next call gets others. */
  const safely = <T>(work: () => T): T => {
    try {
      return work();
    } catch (thrown) {
      const bytes = model === undefined ? undefined : copyOf(model.at, model.sizeBytes);
      kernel = instantiate(modules);
      if (model !== undefined && bytes !== undefined) useModel({ ...model, bytes });
      throw thrown;
    }
  };

  return {
    useModel,
    packFile: (file) =>
      safely(() => {
        const { pieces, table } = layOut(file);
        writeText(kernel, file.text + pieces);
        const tableAt = kernel.reserveTable(table.length);
        new Uint32Array(kernel.memory.buffer, tableAt, table.length).set(table);
        const bytes = kernel.packFile();
        const terms = copyOf(kernel.written(), bytes);
        if (model === undefined) return { terms, vectors: undefined };
        return {
          terms,
          vectors: copyOf(kernel.packedVectors(), (file.chunks.length + 2) * (model.dimensions + 4)),
        };
      }),
    packTrigrams: (text) =>
      safely(() => {
        const lower = text.toLowerCase();
        writeText(kernel, lower);
        const bytes = kernel.packTrigrams(lower.length);
        return copyOf(kernel.written(), bytes);
      }),
    encode: (text) =>
      safely(() => {
        writeText(kernel, text);
        const at = kernel.encodeText(text.length);
        return new Float32Array(kernel.memory.buffer, at, model?.dimensions ?? 0).slice();
      }),
  };
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

function instantiate(modules: readonly string[]): Exports {
  const { exports } = new WebAssembly.Instance(compile(modules), { model: { log: Math.log } });
  // Ours, made from kernel/file.ts, which exports just these; a test calls each.
  return exports as unknown as Exports;
}

/** The first that runs here. */
function compile(modules: readonly string[]): WebAssembly.Module {
  for (const base64 of modules) {
    const bytes = Buffer.from(base64, 'base64');
    if (WebAssembly.validate(bytes)) return new WebAssembly.Module(bytes);
  }
  throw new AppError('internal', 'This Node does not run WebAssembly, which Waymark needs to read words.', {
    hint: 'Start Node without --jitless.',
  });
}
