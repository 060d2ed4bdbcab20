import { join, resolve } from 'node:path';
import { AppError, toAppError } from '../../core/index.ts';
import type { Freshness } from '../../indexing/index.ts';
import type { Hit, SearchAnswer } from '../../search/index.ts';
import { escapeControl, escapeControlKeepingLines } from '../../text/index.ts';
import type { Command, CommandContext, OptionValues } from '../command.ts';
import { ensureIndex } from '../ensure-index.ts';
import { highlight } from '../highlight.ts';
import type { Output, Paint } from '../output.ts';
import { projectRoot } from '../project-root.ts';
import { numberIn } from '../required-argument.ts';

const DEFAULT_LIMIT = 10;
const MOST_HITS = 50;
const MOST_LINES = 200;
const FAILED = 2;

/** Searches a project, and prints what it finds as grep does. */
export const searchCommand: Command = {
  name: 'search',
  group: 'See what Waymark sees',
  summary: 'Find code by meaning, words, name, "exact text" or /regex/',
  examples: [
    'waymark search "how are sessions expired"',
    'waymark search "SessionStore.get kind:class" --limit 3',
    `waymark search '/retry_\\w+/ lang:py' --json`,
  ],
  places: ['index'],
  argument: { name: 'query', description: 'what to look for, with filters such as lang:ts path:src/**' },
  options: [
    { name: 'project', valueName: 'path', description: 'the project; the one you are in if left out' },
    { name: 'limit', valueName: 'n', description: 'how many files at most (10), up to 50' },
    {
      name: 'context',
      short: 'C',
      valueName: 'lines',
      description: 'lines to show of each (12), up to 200; 0 for none',
    },
    { name: 'changed', description: 'only files that are not committed as they are' },
    {
      name: 'branch',
      valueName: 'name',
      description: 'only files that changed since the work left this branch',
    },
    { name: 'similar-to', valueName: 'path:line', description: 'find what is like the code there' },
    { name: 'cursor', valueName: 'cursor', description: 'go on where an earlier answer ended' },
    { name: 'open', description: 'print links that editors open' },
  ],
  async run(context, argument, options) {
    try {
      return await search(context, argument, options);
    } catch (thrown) {
      // Scripts tell by the code: 1 is nothing found, so that whatever went wrong must be another.
      context.output.fail(toAppError(thrown));
      return FAILED;
    }
  },
};

async function search(
  { services, output, stop }: CommandContext,
  argument: string | undefined,
  options: OptionValues,
): Promise<number> {
  const similar = textOf(options, 'similar-to');
  if (argument === undefined && similar === undefined) {
    throw new AppError('bad_argument', 'There is nothing to look for.', {
      hint: 'waymark search "how are routes registered"',
    });
  }
  const example = 'waymark search "…"';
  const limit = numberIn(options, { name: 'limit', least: 1, most: MOST_HITS, example }) ?? DEFAULT_LIMIT;
  const lines = numberIn(options, { name: 'context', least: 0, most: MOST_LINES, example });
  const cursor = textOf(options, 'cursor');
  const branch = textOf(options, 'branch');
  const { search: service, detector, known, ...parts } = await services();
  const { symbolOf } = await import('../../search/index.ts');
  const given = textOf(options, 'project');
  const root = await projectRoot(detector, given === undefined ? undefined : resolve(given), known);
  const freshness = await ensureIndex(root, parts, { output, stop });
  const answer = await service.run({
    roots: [root],
    query: argument ?? '',
    limit,
    ...(lines === 0 ? { detail: 'locations' as const } : {}),
    ...(lines === undefined || lines === 0 ? {} : { lines }),
    ...(similar === undefined ? {} : { similarTo: similar }),
    ...(options['changed'] === true ? { changed: true } : {}),
    ...(branch === undefined ? {} : { branch }),
    ...(cursor === undefined ? {} : { cursor }),
    signal: stop,
  });
  const said = await sayFreshness(freshness);
  if (!output.json) talk(answer, output, said.text);
  const isBare = lines === 0;
  const text = answer.hits
    .map((hit) =>
      render(hit, symbolOf(hit), {
        paint: output.paint,
        words: answer.words,
        isBare,
        asLink: options['open'] === true,
      }),
    )
    .join(isBare ? '\n' : '\n\n');
  if (answer.hits.length > 0 || output.json) output.answer(text, { ...answer, index: said.value });
  await service.keep(root, 'loaded');
  return answer.hits.length > 0 ? 0 : 1;
}

/** Nearly always it is fresh, and then there is nothing to say: the tools, which have the words, come with a schema library. */
async function sayFreshness(
  freshness: Freshness,
): Promise<{ readonly text: string | undefined; readonly value: object }> {
  if (freshness.state === 'fresh') return { text: undefined, value: freshness };
  const { renderFreshness, toFreshnessValue } = await import('../../tools/index.ts');
  return { text: renderFreshness(freshness), value: toFreshnessValue(freshness) };
}

/** What a pipe must not see, but a person should. */
function talk(answer: SearchAnswer, output: Output, freshness: string | undefined): void {
  if (freshness !== undefined) output.talk(freshness);
  for (const { text } of answer.encoderNotes) output.talk(text);
  if (answer.isGuess) output.talk('no file holds these words; nearest in meaning:');
  if (answer.isPartial) output.talk('not every file was looked at: narrow the search with path: or lang:');
  if (answer.next !== undefined && output.isTerminal)
    output.talk(`${answer.matched} files match; --cursor ${answer.next} shows the next ones`);
}

interface RenderOptions {
  readonly paint: Paint;
  readonly words: readonly string[];
  readonly isBare: boolean;
  readonly asLink: boolean;
}

function render(
  hit: Hit,
  symbol: string | undefined,
  { paint, words, isBare, asLink }: RenderOptions,
): string {
  const line = isBare ? hit.linesFrom : hit.startLine;
  const place = asLink ? toLink(join(hit.root, hit.path), line) : `${escapeControl(hit.path)}:${line}`;
  const head = `${paint.bold(place)}${symbol === undefined ? '' : ` ${paint.dim(escapeControl(symbol))}`}`;
  if (isBare) return head;
  const more = hit.more === 0 ? '' : paint.dim(` (+${hit.more} more ${hit.more === 1 ? 'place' : 'places'})`);
  const lines = hit.lines.map(
    (text, at) =>
      `${paint.dim(`${hit.linesFrom + at}:`)}${highlight(escapeControlKeepingLines(text), words, (part) => paint.red(part))}`,
  );
  return [`${head}${more}`, ...lines].join('\n');
}

/** A link has no blanks and no signs that end it: terminals and editors take it as one. */
function toLink(absPath: string, line: number): string {
  const path = absPath.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
  return `vscode://file${path.startsWith('/') ? '' : '/'}${path}:${line}`;
}

function textOf(options: OptionValues, name: string): string | undefined {
  const given = options[name];
  return typeof given === 'string' ? given : undefined;
}
