import { HIT_LIMITS } from '../../core/index.ts';
import type { Freshness } from '../../indexing/index.ts';
import { workingDirectory } from '../../platform/index.ts';
import type { SearchAnswer } from '../../search/index.ts';
import { escapeControl } from '../../text/index.ts';
import type { Command, CommandContext, OptionValues } from '../command.ts';
import { listOf, numberIn, textOf } from '../options.ts';
import type { Output } from '../output.ts';
import { ensureIndex, pathLook, projectRoot } from '../project.ts';
import { renderAnswer, sayProjects, talk, talkOfMore, type HitView } from '../search-answer.ts';
import { FILTER_OPTIONS, readFilters, readQuestion } from '../search-filters.ts';

const MOST_LINES = 200;
/** No list is longer: a larger number is a slip. */
const MOST_MATCHES = 100_000;

/** Searches a project, and prints what it finds as grep does. */
export const searchCommand: Command = {
  name: 'search',
  paged: true,
  group: 'See what Waymark sees',
  summary: 'Find code by meaning, words, name, "exact text" or /regex/',
  examples: [
    'waymark how are sessions expired',
    'waymark search "SessionStore.get kind:class" --limit 3',
    `waymark search '/retry_\\w+/ lang:py' --json`,
    `waymark search "retry" --lang ts,go --path src --path '!*.test.ts'`,
    `waymark search '"retry_limit"' --all`,
    'waymark search - < bug-report.txt',
    'waymark search "retry" --project . --project ../server',
  ],
  places: ['search'],
  argument: {
    name: 'query',
    description:
      'what to look for, with filters such as lang:ts path:src/**; words need no quotes; - reads it from standard input',
    many: true,
  },
  main: ['limit', 'context', 'lang', 'path', 'all', 'json'],
  options: [
    {
      name: 'project',
      valueName: 'path',
      repeatable: true,
      description: 'the project, if not the one you are in; given again, all are ranked together',
    },
    {
      name: 'limit',
      valueName: 'n',
      description: 'how many files at most, up to 50; with --all, how many matching lines',
    },
    {
      name: 'context',
      short: 'C',
      valueName: 'lines',
      description: 'lines to show of each, up to 200; 0 for places alone',
    },
    ...FILTER_OPTIONS,
    { name: 'cursor', valueName: 'cursor', description: 'go on where an earlier answer ended' },
    {
      name: 'all',
      description: 'everything: 50 files with more lines, or each match of "exact text" or a /regex/',
    },
    { name: 'open', description: 'print links that editors open' },
  ],
  // As for grep: 1 means that nothing was found, so a failure has another code.
  failureCode: 2,
  run: search,
};

async function search(
  { services, output, stop, words }: CommandContext,
  _argument: string | undefined,
  options: OptionValues,
): Promise<number> {
  const filters = readFilters(options);
  const query = await readQuestion(words, filters, 'search');
  const example = 'waymark search "…"';
  const isAll = options['all'] === true;
  const most = isAll ? MOST_MATCHES : HIT_LIMITS.search.most;
  const limit = numberIn(options, { name: 'limit', least: 1, most, example });
  const lines = numberIn(options, { name: 'context', least: 0, most: MOST_LINES, example });
  const cursor = textOf(options, 'cursor');
  const { search: service, detector, known, ...parts } = await services();
  const named = new Set<string>();
  for (const given of listOf(options, 'project') ?? [undefined])
    named.add(await projectRoot(detector, given, known));
  const roots = [...named];
  const freshness: Freshness[] = [];
  for (const root of roots) freshness.push(await ensureIndex(root, parts, { output, stop }));
  const run = (usual: number | undefined): Promise<SearchAnswer> =>
    service.run({
      roots,
      query,
      ...filters,
      limit: limit ?? usual,
      detail: lines === 0 ? 'locations' : undefined,
      lines: lines === 0 ? undefined : lines,
      everyMatch: isAll ? 'complete' : undefined,
      cursor,
      signal: stop,
    });
  const { window } = output;
  let answer = await run(isAll || window === undefined ? undefined : hitsInWindow(window));
  // Words are ranked, not matched: all of them is as many as a ranking gives.
  const isEveryMatch = isAll && answer.matchedLines !== undefined;
  if (isAll && !isEveryMatch) answer = await run(HIT_LIMITS.search.most);
  const said = await sayProjects(roots, freshness, answer);
  const view: HitView = {
    kind: isEveryMatch ? 'matches' : lines === 0 ? 'places' : 'lines',
    mostLines: isAll || lines !== undefined ? undefined : LINES_PER_HIT,
    asLink: options['open'] === true,
    projectOf: said.projectOf,
    cwd: workingDirectory(),
  };
  const path = output.json || /\s/.test(query) ? undefined : pathLook(query);
  if (path === 'there')
    output.talk(`That is a path: \`waymark outline ${escapeControl(query)}\` shows what it defines.`);
  if (path === 'missing') output.talk('There is no such file here; its words are searched.');
  if (!output.json) await talk(answer, output, { ...said, query, view });
  if (answer.hits.length > 0 || output.json)
    output.answer(await renderAnswer(answer, output, view), { ...answer, index: said.value });
  if (!output.json) talkOfMore(answer, output, isAll);
  for (const root of roots) await service.keep(root, 'loaded');
  return answer.hits.length > 0 ? 0 : 1;
}

/** With its path, and the blank line behind it. */
const LINES_PER_HIT = 3;
const ROWS_PER_HIT = 5;
const MOST_IN_WINDOW = 5;
const LEAST_IN_WINDOW = 3;
/** The line that was typed, what is said below the hits, and the next prompt. */
const OTHER_ROWS = 4;

/** The best first, and none of them scrolled away. */
function hitsInWindow({ rows }: NonNullable<Output['window']>): number {
  const fitting = Math.floor((rows - OTHER_ROWS) / ROWS_PER_HIT);
  return Math.max(LEAST_IN_WINDOW, Math.min(MOST_IN_WINDOW, fitting));
}
