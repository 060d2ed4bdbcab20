/**
 * What a benchmark or campaign printed, as raw data: `--json FILE` of every `npm run bench:…` and `campaign:…` keeps the tables and
 * lines that it prints, with the command, the date and the machine. Docs and charts are made from these files.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { arch, cpus, loadavg, platform, totalmem } from 'node:os';
import { dirname } from 'node:path';

/**
 * @typedef {object} Table
 * @property {readonly string[]} head
 * @property {readonly (readonly string[])[]} rows  The first cell names the row.
 */

/**
 * @typedef {object} Figures
 * @property {string} command  With DIR and FILE in the place of paths.
 * @property {string} date
 * @property {string} machine
 * @property {string} [note]
 * @property {readonly string[]} lines  What was printed outside of tables.
 * @property {readonly Table[]} tables
 */

/** @param {string} line */
const cellsOf = (line) =>
  line
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());

const isRow = (/** @type {string} */ line) => /^\|.*\|$/.test(line);
const isRule = (/** @type {string} */ line) => /^\|(?:\s*:?-+:?\s*\|)+$/.test(line);

/**
 * @param {string} text
 * @returns {Pick<Figures, 'lines' | 'tables'>}
 */
export function readPrinted(text) {
  /** @type {string[]} */
  const lines = [];
  /** @type {{ head: string[], rows: string[][] }[]} */
  const tables = [];
  const printed = text.split('\n').map((line) => line.trim());
  for (const [at, line] of printed.entries()) {
    if (line === '' || isRule(line)) continue;
    const counts = readCounts(line);
    if (counts !== undefined) tables.push({ head: ['what', 'measured'], rows: counts });
    else if (!isRow(line)) lines.push(line);
    else if (isRule(printed[at + 1] ?? '')) tables.push({ head: cellsOf(line), rows: [] });
    else tables.at(-1)?.rows.push(cellsOf(line));
  }
  return { lines, tables };
}

/** Campaigns end with a line of JSON: what was counted. @param {string} line */
function readCounts(line) {
  if (!/^\{.*\}$/.test(line)) return undefined;
  try {
    return Object.entries(JSON.parse(line)).map(([name, value]) => [name, String(value)]);
  } catch {
    return undefined;
  }
}

/**
 * @param {string} absFile
 * @param {{ readonly command: string, readonly text: string, readonly startedAt: Date, readonly load: number }} run
 */
export function writeFigures(absFile, { command, text, startedAt, load }) {
  /** @type {Figures} */
  const figures = {
    command,
    date: startedAt.toISOString().slice(0, 10),
    machine: `${describeMachine()}, load ${load.toFixed(1)} at the start`,
    ...readPrinted(text),
  };
  mkdirSync(dirname(absFile), { recursive: true });
  writeFileSync(absFile, renderFigures(figures));
}

/** @param {Figures} figures */
export function renderFigures({ tables, lines, ...head }) {
  const list = (/** @type {readonly unknown[]} */ items, /** @type {string} */ indent) =>
    items.length === 0
      ? '[]'
      : `[\n${items.map((item) => `${indent}  ${JSON.stringify(item)}`).join(',\n')}\n${indent}]`;
  const parts = [
    ...Object.entries(head).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`),
    `  "lines": ${list(lines, '  ')}`,
    tables.length === 0
      ? '  "tables": []'
      : `  "tables": [\n${tables
          .map(
            ({ head: heads, rows }) =>
              `    {\n      "head": ${JSON.stringify(heads)},\n      "rows": ${list(rows, '      ')}\n    }`,
          )
          .join(',\n')}\n  ]`,
  ];
  return `{\n${parts.join(',\n')}\n}\n`;
}

/** `npm run NAME -- ARGS`, without what is told of this machine by a path. @param {string | undefined} script @param {readonly string[]} args */
export function describeCommand(script, args) {
  const shown = args.map((arg) => (/^\.{0,2}\//.test(arg) || arg.includes('/../') ? 'PATH' : arg));
  return [`npm run ${script ?? 'bench'}`, ...(shown.length > 0 ? ['--', ...shown] : [])].join(' ');
}

/** The load of the last minute. */
export function currentLoad() {
  return loadavg()[0] ?? 0;
}

function describeMachine() {
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  return `${platform()} ${arch()}, ${cpus().length} threads, ${gigabytes} GB, Node ${process.versions.node}`;
}
