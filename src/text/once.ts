/** A constant that is built when it is first asked for, so that loading the program does not pay for it. */
export function once<T extends object>(build: () => T): () => T {
  let built: T | undefined;
  return () => (built ??= build());
}
