/** A value that is made when it is first asked for and then kept, so that loading the program does not pay for it. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
