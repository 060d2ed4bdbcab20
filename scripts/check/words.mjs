/** Comments and docs speak of things, not of people: the client, the writer, the caller. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** @typedef {import('./finding.mjs').Finding} Finding */

const VAGUE = /\b(whoever|nobody|somebody|everybody)\b/i;
const DOCS = ['docs', 'README.md'];
/** Names the words that it forbids. */
const GLOSSARY = 'docs/CONVENTIONS.md';

/**
 * @param {string} root
 * @param {import('./source-tree.mjs').SourceTree} tree
 * @returns {Promise<Finding[]>}
 */
export async function checkWords(root, tree) {
  const comments = tree.files.flatMap((file) =>
    file.comments.flatMap(({ value, start }) => inText(file.path, value, file.lineAt(start))),
  );
  const pages = await Promise.all(DOCS.map((path) => listPages(root, path)));
  const docs = await Promise.all(
    pages
      .flat()
      .filter((path) => path !== GLOSSARY)
      .map(async (path) => inText(path, await readFile(join(root, path), 'utf8'), 1)),
  );
  return [...comments, ...docs.flat()];
}

/**
 * @param {string} path
 * @param {string} text
 * @param {number} firstLine
 * @returns {Finding[]}
 */
function inText(path, text, firstLine) {
  return text.split('\n').flatMap((line, at) => {
    const word = VAGUE.exec(line)?.[0];
    if (word === undefined) return [];
    const message = `"${word}" hides who acts. Name the thing: the client, the caller, the writer, another process; or use the passive voice.`;
    return [{ path, line: firstLine + at, message }];
  });
}

/**
 * @param {string} root
 * @param {string} path
 * @returns {Promise<string[]>}
 */
async function listPages(root, path) {
  if (path.endsWith('.md')) return (await readFile(join(root, path)).catch(() => undefined)) ? [path] : [];
  const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => []);
  const lists = entries
    .filter((entry) => entry.isDirectory() || entry.name.endsWith('.md'))
    .map((entry) => listPages(root, `${path}/${entry.name}`));
  return (await Promise.all(lists)).flat();
}
