/** Random questions to the real server: every line of code in the text of an answer is the file's line of that number. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { escapeControlKeepingLines } from '../../../src/text/index.ts';
import { createRandom, type Random } from '../../support/random.ts';

export interface LinesOptions {
  readonly bin: string;
  readonly root: string;
  /** At least so many hits are looked at. */
  readonly hits: number;
  readonly seed: number;
}

export interface LinesReport {
  hits: number;
  lines: number;
  /** Lines that differ because a secret was taken out, a control character was made visible, or the answer says that it cut them. */
  redacted: number;
  escaped: number;
  cut: number;
  readonly findings: string[];
}

const PLACE = /^(.+?):(\d+)-(\d+)(?: {2}.*)?$/;
const NUMBERED = /^(\d+)(?:\t(.*))?$/;
const MATCH = /^(.+?):(\d+)\t(.*)$/;
const CUT = / … \(line cut: \d+ more characters\)$/;
const MOST_ASKED = 20_000;

export async function checkLines({ bin, root, hits, seed }: LinesOptions): Promise<LinesReport> {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-lines-'));
  mkdirSync(join(folder, 'home'));
  const random = createRandom(seed);
  const report: LinesReport = { hits: 0, lines: 0, redacted: 0, escaped: 0, cut: 0, findings: [] };
  const client = new Client({ name: 'lines', version: '1' });
  const read = readingLines(root);
  try {
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [bin, 'mcp'],
        cwd: root,
        env: { PATH: process.env['PATH'] ?? '', HOME: join(folder, 'home'), WAYMARK_PROJECT: root },
        stderr: 'ignore',
      }),
    );
    let words = ['error', 'import', 'name', 'test', 'value', 'read', 'return'];
    for (let asked = 0; report.hits < hits && asked < MOST_ASKED; asked++) {
      const answer = await client.callTool({ name: 'search_code', arguments: nextRequest(random, words) });
      // The tool answers with one block of text.
      const text = (answer.content as readonly { readonly text?: string }[])[0]?.text ?? '';
      checkText(text, read, report);
      words = [...words, ...wordsIn(text)].slice(-400);
    }
  } finally {
    await client.close().catch(() => {});
    rmSync(folder, { recursive: true, force: true });
  }
  return report;
}

function nextRequest(random: Random, words: readonly string[]): Record<string, unknown> {
  const word = (): string => words[random.below(words.length)] ?? 'name';
  const more = {
    limit: 1 + random.below(20),
    detail: ['snippets', 'full', 'locations'][random.below(3)],
    budget: 500 + random.below(7_000),
  };
  const queries = [
    word(),
    `"${word()}"`,
    `/${word()}\\w*/`,
    `how is ${word()} of ${word()} done`,
    `${word()} ${word()} ${word()}`,
  ];
  return { query: queries[random.below(queries.length)], ...more };
}

/** What was shown says what to ask next. */
function wordsIn(text: string): string[] {
  return (text.match(/[A-Za-z]{4,20}/g) ?? []).slice(40, 80);
}

function checkText(text: string, read: (path: string) => readonly string[], report: LinesReport): void {
  let place: { readonly path: string; next: number } | undefined;
  for (const shown of text.split('\n')) {
    const [, path = '', from = ''] = PLACE.exec(shown) ?? [];
    const [, matchPath = '', matchLine = '', matchText = ''] = MATCH.exec(shown) ?? [];
    const [, number, line = ''] = NUMBERED.exec(shown) ?? [];
    if (place !== undefined && number !== undefined) {
      if (Number(number) !== place.next)
        report.findings.push(`${place.path}: ${number} after ${place.next - 1}`);
      checkLine({ path: place.path, number: Number(number), line }, read, report);
      place.next = Number(number) + 1;
    } else if (matchPath !== '' && number === undefined) {
      report.hits += 1;
      checkLine({ path: matchPath, number: Number(matchLine), line: matchText }, read, report);
    } else if (path !== '') {
      report.hits += 1;
      place = { path, next: Number(from) };
    } else if (shown === '') place = undefined;
  }
}

interface ShownLine {
  readonly path: string;
  readonly number: number;
  readonly line: string;
}

function checkLine(
  { path, number, line }: ShownLine,
  read: (path: string) => readonly string[],
  report: LinesReport,
): void {
  report.lines += 1;
  const inFile = read(path)[number - 1];
  if (inFile === line) return;
  const safe = inFile === undefined ? undefined : escapeControlKeepingLines(inFile);
  if (safe === line) report.escaped += 1;
  else if (line.includes('[redacted:')) report.redacted += 1;
  else if (safe !== undefined && CUT.test(line) && safe.startsWith(line.replace(CUT, ''))) report.cut += 1;
  else
    report.findings.push(`${path}:${number} is ${JSON.stringify(inFile)}, shown as ${JSON.stringify(line)}`);
}

function readingLines(root: string): (path: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (path) => {
    let lines = known.get(path);
    if (lines === undefined) {
      try {
        lines = readFileSync(join(root, path), 'utf8')
          .replace(/^\ufeff/, '')
          .split(/\r\n|\r|\n/);
      } catch {
        lines = [];
      }
      known.set(path, lines);
    }
    return lines;
  };
}
