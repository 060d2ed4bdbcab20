/**
 * Starts the runtime of the grammars with two changes: memory that a grammar asks for is always there and always zero, and text
 * is copied to it in one go.
 */
import { createRequire } from 'node:module';
import { Parser, type Tree } from 'web-tree-sitter';
import { readBytesIfPresent } from '../../platform/index.ts';
import type { RuntimeMemory } from './copy-tree.ts';

type Calloc = (count: number, size: number) => number;
interface Imports {
  readonly env: Record<string, unknown> & { readonly memory: { readonly buffer: ArrayBuffer } };
}
interface Instance {
  readonly exports: { readonly calloc: Calloc };
}

// Node has it; the types of Node name only its types.
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: Imports,
  ): Promise<{ readonly instance: Instance; readonly module: unknown }>;
};

export interface Runtime {
  /** Null only if the parser has no language. */
  parse(parser: Parser, text: string): Tree | null;
  /** Where grammars and trees are. Its buffer is another one whenever it has grown. */
  readonly memory: RuntimeMemory;
}

/** Of the buffer into which the runtime has text copied, less the zero that its own copying puts behind. */
const MOST_BYTES_AT_ONCE = 10 * 1024 - 2;
const NO_TEXT = Buffer.alloc(0);

/** Once in a process: the library keeps one runtime, and does not start it again. */
export async function startRuntime(): Promise<Runtime> {
  const absPath = createRequire(import.meta.url).resolve('web-tree-sitter/web-tree-sitter.wasm');
  const bytes = readBytesIfPresent(absPath);
  if (bytes === undefined) throw new Error('the runtime of the grammars is not there');
  const state: { text: Buffer; memory: RuntimeMemory } = {
    text: NO_TEXT,
    memory: { buffer: new ArrayBuffer(0) },
  };
  await Parser.init({
    instantiateWasm(imports: Imports, receive: (instance: Instance, module: unknown) => void) {
      const given: { calloc?: Calloc } = {};
      state.memory = imports.env.memory;
      // The scanner of the Swift grammar asks for zero pieces of four bytes and then keeps its state there, in whatever the
      // last owner of that memory left: Swift read after SQL was seen to be all errors. So nothing is asked for as one piece.
      imports.env['calloc'] = (count: number, size: number): number =>
        given.calloc?.(Math.max(1, count), size) ?? 0;
      imports.env['tree_sitter_parse_callback'] = copyFrom(state, imports.env.memory);
      void WebAssembly.instantiate(bytes, imports).then(({ instance, module }) => {
        given.calloc = instance.exports.calloc;
        receive(instance, module);
      });
      return {};
    },
  });
  return {
    memory: state.memory,
    parse(parser, text) {
      state.text = Buffer.allocUnsafeSlow(text.length * 2);
      state.text.write(text, 'utf16le');
      try {
        return parser.parse(text);
      } finally {
        state.text = NO_TEXT;
      }
    },
  };
}

/**
 * What the runtime calls for the next piece of text. Its own loop over characters was more than half of the time for
 * Scala, whose scanner asks for the column and so has the line read again, a hundred times for each kilobyte.
 */
function copyFrom(
  source: { readonly text: Buffer },
  memory: { readonly buffer: ArrayBuffer },
): (to: number, index: number, row: number, column: number, lengthAt: number) => void {
  let [bytes, fields] = [new Uint8Array(memory.buffer), new DataView(memory.buffer)];
  return (to, index, _row, _column, lengthAt) => {
    // Memory that grew is another buffer.
    if (bytes.buffer !== memory.buffer)
      [bytes, fields] = [new Uint8Array(memory.buffer), new DataView(memory.buffer)];
    const piece = source.text.subarray(index * 2, index * 2 + MOST_BYTES_AT_ONCE);
    bytes.set(piece, to);
    // A zero behind, as the runtime puts it: what is read past the end must not depend on what was there before.
    fields.setUint16(to + piece.length, 0, true);
    fields.setUint32(lengthAt, piece.length / 2, true);
  };
}
