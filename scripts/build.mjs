/**
 * Bundles src/ into dist/: `main.js` (the bin), `program.js` and its compiled twin `program-….cjs`, `index.js` (the library),
 * `parser-child.js` and `file-reader.js`; copies the grammars and writes the type declarations.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileProgram } from './compile-program.mjs';
import { copyGrammars } from './copy-grammars.mjs';
import { writeNotices } from './notices.mjs';
import { ensureInstalled, recordBuild } from './setup.mjs';

ensureInstalled();
const { build } = await import('esbuild');
const root = fileURLToPath(new URL('..', import.meta.url));
const { version, dependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
/**
 * What every start needs goes into the bundle: a hundred small files cost a cold process a third of its time to the first
 * answer. They stay among the dependencies, because the library's types speak of them.
 */
const BUNDLED = ['@modelcontextprotocol/server', 'commander', 'zod'];

rmSync(`${root}dist`, { recursive: true, force: true });
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
  entryPoints: { program: 'src/program.ts', index: 'src/index.ts' },
  // Commands are loaded when they run, so `--version` and `mcp` do not pay for each other.
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
});
// The same once more, as one file that V8 can compile beforehand.
const twin = await build({
  ...shared,
  entryPoints: { program: 'src/program.ts' },
  write: false,
  format: 'cjs',
  supported: { 'dynamic-import': false },
  define: { ...shared.define, 'import.meta.url': 'bundledUrl' },
  banner: {
    js: `const bundledUrl = require('node:url').pathToFileURL(__filename).href; const laterrequire = (name, loaded) => new Proxy({}, { get: (_, key) => (loaded ??= require(name))[key] });`,
  },
});
// A start loads all that any command may need of Node. These cost it a dozen milliseconds and few commands use most of them, so
// each is loaded when something of it is first asked for. What comes through `__toESM` is copied at once: that stays.
const LATER = ['child_process', 'crypto', 'http', 'readline', 'readline/promises', 'worker_threads', 'zlib'];
const asked = new RegExp(`(?<!__toESM\\(\\s*)\\brequire\\("node:(?:${LATER.join('|')})"\\)`, 'g');
const contents = twin.outputFiles[0].text.replace(asked, (found) => `later${found}`);
// V8 looks at nothing but the length of a source: by its name, what was compiled of another one is never taken for it.
const programName = `program-${createHash('sha256').update(contents).digest('hex').slice(0, 16)}.cjs`;
writeFileSync(`${root}dist/${programName}`, contents);
// By themselves: parts that they share with the others would bring much that they do not need, a sixth of the time they take to start.
await build({
  ...shared,
  define: { ...shared.define, WAYMARK_PROGRAM: JSON.stringify(programName) },
  entryPoints: {
    main: 'src/main.ts',
    'parser-child': 'src/parsing/parser-main.ts',
    'file-reader': 'src/indexing/reader-main.ts',
  },
  plugins: [
    {
      name: 'the program stays a file of its own',
      setup({ onResolve }) {
        onResolve({ filter: /^\.\/program\.ts$/ }, () => ({ path: './program.js', external: true }));
      },
    },
  ],
});
await copyGrammars();
writeNotices(Object.keys(metafile.inputs));
chmodSync(`${root}dist/main.js`, 0o755);
execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', 'tsconfig.types.json'], {
  cwd: root,
  stdio: 'inherit',
});
await compileProgram(`${root}dist/${programName}`);
recordBuild();
