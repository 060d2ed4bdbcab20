/**
 * Bundles src/ into dist/: `main.js` (the bin), `program.js` and its compiled twin `program-….cjs`, `index.js` (the library),
 * `parser-child.js` with `parser-process.js` and its compiled twin, and `file-reader.js`; copies the grammars and writes the type
 * declarations.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BUNDLED } from './bundled.mjs';
import { compileParser, compileProgram } from './compile-program.mjs';
import { copyGrammars } from './copy-grammars.mjs';
import { writeNotices } from './notices.mjs';
import { ensureInstalled, recordBuild } from './setup.mjs';

ensureInstalled();
const { build } = await import('esbuild');
const root = fileURLToPath(new URL('..', import.meta.url));
const { version, dependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
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
const twinOf = (entryPoints, more) =>
  build({
    ...shared,
    entryPoints,
    write: false,
    format: 'cjs',
    supported: { 'dynamic-import': false },
    define: { ...shared.define, 'import.meta.url': 'bundledUrl' },
    banner: {
      js: `const bundledUrl = require('node:url').pathToFileURL(__filename).href; const laterrequire = (name, loaded) => new Proxy({}, { get: (_, key) => (loaded ??= require(name))[key] });`,
    },
    ...more,
  });
const twin = await twinOf({ program: 'src/program.ts' });
// A start loads all that any command may need of Node. These cost it a dozen milliseconds and few commands use most of them, so
// each is loaded when something of it is first asked for. What comes through `__toESM` is copied at once: that stays.
const LATER = ['child_process', 'crypto', 'http', 'readline', 'readline/promises', 'worker_threads', 'zlib'];
const asked = new RegExp(`(?<!__toESM\\(\\s*)\\brequire\\("node:(?:${LATER.join('|')})"\\)`, 'g');
const contents = twin.outputFiles[0].text.replace(asked, (found) => `later${found}`);
const programName = writeTwin('program', contents);
// The runtime of the grammars is in it, in the form that has no `import` of its own; its WASM stays a file of its package.
const parserTwin = await twinOf(
  { parser: 'src/parsing/parser-process.ts' },
  {
    external: shared.external.filter((name) => name !== 'web-tree-sitter'),
    alias: { 'web-tree-sitter': `${root}node_modules/web-tree-sitter/web-tree-sitter.cjs` },
  },
);
const parserName = writeTwin('parser', parserTwin.outputFiles[0].text);

/** V8 looks at nothing but the length of a source: by its name, what was compiled of another one is never taken for it. */
function writeTwin(name, text) {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  writeFileSync(`${root}dist/${name}-${digest}.cjs`, text);
  return `${name}-${digest}.cjs`;
}

// By themselves: parts that they share with the others would bring much that they do not need, a sixth of the time they take to start.
await build({
  ...shared,
  define: {
    ...shared.define,
    WAYMARK_PROGRAM: JSON.stringify(programName),
    WAYMARK_PARSER: JSON.stringify(parserName),
  },
  entryPoints: {
    main: 'src/main.ts',
    'parser-child': 'src/parsing/parser-main.ts',
    'parser-process': 'src/parsing/parser-process.ts',
    'file-reader': 'src/indexing/reader-main.ts',
    engine: 'src/engine/thread-main.ts',
  },
  plugins: [
    {
      name: 'what is compiled beforehand stays a file of its own',
      setup({ onResolve }) {
        onResolve({ filter: /^\.\/(?:program|parser-process)\.ts$/ }, ({ path, kind }) =>
          kind === 'dynamic-import' ? { path: path.replace(/\.ts$/, '.js'), external: true } : undefined,
        );
      },
    },
  ],
});
await copyGrammars();
writeNotices(Object.keys({ ...metafile.inputs, ...parserTwin.metafile.inputs }));
chmodSync(`${root}dist/main.js`, 0o755);
execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', 'tsconfig.types.json'], {
  cwd: root,
  stdio: 'inherit',
});
await compileProgram(`${root}dist/${programName}`);
await compileParser(`${root}dist/${parserName}`);
recordBuild();
