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

/**
 * Packages in chunks of their own, which are loaded only where a setting asks for them. They are no dependencies: what few use is not
 * installed, with all that it needs, for all others.
 */
export const BUNDLED_APART = ['pg'];
