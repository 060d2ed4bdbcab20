/** Bundles src/ into dist/: `main.js` (the bin), `index.js` (the library) and `parser-child.js`; copies the grammars and writes the type declarations. */
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { copyGrammars } from './copy-grammars.mjs';
import { ensureInstalled, recordBuild } from './setup.mjs';

ensureInstalled();
const { build } = await import('esbuild');
const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

rmSync(`${root}dist`, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: {
    main: 'src/main.ts',
    index: 'src/index.ts',
    'parser-child': 'src/parsing/parser-main.ts',
  },
  outdir: 'dist',
  bundle: true,
  // Commands are loaded when they run, so `--version` and `mcp` do not pay for each other.
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  legalComments: 'none',
  define: { WAYMARK_VERSION: JSON.stringify(version) },
  logLevel: 'warning',
});
await copyGrammars();
chmodSync(`${root}dist/main.js`, 0o755);
execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', 'tsconfig.types.json'], {
  cwd: root,
  stdio: 'inherit',
});
recordBuild();
