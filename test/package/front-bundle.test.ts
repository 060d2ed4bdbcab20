/** What a server loads in its main thread: protocols, detection and rendering, none of the engine. */
import { build, type BuildOptions, type Metafile } from 'esbuild';
import { expect, test } from 'vitest';

/** How the build does it. */
const OPTIONS = new URL('../../scripts/bundle-options.mjs', import.meta.url).href;
/** Values of these rooms that the front shows: names, limits, rendering. Few, and none that opens, reads or ranks. */
const SHOWN =
  /^src\/(?:search\/(?:query\/parse-query|rank\/(?:definition-)?features|show\/\w[\w-]*)|indexing\/[\w-]+)\.ts$/;
const MOST_SHOWN_BYTES = 8_000;
const ENGINE =
  /^src\/(?:storage|embedding|languages|indexing|search)\/|^node_modules\/(?:@photostructure|web-tree-sitter)/;

interface Loaded {
  readonly file: string;
  readonly bytes: number;
}

/** All that is loaded with these modules, without what they load later. */
function loadedWith({ outputs }: Metafile, entryPoints: readonly string[]): readonly Loaded[] {
  const seen = new Set<string>();
  const visit = (name: string): void => {
    const output = outputs[name];
    if (output === undefined || seen.has(name)) return;
    seen.add(name);
    for (const { path, kind } of output.imports) if (kind !== 'dynamic-import') visit(path);
  };
  const found = Object.keys(outputs).filter((name) => entryPoints.includes(outputs[name]?.entryPoint ?? ''));
  expect(found).toHaveLength(entryPoints.length);
  found.forEach(visit);
  return [...seen].flatMap((name) =>
    Object.entries(outputs[name]?.inputs ?? {})
      .map(([file, { bytesInOutput }]) => ({ file, bytes: bytesInOutput }))
      .filter(({ bytes }) => bytes > 0),
  );
}

/** Outside modules that are asked for by name. */
function externals({ outputs }: Metafile): readonly string[] {
  return Object.values(outputs).flatMap(({ imports }) =>
    imports.filter(({ external }) => external === true).map(({ path }) => path),
  );
}

test('R160 the client of a shared database is in chunks of its own, which nothing loads at its start', async () => {
  const { FRONT, PROGRAM }: Record<'FRONT' | 'PROGRAM', BuildOptions> = await import(OPTIONS);
  const [program, engine] = await Promise.all([
    build({ ...PROGRAM, write: false, metafile: true }),
    build({ ...FRONT, entryPoints: { engine: 'src/engine/engine-main.ts' }, write: false, metafile: true }),
  ]);

  const loaded = [
    ...loadedWith(program.metafile, ['src/main.ts', 'src/index.ts']),
    ...loadedWith(engine.metafile, ['src/engine/engine-main.ts']),
  ].filter(({ file }) => /^node_modules\/(?:pg|postgres-|split2|xtend)/.test(file));

  for (const { metafile } of [program, engine])
    expect(Object.keys(metafile.inputs)).toContain('node_modules/pg/lib/client.js');
  expect(loaded).toEqual([]);
});

test('R180 a server loads neither stores nor indexing, search, parsing or embedding in its main thread', async () => {
  const { FRONT, PROGRAM }: Record<'FRONT' | 'PROGRAM', BuildOptions> = await import(OPTIONS);
  const [program, front] = await Promise.all([
    build({ ...PROGRAM, write: false, metafile: true }),
    build({ ...FRONT, write: false, metafile: true }),
  ]);

  const server = [
    ...loadedWith(program.metafile, ['src/main.ts']),
    ...loadedWith(front.metafile, [
      'src/front.ts',
      'src/mcp/index.ts',
      'src/tools/index.ts',
      'src/http/index.ts',
      'src/rest/index.ts',
    ]),
  ];

  const engine = server.filter(({ file }) => ENGINE.test(file));
  expect(engine.filter(({ file }) => !SHOWN.test(file))).toEqual([]);
  expect(engine.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(MOST_SHOWN_BYTES);
  expect(externals(front.metafile).filter((name) => /sqlite|tree-sitter/.test(name))).toEqual([]);
});
