/** Base64 of the module that src/embedding/kernel.wat gives. */
export function assembleKernel(): Promise<string>;
