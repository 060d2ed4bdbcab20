/**
 * Bundles src/ into dist/: `main.js` (the bin), `index.js` (the library), `front.js` (servers) and their chunks, `hook.js` (hooks of clients), and the
 * modules of threads and child processes, and the page for a browser (`web/`); copies the grammars and writes the type declarations.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FRONT, HOOK, PAGE, PROGRAM, SHARED } from './bundle-options.mjs';
import { copyGrammars } from './copy-grammars.mjs';
import { writeNotices } from './notices.mjs';
import { ensureInstalled, recordBuild } from './setup.mjs';
import { THREAD_ENTRIES } from './thread-entries.mjs';

ensureInstalled();
const { build } = await import('esbuild');
const root = fileURLToPath(new URL('..', import.meta.url));
// The grammars of an earlier build stay where they are the right ones: they come from far.
for (const name of existsSync(`${root}dist`) ? readdirSync(`${root}dist`) : [])
  if (name !== 'grammars') rmSync(`${root}dist/${name}`, { recursive: true, force: true });
const bundles = [await build(PROGRAM), await build(FRONT), await build(HOOK), await build(PAGE)];
for (const name of ['index.html', 'icon.svg']) copyFileSync(`${root}web/${name}`, `${root}dist/web/${name}`);
// By themselves: parts that they share with the others would bring much that they do not need, a sixth of the time they take to start.
const { engine, ...others } = THREAD_ENTRIES;
await build({ ...SHARED, entryPoints: others });
// Split, so that what only some settings need is not read by all.
await build({ ...FRONT, entryPoints: { engine } });
await copyGrammars();
writeNotices(bundles.flatMap(({ metafile }) => Object.keys(metafile.inputs)));
chmodSync(`${root}dist/main.js`, 0o755);
execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', 'tsconfig.types.json'], {
  cwd: root,
  stdio: 'inherit',
});
recordBuild();
