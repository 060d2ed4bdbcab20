import { HIT_LIMITS } from '../../core/index.ts';
import type { Command } from '../command.ts';
import { hang, mapLines } from '../look/width.ts';
import { numberIn } from '../options.ts';
import { ensureIndex, projectRoot } from '../project.ts';
import { FILTER_OPTIONS, readFilters, readQuestion } from '../search-filters.ts';

/** Draws how a search came to its answer. */
export const analyzeCommand: Command = {
  name: 'analyze',
  paged: true,
  group: 'See what Waymark sees',
  summary: 'Explain a search: stages, ranks, points of each feature',
  examples: [
    'waymark analyze "how are sessions expired"',
    'waymark analyze "retry" --kind function',
    'waymark analyze "SessionStore" --limit 3 --json',
  ],
  places: ['search'],
  argument: { name: 'query', description: 'as for waymark search' },
  options: [
    { name: 'project', valueName: 'path', description: 'the project; the one you are in if left out' },
    { name: 'limit', valueName: 'n', description: 'how many hits to explain (5), up to 20' },
    ...FILTER_OPTIONS,
  ],
  async run({ services, output, stop }, argument, options) {
    const filters = readFilters(options);
    const query = await readQuestion(argument === undefined ? [] : [argument], filters, 'analyze');
    const { project: given } = options;
    const example = 'waymark analyze "…"';
    const limit = numberIn(options, { name: 'limit', least: 1, most: HIT_LIMITS.analyze.most, example });
    const { search, detector, known, ...parts } = await services();
    const { renderAnalysis, renderFreshness } = await import('../../tools/index.ts');
    const root = await projectRoot(detector, typeof given === 'string' ? given : undefined, known);
    const freshness = await ensureIndex(root, parts, { output, stop });
    const analysis = await search.analyze({
      roots: [root],
      query,
      ...filters,
      limit,
      detail: 'locations',
      signal: stop,
    });
    if (freshness.state !== 'fresh' && !output.json) output.talk(renderFreshness(freshness));
    const { window } = output;
    const text = renderAnalysis(analysis);
    const lines = window === undefined ? text : mapLines(text, (line) => hang(line, window.columns));
    output.answer(lines, analysis);
  },
};
