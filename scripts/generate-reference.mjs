/** Writes what is generated: the settings' reference and schemas, the guides to clients and to trouble, the links that install, the drawing of the rooms. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { writeDiagram } from './check/house-diagram.mjs';
import { withDeepLinks } from './package/deep-links.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Loads a TypeScript file on any supported Node, by bundling it first. */
async function load(entry, name) {
  const outfile = `${root}node_modules/.cache/waymark/${name}.mjs`;
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  });
  return import(pathToFileURL(outfile).href);
}

const { renderJsonSchema, renderReference, toJsonSchema } = await load('src/config/index.ts', 'config');
const folder = `${root}docs/reference`;
mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}/config.md`, renderReference());
writeFileSync(`${folder}/config.schema.json`, renderJsonSchema(toJsonSchema('user')));
writeFileSync(`${folder}/project-config.schema.json`, renderJsonSchema(toJsonSchema('project')));

const { renderRestReference } = await load('src/rest/index.ts', 'rest');
writeFileSync(`${folder}/rest.md`, renderRestReference());

const { withClientTable } = await load('test/support/client-table.ts', 'client-table');
const guide = `${root}docs/guides/clients.md`;
writeFileSync(guide, withClientTable(readFileSync(guide, 'utf8')));

const { clientPages } = await load('test/support/client-pages.ts', 'client-pages');
mkdirSync(`${root}docs/guides/clients`, { recursive: true });
for (const [name, text] of clientPages()) writeFileSync(`${root}docs/guides/clients/${name}`, text);

const { troublePage } = await load('test/support/trouble-page.ts', 'trouble-page');
writeFileSync(`${root}docs/guides/troubleshooting.md`, troublePage());

const { withToolNames } = await load('test/support/tool-names.ts', 'tool-names');
const migrating = `${root}docs/guides/migrating.md`;
writeFileSync(migrating, withToolNames(readFileSync(migrating, 'utf8')));

writeFileSync(guide, withDeepLinks(readFileSync(guide, 'utf8')));

await writeDiagram(root);
