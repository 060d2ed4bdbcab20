/** The types of navigation.mjs, for TypeScript. */
export const NAVIGATION: readonly (readonly [title: string, pages: readonly string[]])[];
