/**
 * `npm run site`: the Markdown of the repository as a site in build/site, which needs no server and asks no other machine for
 * anything; search reads an index that is made here. `--out DIR` puts it elsewhere.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { root } from './setup.mjs';
import { arrange } from './site/navigation.mjs';
import { readPages, resolveLink } from './site/pages.mjs';
import { htmlPath, renderBody, renderFolder, renderPage } from './site/render.mjs';
import { renderSearchIndex } from './site/search-index.mjs';

const { values } = parseArgs({ options: { out: { type: 'string', default: join(root, 'build', 'site') } } });
const out = resolve(values.out);
const pages = readPages(root);
const groups = arrange(pages);
rmSync(out, { recursive: true, force: true });

for (const page of pages) write(htmlPath(page.path), renderPage(page, renderBody(page, root), groups));
const linked = pages.flatMap(({ path, links }) => links.map((href) => resolveLink(root, path, href)));
const pathsOf = (kind) => new Set(linked.filter((link) => link.kind === kind).map(({ path }) => path));
for (const path of pathsOf('file')) {
  mkdirSync(dirname(join(out, path)), { recursive: true });
  cpSync(join(root, path), join(out, path));
}
for (const folder of pathsOf('folder')) {
  const inside = pages.filter(({ path }) => path.startsWith(`${folder}/`));
  const page = { path: `${folder}/index.md`, title: folder, headings: [] };
  write(`${folder}/index.html`, renderPage(page, renderFolder(folder, inside), groups));
}
cpSync(fileURLToPath(new URL('site/assets', import.meta.url)), join(out, 'assets'), { recursive: true });
write('assets/search-index.js', renderSearchIndex(groups.flatMap((group) => group.pages)));
process.stdout.write(`${pages.length} pages in ${out}\n`);

function write(path, text) {
  mkdirSync(dirname(join(out, path)), { recursive: true });
  writeFileSync(join(out, path), text);
}
