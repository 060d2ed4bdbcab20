/** How src/ is bundled: what the build and the tests of its result share. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BUNDLED } from './bundled.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version, dependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

/** @satisfies {import('esbuild').BuildOptions} */
export const SHARED = {
  absWorkingDir: root,
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: Object.keys(dependencies).filter((name) => !BUNDLED.includes(name)),
  // A bundled CommonJS package asks for Node's own modules by require.
  banner: {
    js: `import { createRequire as bundledRequire } from 'node:module'; const require = bundledRequire(import.meta.url);`,
  },
  alias: {
    // The SDK checks forms that a user filled in with Ajv, a third of all code that a server would load. Waymark asks for no forms.
    '@modelcontextprotocol/server/_shims': './scripts/sdk-shims.mjs',
    // Its main file is UMD, which a bundle can neither shake nor resolve.
    'jsonc-parser': './node_modules/jsonc-parser/lib/esm/main.js',
  },
  metafile: true,
  legalComments: 'none',
  // A start reads and scans all of it. Names stay, and lines stay short, for the sake of stack traces.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 200,
  define: { WAYMARK_VERSION: JSON.stringify(version) },
  logLevel: 'warning',
};

/**
 * What servers load in their main thread, by itself: among the chunks of the program, one value of a room would bring all of the room.
 * @satisfies {import('esbuild').BuildOptions}
 */
export const FRONT = {
  ...SHARED,
  entryPoints: { front: 'src/front.ts' },
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
};

/**
 * What the hooks of clients load: one file, so that nothing is looked for.
 * @satisfies {import('esbuild').BuildOptions}
 */
export const HOOK = { ...SHARED, entryPoints: { hook: 'src/hook.ts' } };

/** @type {import('esbuild').Plugin} */
const byThemselves = {
  name: 'front and hook by themselves',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/(?:front|hook)\.ts$/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: path.replace(/ts$/, 'js'), external: true } : undefined,
    );
  },
};

/**
 * The bin and the library. Commands are loaded when they run, so that they do not pay for each other.
 * @satisfies {import('esbuild').BuildOptions}
 */
export const PROGRAM = {
  ...SHARED,
  entryPoints: { main: 'src/main.ts', program: 'src/program.ts', index: 'src/index.ts' },
  plugins: [byThemselves],
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
};

/**
 * The page: two files, which ask for nothing else.
 * @satisfies {import('esbuild').BuildOptions}
 */
export const PAGE = {
  absWorkingDir: root,
  entryPoints: { page: 'web/main.ts', styles: 'web/style.css' },
  entryNames: '[name]',
  outdir: 'dist/web',
  bundle: true,
  format: 'iife',
  platform: 'browser',
  target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
  minify: true,
  metafile: true,
  legalComments: 'none',
  logLevel: 'warning',
};
