/** Starts the runtime of the grammars with one repair: memory that a grammar asks for is always there and always zero. */
import { createRequire } from 'node:module';
import { Parser } from 'web-tree-sitter';
import { readBytesIfPresent } from '../platform/index.ts';

type Calloc = (count: number, size: number) => number;
interface Imports {
  readonly env: Record<string, unknown>;
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

/**
 * The scanner of the Swift grammar asks for zero pieces of four bytes and then keeps its state there, in whatever the last
 * owner of that memory left: Swift read after SQL was seen to be all errors. So nothing is asked for as one piece.
 */
export async function startRuntime(): Promise<void> {
  const absPath = createRequire(import.meta.url).resolve('web-tree-sitter/web-tree-sitter.wasm');
  const bytes = readBytesIfPresent(absPath);
  if (bytes === undefined) throw new Error('the runtime of the grammars is not there');
  await Parser.init({
    instantiateWasm(imports: Imports, receive: (instance: Instance, module: unknown) => void) {
      const state: { calloc?: Calloc } = {};
      imports.env['calloc'] = (count: number, size: number): number =>
        state.calloc?.(Math.max(1, count), size) ?? 0;
      void WebAssembly.instantiate(bytes, imports).then(({ instance, module }) => {
        state.calloc = instance.exports.calloc;
        receive(instance, module);
      });
      return {};
    },
  });
}
