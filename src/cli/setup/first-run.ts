/** A first look at the user's own project: index it, then answer one question about it. */
import { basename } from 'node:path';
import { countOf, escapeControl } from '../../text/index.ts';
import type { CommandContext, Services } from '../command.ts';
import { cut, row } from '../look/width.ts';
import { createProgressLine } from '../progress-line.ts';

interface FirstSearch {
  readonly query: string;
  readonly hits: readonly {
    readonly path: string;
    readonly startLine: number;
    readonly endLine: number;
    readonly symbol: string | undefined;
  }[];
}

export interface FirstRun {
  readonly root: string;
  readonly files: number;
  readonly definitions: number;
  readonly leftOut: number;
  readonly ms: number | undefined;
  readonly search: FirstSearch | undefined;
}

const FIRST_HITS = 3;

export async function firstRun(context: CommandContext, root: string): Promise<FirstRun> {
  const { output, stop } = context;
  const services = await context.services();
  const { indexing } = services;
  if (!output.json) output.talk(`\n${output.talkPaint.bold('Project')}  ${escapeControl(basename(root))}`);
  const line = createProgressLine(output, services.clock);
  const outcome = await indexing.run(root, {
    signal: stop,
    onProgress: (step) => {
      if (output.live) line.show(step);
    },
  });
  line.end();
  const { files, definitions, skips } = await indexing.stats(root);
  const ms = outcome.kind === 'done' ? outcome.ms : undefined;
  const search = await firstSearch(services, root, stop);
  const first = { root, files, definitions, leftOut: skips, ms, search };
  if (!output.json) output.talk(renderFirstRun(first));
  return first;
}

/** A question that the project's own code answers, with the answer: the definition that says so of itself stands first. */
async function firstSearch(
  { search }: Services,
  root: string,
  signal: AbortSignal,
): Promise<FirstSearch | undefined> {
  const { symbolOf } = await import('../../search/index.ts');
  for (const { query, path, name } of await search.firstQuestions(root)) {
    const { hits } = await search.run({ roots: [root], query, limit: FIRST_HITS, signal });
    if (hits[0]?.path !== path || hits[0].definition?.name !== name) continue;
    return {
      query,
      hits: hits.map((hit) => ({
        path: hit.path,
        startLine: hit.startLine,
        endLine: hit.endLine,
        symbol: symbolOf(hit),
      })),
    };
  }
  return undefined;
}

function renderFirstRun({ files, definitions, leftOut, ms, search }: FirstRun): string {
  const time = ms === undefined ? '' : ` in ${(ms / 1000).toFixed(1)} s`;
  const lines = [
    `  ✓ ${countOf(files, 'file')} with ${countOf(definitions, 'definition')} indexed${time}`,
    ...(leftOut === 0 ? [] : [`    ${leftOut} left out; \`waymark files\` says why`]),
  ];
  if (search === undefined) return `${lines.join('\n')}\n`;
  const hits = search.hits.map(({ path, startLine, endLine, symbol = '' }) =>
    cut(`    ${row([`${escapeControl(path)}:${startLine}-${endLine}`, escapeControl(symbol)], [48, 24])}`),
  );
  return [...lines, '', `  $ waymark search "${escapeControl(search.query)}"`, ...hits, ''].join('\n');
}
