import { AppError, HIT_LIMITS } from '../../core/index.ts';
import type { Freshness } from '../../indexing/index.ts';
import type { SearchAnswer } from '../../search/index.ts';
import { escapeControl } from '../../text/index.ts';
import type { Command, CommandContext, OptionValues } from '../command.ts';
import { listOf, numberIn, textOf } from '../options.ts';
import type { Output } from '../output.ts';
import { ensureIndex, projectRoot } from '../project.ts';
import { FILTER_OPTIONS, readFilters, requireQuestion } from '../search-filters.ts';
import { terminalLook } from '../terminal-look.ts';

const MOST_LINES = 200;
/** No list is longer: a larger number is a slip. */
const MOST_MATCHES = 100_000;

/** Searches a project, and prints what it finds as grep does. */
export const searchCommand: Command = {
  name: 'search',
  group: 'See what Waymark sees',
  summary: 'Find code by meaning, words, name, "exact text" or /regex/',
  examples: [
    'waymark search "how are sessions expired"',
    'waymark search "SessionStore.get kind:class" --limit 3',
    `waymark search '/retry_\\w+/ lang:py' --json`,
    `waymark search "retry" --lang ts,go --path src --path '!*.test.ts'`,
    `waymark search '"retry_limit"' --all`,
    'waymark search "retry" --project . --project ../server',
  ],
  places: ['search'],
  argument: { name: 'query', description: 'what to look for, with filters such as lang:ts path:src/**' },
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
      description: 'how many files at most (10), up to 50; with --all, how many lines',
    },
    {
      name: 'context',
      short: 'C',
      valueName: 'lines',
      description: 'lines to show of each, up to 200; 0 for none. Without it 8, or a definition of up to 16',
    },
    ...FILTER_OPTIONS,
    { name: 'cursor', valueName: 'cursor', description: 'go on where an earlier answer ended' },
    {
      name: 'all',
      description: 'print every line that matches "exact text" or a /regex/, each with its path',
    },
    { name: 'open', description: 'print links that editors open' },
  ],
  // As for grep: 1 means that nothing was found, so a failure has another code.
  failureCode: 2,
  run: search,
};

async function search(
  { services, output, stop }: CommandContext,
  argument: string | undefined,
  options: OptionValues,
): Promise<number> {
  const filters = readFilters(options);
  const query = requireQuestion(argument, filters, 'search');
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
  const answer = await service.run({
    roots,
    query,
    ...filters,
    limit,
    detail: lines === 0 ? 'locations' : undefined,
    lines: lines === 0 ? undefined : lines,
    everyMatch: isAll ? 'complete' : undefined,
    cursor,
    signal: stop,
  });
  if (isAll && answer.matchedLines === undefined) throw needsExact();
  const said = await sayProjects(roots, freshness, answer);
  if (!output.json) await talk(answer, output, { ...said, query });
  const isBare = lines === 0;
  const { renderHit, renderLocation, renderMatch } = await import('../../search/index.ts');
  const render = isAll ? renderMatch : isBare ? renderLocation : renderHit;
  const look = terminalLook({
    paint: output.paint,
    words: answer.words,
    asLink: options['open'] === true,
  });
  const text = answer.hits
    .map((hit) => render(hit, said.projectOf(hit.root), look))
    .join(isAll || isBare ? '\n' : '\n\n');
  if (answer.hits.length > 0 || output.json) output.answer(text, { ...answer, index: said.value });
  for (const root of roots) await service.keep(root, 'loaded');
  return answer.hits.length > 0 ? 0 : 1;
}

/** Words are ranked, not matched: there is no list of all. */
function needsExact(): AppError {
  return new AppError('bad_argument', '--all lists every match of exact text or of an expression.', {
    hint: `Put the text in quotes: waymark search '"…"' --all, or write an expression: '/…/'.`,
  });
}

interface SaidOfProjects {
  /** What is not as usual with them. */
  readonly lines: readonly string[];
  /** How fresh the index is; of several, the first that is not. */
  readonly value: object | undefined;
  projectOf(root: string): string | undefined;
}

/** Nearly always it is one project, and fresh, and then there is nothing to say: the tools, which have the words, come with a schema library. */
async function sayProjects(
  roots: readonly string[],
  freshness: readonly Freshness[],
  { encoderNotes }: SearchAnswer,
): Promise<SaidOfProjects> {
  const stale = freshness.find(({ state }) => state !== 'fresh');
  if (roots.length < 2 && stale === undefined) {
    const lines = encoderNotes.map(({ text }) => text);
    return { lines, value: freshness[0], projectOf: () => undefined };
  }
  const { nameProjects, renderEncoderNotes, renderFreshness, toFreshnessValue } =
    await import('../../tools/index.ts');
  const projectOf = nameProjects(roots);
  const lines = roots.flatMap((root, at) => {
    const one = freshness[at];
    if (one === undefined || one.state === 'fresh') return [];
    const project = projectOf(root);
    return [`${project === undefined ? '' : `${escapeControl(project)}: `}${renderFreshness(one)}`];
  });
  return {
    lines: [...lines, ...renderEncoderNotes(encoderNotes, roots)],
    value: stale === undefined ? freshness[0] : toFreshnessValue(stale),
    projectOf,
  };
}

/** What a pipe must not see, but a person should. */
async function talk(
  answer: SearchAnswer,
  output: Output,
  { lines, projectOf, query }: SaidOfProjects & { readonly query: string },
): Promise<void> {
  const { noteGuess, noteNoMatch, noteNoneLeft, noteNothingNear, renderLocation } =
    await import('../../search/index.ts');
  for (const line of [...lines, ...answer.notes]) output.talk(line);
  if (answer.nearest.length > 0) output.talk(noteNothingNear(answer));
  for (const hit of answer.nearest)
    output.talk(
      renderLocation(
        hit,
        projectOf(hit.root),
        terminalLook({ paint: output.paint, words: [], asLink: false }),
      ),
    );
  if (answer.isGuess) output.talk(noteGuess(answer));
  const none = noteNoneLeft(answer) ?? noteNoMatch(answer, query);
  if (none !== undefined) output.talk(none);
  if (answer.isPartial) output.talk('not every file was looked at: narrow the search with path: or lang:');
  if (answer.next !== undefined && output.isTerminal)
    output.talk(
      `${answer.matched} ${answer.isOfPlaces ? 'places' : 'files'} ranked; --cursor ${answer.next} shows the next ones`,
    );
}
