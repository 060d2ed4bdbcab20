/**
 * Packages that every start needs go into the bundle: a hundred small files cost a cold process a third of its time to the first
 * answer. They stay among the dependencies, because the library's types speak of them; what carries the program alone does
 * without them.
 */
export const BUNDLED = [
  '@modelcontextprotocol/core',
  '@modelcontextprotocol/server',
  'commander',
  'jsonc-parser',
  'zod',
];
