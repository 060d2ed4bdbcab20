/** Makes a TypeScript file runnable as a process of its own, on every Node we support. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { SHARED } from '../../scripts/bundle-options.mjs';

export interface BundledEntry {
  readonly absPath: string;
  remove(): void;
}

/** `entry` is relative to the repository, which is where tests and campaigns are started. */
export async function bundleEntry(
  entry: string,
  {
    lines = 'short',
    without = [],
  }: {
    readonly lines?: 'short' | 'as written';
    /** Modules whose place others take, to measure what they cost: endings of their paths, and the file that stands in. */
    readonly without?: readonly (readonly [module: string, instead: string])[];
  } = {},
): Promise<BundledEntry> {
  // Below node_modules, so that the bundle finds its packages.
  const cache = resolve('node_modules', '.cache', 'waymark-test');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'bundle-'));
  const absPath = join(folder, `${basename(entry, '.ts')}.mjs`);
  const { outdir: _program, ...options } = SHARED;
  await build({
    // As what is published is bundled: a program whose packages lie in hundreds of files takes half as long again to start.
    ...options,
    ...(lines === 'short' ? {} : { minifyWhitespace: false, minifySyntax: false }),
    plugins: without.map(([module, instead]) => standIn(module, instead)),
    entryPoints: [resolve(entry)],
    outfile: absPath,
    define: { WAYMARK_VERSION: '"0.0.0-test"' },
  });
  return { absPath, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** `instead` takes the place of every import whose path ends so. */
export function standIn(module: string, instead: string): Plugin {
  return {
    name: `instead of ${module}`,
    setup({ onResolve }) {
      onResolve({ filter: /^\./ }, ({ path }) =>
        path.endsWith(module) ? { path: resolve(instead) } : undefined,
      );
    },
  };
}
