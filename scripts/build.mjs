/**
 * Bundles src/ into dist/: `main.js` (the bin), `index.js` (the library) and the chunks they share, `parser-child.js` and
 * `file-reader.js`; copies the grammars and writes the type declarations.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BUNDLED } from './bundled.mjs';
import { copyGrammars } from './copy-grammars.mjs';
import { writeNotices } from './notices.mjs';
import { ensureInstalled, recordBuild } from './setup.mjs';
import { THREAD_ENTRIES } from './thread-entries.mjs';

ensureInstalled();
const { build } = await import('esbuild');
const root = fileURLToPath(new URL('..', import.meta.url));
const { version, dependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
// The grammars of an earlier build stay where they are the right ones: they come from far.
for (const name of existsSync(`${root}dist`) ? readdirSync(`${root}dist`) : [])
  if (name !== 'grammars') rmSync(`${root}dist/${name}`, { recursive: true, force: true });
const shared = {
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
const { metafile } = await build({
  ...shared,
  entryPoints: { main: 'src/main.ts', index: 'src/index.ts' },
  // Commands are loaded when they run, so `--version` and `mcp` do not pay for each other.
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
});
// By themselves: parts that they share with the others would bring much that they do not need, a sixth of the time they take to start.
await build({
  ...shared,
  entryPoints: THREAD_ENTRIES,
});
await copyGrammars();
writeNotices(Object.keys(metafile.inputs));
chmodSync(`${root}dist/main.js`, 0o755);
execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', 'tsconfig.types.json'], {
  cwd: root,
  stdio: 'inherit',
});
recordBuild();
