/** Tool `index_stats`: what is in the index, and what was left out. */
import { z } from 'zod';
import { defineTool, projectOf } from './define-tool.ts';
import { ensureIndexed, FRESHNESS_VALUE } from './ensure-indexed.ts';
import { renderFreshness, toFreshnessValue } from './render-progress.ts';

const MOST_ROWS = 12;

export const indexStats = defineTool({
  name: 'index_stats',
  toolset: 'search',
  title: 'Index statistics',
  description:
    'Say what is indexed of the project: files, definitions, languages, how fresh it is, and how many files were left out ' +
    'for which reason. Use it when search_code does not find what should be there.',
  project: 'required',
  input: z.strictObject({}),
  output: z.object({
    index: FRESHNESS_VALUE,
    files: z.number(),
    definitions: z.number(),
    source_bytes: z.number(),
    languages: z.array(z.object({ language: z.string(), files: z.number() })),
    left_out: z.array(z.object({ reason: z.string(), count: z.number() })),
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: {},
  async run(_input, call) {
    const ensured = await ensureIndexed(call);
    if (ensured.kind === 'failed') return ensured.answer;
    const stats = await call.services.indexing.stats(projectOf(call).project.root);
    const languages = stats.byLanguage.map(({ language, files }) => ({ language, files }));
    const skips = stats.bySkipReason;
    return {
      text: [
        renderFreshness(ensured.freshness),
        `${stats.files} files, ${stats.definitions} definitions, ${kilobytes(stats.sourceBytes)} of source`,
        `languages: ${listed(languages.map(({ language, files }) => `${language} ${files}`))}`,
        `left out: ${listed(skips.map(({ reason, count }) => `${reason} ${count}`))} (\`waymark files\` names each)`,
      ].join('\n'),
      structured: {
        index: toFreshnessValue(ensured.freshness),
        files: stats.files,
        definitions: stats.definitions,
        source_bytes: stats.sourceBytes,
        languages: languages.slice(0, MOST_ROWS),
        left_out: skips.map(({ reason, count }) => ({ reason, count })),
      },
    };
  },
});

function listed(items: readonly string[]): string {
  if (items.length === 0) return 'none';
  const rest = items.length - MOST_ROWS;
  return [...items.slice(0, MOST_ROWS), ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
}

function kilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024)} KB`;
}
