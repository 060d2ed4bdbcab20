/** What the search of the site reads: the sections of all pages, and for each word the sections that hold it, made at build time. */
import { htmlPath } from './render.mjs';
import { createSlugger } from './pages.mjs';

/** @typedef {import('./pages.mjs').Page} Page */

/** What a reader looks into after the guides. */
const REFERENCE =
  /^(?:CHANGELOG|docs\/(?:decisions|contract|CONVENTIONS|ARCHITECTURE|CONTRIBUTING|campaigns))/;
const MOST_SNIPPET = 240;
const HEADING_WEIGHT = 8;
const TITLE_WEIGHT = 4;

/** @param {string} text */
export const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/** @param {readonly Page[]} pages  @returns {string}  A script, because a page that was opened from a file may not fetch. */
export function renderSearchIndex(pages) {
  const sections = pages.flatMap(sectionsOf);
  /** @type {Map<string, Map<number, number>>} */
  const postings = new Map();
  const add = (/** @type {string} */ text, /** @type {number} */ at, /** @type {number} */ weight) => {
    for (const word of wordsOf(text)) {
      const list = postings.get(word) ?? new Map();
      list.set(at, (list.get(at) ?? 0) + weight);
      postings.set(word, list);
    }
  };
  for (const [at, { title, heading, text }] of sections.entries()) {
    add(heading, at, HEADING_WEIGHT);
    add(title, at, TITLE_WEIGHT);
    add(text, at, 1);
  }
  const words = [...postings]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([word, list]) => [word, [...list].flat()]);
  const shown = sections.map(({ path, id, title, heading, text }) => [
    REFERENCE.test(path) ? 0.5 : 1,
    `${htmlPath(path)}${id === '' ? '' : `#${id}`}`,
    title,
    heading,
    text.slice(0, MOST_SNIPPET),
  ]);
  return `window.searchIndex = ${JSON.stringify({ sections: shown, words })};\n`;
}

/** @param {Page} page */
function sectionsOf({ path, title, text }) {
  const slug = createSlugger();
  /** @type {{ path: string, title: string, heading: string, id: string, text: string }[]} */
  const sections = [];
  let isCode = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const heading = isCode ? undefined : /^#{1,4} (.*)$/.exec(line)?.[1];
    const plain = toPlain(heading ?? line);
    if (heading !== undefined) {
      const id = slug(plain);
      sections.push({ path, title, heading: plain, id: sections.length === 0 ? '' : id, text: '' });
    } else if (plain !== '' && sections.at(-1) !== undefined) {
      const last = sections[sections.length - 1];
      if (last !== undefined) last.text = `${last.text} ${plain}`.trim();
    }
  }
  return sections;
}

/** @param {string} line */
function toPlain(line) {
  return line
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|]|^\s*[-:]+\s*$/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
