/** Writes the settings' reference page and JSON schemas into docs/reference/, from the one list in src/config/. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const bundle = `${root}node_modules/.cache/waymark/config.mjs`;
await build({
  absWorkingDir: root,
  entryPoints: ['src/config/index.ts'],
  outfile: bundle,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
});
const { renderJsonSchema, renderReference, toJsonSchema } = await import(pathToFileURL(bundle).href);

const folder = `${root}docs/reference`;
mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}/config.md`, renderReference());
writeFileSync(`${folder}/config.schema.json`, renderJsonSchema(toJsonSchema('user')));
writeFileSync(`${folder}/project-config.schema.json`, renderJsonSchema(toJsonSchema('project')));
