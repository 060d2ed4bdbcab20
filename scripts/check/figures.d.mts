/** The types of figures.mjs, for TypeScript. */
export function checkFigures(
  root: string,
): readonly { readonly path: string; readonly line: number; readonly message: string }[];
