/** Base64 of the module that src/embedding/scan.wat gives. */
export function assembleKernel(): Promise<string>;
