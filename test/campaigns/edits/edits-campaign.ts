/** Random edits under a running server with a stream of queries: whatever is shown was on disk while it was asked for. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { createRandom, type Random } from '../../support/random.ts';
import { createEditedProject, WORDS, type EditedProject } from './edited-project.ts';

export interface EditsOptions {
  readonly bin: string;
  readonly seconds: number;
  readonly files: number;
  readonly seed: number;
}

export interface EditsReport {
  readonly edits: number;
  readonly queries: number;
  readonly shownLines: number;
  /** Lines that were never there, and answers that failed. */
  readonly findings: readonly string[];
  /** Marks of the last versions that were not found once all was quiet. */
  readonly lost: readonly string[];
  readonly slowestMs: number;
  /** The low mark of the last quarter over that of the second. */
  readonly rssGrowthMb: number;
  readonly rssMb: number;
}

const EDIT_EVERY_MS = 15;
const SAMPLE_EVERY_MS = 250;
const MOST_FINDINGS = 20;

export async function runEdits({ bin, seconds, files, seed }: EditsOptions): Promise<EditsReport> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'waymark-edits-')));
  const root = join(folder, 'project');
  mkdirSync(join(root, '.git'), { recursive: true });
  mkdirSync(join(folder, 'home'));
  const random = createRandom(seed);
  const project = createEditedProject(root, files, random);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, 'mcp'],
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: join(folder, 'home'),
      WAYMARK_PROJECT: root,
      WAYMARK_STRUCTURED: 'true',
    },
    stderr: 'ignore',
  });
  const client = new Client({ name: 'edits', version: '1' });
  const counts = { edits: 0, queries: 0, shownLines: 0, slowestMs: 0 };
  const findings: string[] = [];
  const samples: number[] = [];
  try {
    await client.connect(transport);
    await ask(client, { query: 'cart' });
    const until = performance.now() + seconds * 1_000;
    const isOver = (): boolean => performance.now() >= until || findings.length >= MOST_FINDINGS;
    const editing = repeat(isOver, EDIT_EVERY_MS, () => {
      project.edit();
      counts.edits += 1;
    });
    const sampling = repeat(isOver, SAMPLE_EVERY_MS, () => void samples.push(rssMb(transport.pid)));
    const asking = [1, 2].map(async (stream) => {
      const own = createRandom(seed + stream);
      while (!isOver()) {
        const asked = performance.now();
        const request = nextRequest(own, project);
        const answer = await ask(client, request);
        const answered = performance.now();
        counts.queries += 1;
        counts.slowestMs = Math.max(counts.slowestMs, answered - asked);
        if (answer.isError) findings.push(`${JSON.stringify(request)} failed: ${answer.text.slice(0, 300)}`);
        for (const { path, startLine, lines } of readBlocks(answer)) {
          counts.shownLines += lines.length;
          if (project.held(path, startLine, lines, [asked, answered])) continue;
          findings.push(`${JSON.stringify(request)} showed ${path}:${startLine} as ${JSON.stringify(lines)}`);
        }
      }
    });
    await Promise.all([editing, sampling, ...asking]);
    const lost = await findLost(client, project);
    return { ...counts, findings, lost, ...growth(samples) };
  } finally {
    await client.close().catch(() => {});
    rmSync(folder, { recursive: true, force: true });
  }
}

async function repeat(isOver: () => boolean, everyMs: number, step: () => void): Promise<void> {
  while (!isOver()) {
    step();
    await pause(everyMs);
  }
}

function nextRequest(random: Random, project: EditedProject): Record<string, unknown> {
  const word = (): string => WORDS[random.below(WORDS.length)] ?? '';
  const detail = ['snippets', 'snippets', 'full'][random.below(3)];
  const more = { detail, limit: 1 + random.below(10), budget: 2_000 };
  switch (random.below(5)) {
    case 0:
      return { query: `"${word()}(${word()}"`, ...more };
    case 1:
      return { query: `/${word()}\\w*\\(\\w+, \\d+\\)/`, ...more };
    case 2:
      return { query: `${word()} lang:ts path:src/part-${random.below(7)}`, ...more };
    case 3:
      return {
        query: project.markOf(project.paths[random.below(project.paths.length)] ?? '') ?? word(),
        ...more,
      };
    default:
      return { query: `how to ${word()} the ${word()}`, ...more };
  }
}

interface Answer {
  readonly text: string;
  readonly isError: boolean;
  readonly hits: readonly {
    readonly path: string;
    readonly start_line: number;
    readonly lines: readonly string[];
  }[];
}

async function ask(client: Client, args: Record<string, unknown>): Promise<Answer> {
  const result = await client.callTool({ name: 'search_code', arguments: args });
  // The tool answers with one block of text, and a value that its output schema describes.
  const [block] = result.content as readonly { readonly text?: string }[];
  // As above.
  const structured = (result.structuredContent ?? {}) as { readonly hits?: Answer['hits'] };
  return { text: block?.text ?? '', isError: result.isError === true, hits: structured.hits ?? [] };
}

/** The lines of each hit; one that the text does not show with its number is none of the file's. */
function readBlocks({ text, hits }: Answer): { path: string; startLine: number; lines: string[] }[] {
  const shown = new Set(text.split('\n'));
  return hits.map(({ path, start_line: startLine, lines }) => ({
    path,
    startLine,
    lines: lines.map((line, at) => {
      const numbered = line === '' ? `${startLine + at}` : `${startLine + at}\t${line}`;
      return shown.has(numbered) ? line : `(not in the text) ${numbered}`;
    }),
  }));
}

/** Once the edits have stopped, every file is found by what only its last version holds. */
async function findLost(client: Client, project: EditedProject): Promise<string[]> {
  const lost: string[] = [];
  for (const path of project.paths) {
    const mark = project.markOf(path);
    if (mark === undefined) continue;
    const { hits } = await ask(client, { query: `"${mark}"` });
    if (!hits.some((hit) => hit.path === path)) lost.push(`${path} (${mark})`);
  }
  return lost;
}

function rssMb(pid: number | null): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    // No such file on this system: growth is then 0 and says nothing.
    return 0;
  }
}

/** Low marks, because the collector comes when it likes. */
function growth(samples: readonly number[]): { readonly rssGrowthMb: number; readonly rssMb: number } {
  const quarter = Math.floor(samples.length / 4);
  const low = (part: readonly number[]): number =>
    part.toSorted((a, b) => a - b)[Math.floor(part.length / 10)] ?? 0;
  return {
    rssGrowthMb: low(samples.slice(3 * quarter)) - low(samples.slice(quarter, 2 * quarter)),
    rssMb: Math.max(0, ...samples),
  };
}
