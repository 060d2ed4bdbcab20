/** The Markdown of the repository as pages: their headings with the anchors that GitHub gives them, and what they link to. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { Marked } from 'marked';

/**
 * @typedef {object} Heading
 * @property {number} depth
 * @property {string} text
 * @property {string} id
 */

/**
 * @typedef {object} Page
 * @property {string} path  In the repository, with forward slashes.
 * @property {string} title
 * @property {string} text
 * @property {readonly Heading[]} headings
 * @property {readonly string[]} links  As they are written, pictures included.
 */

const ROOT_PAGES = ['README.md', 'CHANGELOG.md'];
const FOLDERS = ['docs', 'examples'];

/** @param {string} root @returns {readonly Page[]} */
export function readPages(root) {
  const paths = [...ROOT_PAGES, ...FOLDERS.flatMap((folder) => listMarkdown(root, folder))];
  return paths.filter((path) => existsSync(join(root, path))).map((path) => readPage(root, path));
}

/** @param {string} root @param {string} folder @returns {string[]} */
function listMarkdown(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return listMarkdown(root, path);
      return entry.name.endsWith('.md') ? [path] : [];
    });
}

/** @param {string} root @param {string} path @returns {Page} */
function readPage(root, path) {
  const text = readFileSync(join(root, path), 'utf8');
  const marked = new Marked();
  /** @type {Heading[]} */
  const headings = [];
  /** @type {string[]} */
  const links = [];
  const slug = createSlugger();
  for (const token of allTokens(marked.lexer(text))) {
    if (token.type === 'heading') {
      const words = plainText(token.tokens ?? []);
      headings.push({ depth: token.depth, text: words, id: slug(words) });
    }
    if (token.type === 'link' || token.type === 'image') links.push(token.href);
    if (token.type === 'html') links.push(...htmlLinks(token.raw));
  }
  return { path, title: headings[0]?.text ?? path, text, headings, links };
}

/** With those of tables and lists. @param {readonly import('marked').Token[]} tokens @returns {import('marked').Token[]} */
function allTokens(tokens) {
  return tokens.flatMap((token) => {
    const cells = token.type === 'table' ? [...token.header, ...token.rows.flat()] : [];
    const parts = token.type === 'list' ? token.items : [];
    const own = 'tokens' in token && token.tokens !== undefined ? token.tokens : [];
    return [
      token,
      ...allTokens(own),
      ...allTokens(parts),
      ...cells.flatMap((cell) => allTokens(cell.tokens)),
    ];
  });
}

/** @param {string} html */
function htmlLinks(html) {
  return [...html.matchAll(/\b(?:src|srcset|href)="([^"]+)"/g)].map(([, href = '']) => href);
}

/** The words of inline tokens, without their marks. @param {readonly import('marked').Token[]} tokens @returns {string} */
export function plainText(tokens) {
  return tokens
    .map((token) => {
      if ('tokens' in token && token.tokens !== undefined) return plainText(token.tokens);
      if (token.type === 'html') return '';
      return 'text' in token ? unescapeHtml(String(token.text)) : '';
    })
    .join('');
}

/** @param {string} text */
function unescapeHtml(text) {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

/** Anchors as GitHub makes them: the second of a name gets `-1`. */
export function createSlugger() {
  /** @type {Map<string, number>} */
  const seen = new Map();
  return (/** @type {string} */ words) => {
    const base = words
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-');
    const count = seen.get(base) ?? 0;
    seen.set(base, count + 1);
    return count === 0 ? base : `${base}-${count}`;
  };
}

/**
 * Where a link of a page leads: nowhere in the repository, to a page, to a folder or to a file.
 *
 * @param {string} root @param {string} from  The page's path. @param {string} href
 * @returns {{ readonly kind: 'outside' } | { readonly kind: 'page' | 'folder' | 'file' | 'missing', readonly path: string, readonly anchor: string }}
 */
export function resolveLink(root, from, href) {
  if (/^[a-z][a-z\d+.-]*:/i.test(href) || href.startsWith('//')) return { kind: 'outside' };
  const [target = '', anchor = ''] = href.split('#');
  const path =
    target === '' ? from : posix.normalize(posix.join(posix.dirname(from), decodeURIComponent(target)));
  const absPath = join(root, path);
  if (path.startsWith('..') || !existsSync(absPath)) return { kind: 'missing', path, anchor };
  if (statSync(absPath).isDirectory()) return { kind: 'folder', path: path.replace(/\/$/, ''), anchor };
  return { kind: path.endsWith('.md') ? 'page' : 'file', path, anchor };
}
