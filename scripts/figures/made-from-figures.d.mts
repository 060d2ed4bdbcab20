/** The types of made-from-figures.mjs, for TypeScript. */
export function madeFromFigures(root: string): readonly { readonly path: string; readonly text: string }[];
