/** A page as HTML: same paths as in the repository, `.md` become `.html`, anchors as on GitHub. */
import { posix } from 'node:path';
import { Marked } from 'marked';
import { createSlugger, plainText, resolveLink } from './pages.mjs';

/** @typedef {import('./pages.mjs').Page} Page */

/** @param {string} text */
export const escapeHtml = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** @param {string} path  Of a page in the repository. */
export function htmlPath(path) {
  return path === 'README.md' ? 'index.html' : path.replace(/\.md$/, '.html');
}

/** From one page to a file of the site. @param {string} from @param {string} to */
const relative = (from, to) => posix.relative(posix.dirname(htmlPath(from)), to) || '.';

/** @param {Page} page @param {string} root */
export function renderBody(page, root) {
  const slug = createSlugger();
  const hrefOf = (/** @type {string} */ href) => {
    const target = resolveLink(root, page.path, href);
    if (target.kind === 'outside') return href;
    const anchor = target.anchor === '' ? '' : `#${target.anchor}`;
    if (target.kind === 'page') return `${relative(page.path, htmlPath(target.path))}${anchor}`;
    if (target.kind === 'folder') return relative(page.path, `${target.path}/index.html`);
    return relative(page.path, target.path) + anchor;
  };
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const id = slug(plainText(tokens));
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)} <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        return `<a href="${escapeHtml(hrefOf(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text }) {
        return `<img src="${escapeHtml(hrefOf(href))}" alt="${escapeHtml(text)}" loading="lazy">`;
      },
      html({ text }) {
        return text.replaceAll(
          /\b(src|srcset|href)="([^"]+)"/g,
          (_, name, href) => `${name}="${escapeHtml(hrefOf(href))}"`,
        );
      },
    },
  });
  // Wide tables scroll by themselves, so that a phone keeps its page.
  return marked
    .parse(page.text, { async: false })
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
}

/**
 * @param {{ readonly path: string, readonly title: string, readonly headings: Page['headings'] }} page
 * @param {string} body
 * @param {ReturnType<typeof import('./navigation.mjs').arrange>} groups
 */
export function renderPage(page, body, groups) {
  const up = posix.relative(posix.dirname(htmlPath(page.path)), '.') || '.';
  const menu = groups
    .map(({ title, pages }) => {
      const links = pages.map(({ path, title: name }) => {
        const current = path === page.path ? ' aria-current="page"' : '';
        return `<li><a href="${relative(page.path, htmlPath(path))}"${current}>${escapeHtml(name)}</a></li>`;
      });
      const isOpen = pages.some(({ path }) => path === page.path) || pages.length < 12;
      return `<details${isOpen ? ' open' : ''}><summary>${title}</summary><ul>${links.join('')}</ul></details>`;
    })
    .join('\n');
  const parts = page.headings
    .filter(({ depth }) => depth === 2)
    .map(({ text, id }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`);
  const title = page.path === 'README.md' ? 'Waymark' : `${page.title} · Waymark`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${up}/assets/site.css">
<script src="${up}/assets/search-index.js" defer></script>
<script src="${up}/assets/find.js" defer></script>
<script src="${up}/assets/site.js" defer></script>
</head>
<body data-up="${up}">
<header><a class="home" href="${up}/index.html">Waymark</a><div class="search"><input type="search" placeholder="Search the docs" aria-label="Search the docs" autocomplete="off"><ol hidden></ol></div></header>
<div class="columns">
<nav aria-label="Pages">
${menu}
</nav>
<main>
${body}</main>
${parts.length > 1 ? `<aside aria-label="On this page"><p>On this page</p><ul>${parts.join('')}</ul></aside>` : '<aside></aside>'}
</div>
</body>
</html>
`;
}

/** A folder that pages link to. @param {string} folder @param {readonly Page[]} pages */
export function renderFolder(folder, pages) {
  const links = pages.map(
    ({ path, title }) =>
      `<li><a href="${posix.relative(folder, htmlPath(path))}">${escapeHtml(title)}</a></li>`,
  );
  return `<h1>${escapeHtml(folder)}</h1>\n<ul>${links.join('\n')}</ul>\n`;
}
