/** This build as a release to come would be: all of `dist/`, with the schema one step ahead. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { FRONT, PROGRAM } from '../../../scripts/bundle-options.mjs';
import { type BundledEntry, standIn } from '../../support/bundle-entry.ts';

/** Large, and the same for both. */
const LINKED = ['dist/grammars', 'assets'];
const LEFT_OUT = ['dist/types', ...LINKED].map((name) => resolve(name));

export async function buildNextRelease(): Promise<BundledEntry> {
  const cache = resolve('node_modules', '.cache', 'waymark-test');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'next-'));
  cpSync('package.json', join(folder, 'package.json'));
  cpSync('dist', join(folder, 'dist'), {
    recursive: true,
    filter: (from) => !LEFT_OUT.includes(resolve(from)),
  });
  for (const name of LINKED) symlinkSync(resolve(name), join(folder, name));
  const ahead = standIn('./schema.ts', 'test/campaigns/rolling/next-schema.ts');
  const outdir = join(folder, 'dist');
  await build({ ...PROGRAM, outdir, plugins: [...PROGRAM.plugins, ahead] });
  await build({ ...FRONT, outdir, entryPoints: { engine: 'src/engine/engine-main.ts' }, plugins: [ahead] });
  return {
    absPath: join(outdir, 'main.js'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
