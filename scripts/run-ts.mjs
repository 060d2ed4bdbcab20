/** Runs a TypeScript file (a benchmark, a campaign) on any supported Node: bundles it, then runs the bundle. */
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ensureInstalled, root } from './setup.mjs';

const [entry, ...args] = process.argv.slice(2);
if (entry === undefined) {
  process.stderr.write('error: no file given\nhint: node scripts/run-ts.mjs FILE.ts [arguments]\n');
  process.exit(2);
}
ensureInstalled();
ensureBuilt();
const { build } = await import('esbuild');

// Below node_modules, so that the bundle finds its packages; one folder per process, so that runs do not collide.
const folder = join(root, 'node_modules', '.cache', 'waymark-run', String(process.pid));
mkdirSync(folder, { recursive: true });
const outfile = join(folder, `${basename(entry, '.ts')}.mjs`);
await build({
  entryPoints: [resolve(entry)],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  sourcemap: 'inline',
  define: { WAYMARK_VERSION: '"0.0.0-run"' },
  logLevel: 'warning',
  plugins: [{ name: 'scripts', setup: keepScripts }],
});
const child = spawn(process.execPath, ['--enable-source-maps', ...nodeFlags(), outfile, ...args], {
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => {
  rmSync(folder, { recursive: true, force: true });
  process.exit(code ?? (signal === 'SIGINT' ? 130 : 1));
});

/** Scripts find the project by their own place, so they are loaded from there. */
function keepScripts({ onResolve }) {
  onResolve({ filter: /\/scripts\/[\w-]+\.mjs$/ }, ({ resolveDir, path }) => ({
    path: pathToFileURL(resolve(resolveDir, path)).href,
    external: true,
  }));
}

function nodeFlags() {
  return process.env.WAYMARK_RUN_FLAGS?.split(' ').filter(Boolean) ?? [];
}
