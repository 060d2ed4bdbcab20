/** Strings become UTF-16 units in a kernel's memory. */

export interface TextTaker {
  readonly memory: WebAssembly.Memory;
  /** Where a text of so many units may be written. */
  reserveText(units: number): number;
}

export function writeText(kernel: TextTaker, text: string): void {
  const at = kernel.reserveText(text.length);
  // Not before: memory that grows is another buffer.
  Buffer.from(kernel.memory.buffer, at, text.length * 2).write(text, 'utf16le');
}
