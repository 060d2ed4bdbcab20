/**
 * Runs a TypeScript file (a benchmark, a campaign) on any supported Node: bundles it, then runs the bundle.
 * `--json FILE` also keeps what it prints, as raw data for docs and charts (`scripts/figures/record.mjs`).
 */
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { currentLoad, describeCommand, writeFigures } from './figures/record.mjs';
import { ensureBuilt, ensureInstalled, root } from './setup.mjs';

const [entry, ...given] = process.argv.slice(2);
const { args, json } = takeJson(given);
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
const started = { startedAt: new Date(), load: currentLoad() };
const child = spawn(process.execPath, ['--enable-source-maps', ...nodeFlags(), outfile, ...args], {
  stdio: ['inherit', json === undefined ? 'inherit' : 'pipe', 'inherit'],
});
let text = '';
child.stdout?.setEncoding('utf8').on('data', (part) => {
  text += part;
  process.stdout.write(part);
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('close', (code, signal) => {
  rmSync(folder, { recursive: true, force: true });
  const command = describeCommand(process.env.npm_lifecycle_event, args);
  if (json !== undefined && text !== '') writeFigures(resolve(json), { command, text, ...started });
  process.exit(code ?? (signal === 'SIGINT' ? 130 : 1));
});

/** Scripts find the project by their own place, so they are loaded from there. */
function keepScripts({ onResolve }) {
  onResolve({ filter: /\/scripts\/[\w-]+\.mjs$/ }, ({ resolveDir, path }) => ({
    path: pathToFileURL(resolve(resolveDir, path)).href,
    external: true,
  }));
}

function takeJson(all) {
  const at = all.indexOf('--json');
  if (at === -1) return { args: all, json: undefined };
  const [, json] = all.splice(at, 2);
  if (json !== undefined) return { args: all, json };
  process.stderr.write('error: --json needs a file\nhint: --json docs/figures/NAME.json\n');
  process.exit(2);
}

function nodeFlags() {
  return process.env.WAYMARK_RUN_FLAGS?.split(' ').filter(Boolean) ?? [];
}
