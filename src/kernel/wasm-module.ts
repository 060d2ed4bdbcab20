/** Modules of ours, compiled and ready. */
import { AppError } from '../core/index.ts';

/** The first that runs here: not every processor has SIMD. */
export function instantiate(modules: readonly string[]): WebAssembly.Instance['exports'] {
  try {
    return new WebAssembly.Instance(compile(modules), { model: { log: Math.log } }).exports;
  } catch (cause) {
    throw new AppError(
      'internal',
      'Waymark reads and searches with WebAssembly, and this process cannot run it.',
      {
        hint: 'Start Node without --jitless, and with room for its addresses (ulimit -v unlimited).',
        cause,
      },
    );
  }
}

function compile(modules: readonly string[]): WebAssembly.Module {
  const all = modules.map((base64) => Buffer.from(base64, 'base64'));
  const bytes = all.find((module) => WebAssembly.validate(module)) ?? Buffer.alloc(0);
  return new WebAssembly.Module(bytes);
}
