/** The house as docs/ARCHITECTURE.md draws it: made from the rooms' table, written by `npm run reference`, compared by the check. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FOLDERS, ROOMS, ROOT_FILES } from './rooms.mjs';

export const HOUSE_PAGE = 'docs/ARCHITECTURE.md';
const BLOCK = /<!-- rooms -->[\s\S]*<!-- \/rooms -->/;

/**
 * @param {string} root
 * @returns {Promise<import('./finding.mjs').Finding[]>}
 */
export async function checkDiagram(root) {
  const page = await readFile(join(root, HOUSE_PAGE), 'utf8').catch(() => undefined);
  if (page === undefined || (BLOCK.test(page) && withDiagram(page) === page)) return [];
  const message =
    'The drawing of the rooms is not what scripts/check/rooms.mjs says. Run `npm run reference`.';
  return [{ path: HOUSE_PAGE, line: 1, message }];
}

/** @param {string} root */
export async function writeDiagram(root) {
  const path = join(root, HOUSE_PAGE);
  await writeFile(path, withDiagram(await readFile(path, 'utf8')));
}

/** @param {string} page */
function withDiagram(page) {
  return page.replace(BLOCK, () => `<!-- rooms -->\n${renderHouse()}\n<!-- /rooms -->`);
}

function renderHouse() {
  const drawing = ['```', ...storeys().map((names) => names.join('   ')), '```'];
  const table = ['| room | job | imports |', '|---|---|---|', ...Object.keys(ROOMS).map(renderRoom)];
  const files = [
    '| file | job |',
    '|---|---|',
    ...Object.entries(ROOT_FILES).map(([path, { job }]) => `| \`${path}\` | ${job} |`),
  ];
  return [...drawing, '', ...table, '', ...files].join('\n');
}

/** @param {string} name */
function renderRoom(name) {
  const { job, mayImport, mayImportTypes = [] } = ROOMS[name] ?? { job: '', mayImport: [] };
  const folders = Object.keys(FOLDERS)
    .filter((folder) => folder.startsWith(`${name}/`))
    .map((folder) => `\`${folder.slice(name.length + 1)}/\``);
  const parts = folders.length === 0 ? '' : ` (${folders.join(' ')})`;
  const sees = [...mayImport, ...mayImportTypes.map((type) => `types of ${type}`)];
  return `| \`${name}/\` | ${job}${parts} | ${sees.join(', ')} |`;
}

/** Rooms by height, the highest first: a room stands one storey above the highest that it imports, types included. */
function storeys() {
  /** @type {Map<string, number>} */
  const heights = new Map();
  /** @param {string} name @returns {number} */
  const heightOf = (name) => {
    const known = heights.get(name);
    if (known !== undefined) return known;
    const { mayImport = [], mayImportTypes = [] } = ROOMS[name] ?? {};
    const height = Math.max(-1, ...[...mayImport, ...mayImportTypes].map(heightOf)) + 1;
    heights.set(name, height);
    return height;
  };
  const names = Object.keys(ROOMS);
  const top = Math.max(...names.map(heightOf));
  return Array.from({ length: top + 1 }, (_, at) => names.filter((name) => heightOf(name) === top - at));
}
