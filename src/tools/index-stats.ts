/** Tool `index_stats`: what is in the index, and what was left out. */
import * as z from 'zod';
import type { Indexing } from '../indexing/index.ts';
import { countOf, renderSize } from '../text/index.ts';
import { defineTool, projectOf } from './define-tool.ts';
import { ensureIndexed, FRESHNESS_VALUE, renderFreshness, toFreshnessValue } from './freshness.ts';
import { renderEncoder, toEncoderValue } from './render-encoder.ts';

const MOST_ROWS = 12;
/** Below this a grammar has read all that matters. */
const WORTH_SAYING = 0.001;

type Stats = Awaited<ReturnType<Indexing['stats']>>;

export const indexStats = defineTool({
  name: 'index_stats',
  toolset: 'search',
  scope: 'search',
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
    parsed: z.array(
      z.object({ language: z.string(), exact: z.number(), failed: z.number(), error_share: z.number() }),
    ),
    left_out: z.array(z.object({ reason: z.string(), count: z.number() })),
    encoder: z.object({
      kind: z.string(),
      model: z.string().optional(),
      url: z.string().optional(),
      percent: z.number(),
      problem: z.string().optional(),
    }),
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: {},
  async run(_input, call) {
    const ensured = await ensureIndexed(call);
    if (ensured.kind === 'failed') return ensured.answer;
    const { root } = projectOf(call).project;
    const { encoder, ...stats } = await call.services.engine.indexStats({ root });
    const languages = stats.byLanguage.map(({ language, files }) => ({ language, files }));
    const skips = stats.bySkipReason;
    return {
      text: [
        renderFreshness(ensured.freshness),
        `${countOf(stats.files, 'file')}, ${countOf(stats.definitions, 'definition')}, ${renderSize(stats.sourceBytes)} of source`,
        `languages: ${listed(languages.map(({ language, files }) => `${language} ${files}`))}`,
        `parsed exactly: ${listed(stats.parsed.map(renderHealth))}`,
        renderEncoder(encoder),
        `left out: ${listed(skips.map(({ reason, count }) => `${reason} ${count}`))} (\`waymark files\` names each)`,
      ].join('\n'),
      structured: {
        index: toFreshnessValue(ensured.freshness),
        files: stats.files,
        definitions: stats.definitions,
        source_bytes: stats.sourceBytes,
        languages: languages.slice(0, MOST_ROWS),
        parsed: stats.parsed.slice(0, MOST_ROWS).map(({ language, exact, failed, errorShare }) => ({
          language,
          exact,
          failed,
          error_share: errorShare,
        })),
        left_out: skips.map(({ reason, count }) => ({ reason, count })),
        encoder: toEncoderValue(encoder),
      },
    };
  },
});

function listed(items: readonly string[]): string {
  if (items.length === 0) return 'none';
  const rest = items.length - MOST_ROWS;
  return [...items.slice(0, MOST_ROWS), ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
}

function renderHealth({ language, exact, failed, errorShare }: Stats['parsed'][number]): string {
  const unread = errorShare >= WORTH_SAYING ? ` (${(errorShare * 100).toFixed(1)} % not understood)` : '';
  return `${language} ${exact}${unread}${failed > 0 ? ` (${failed} failed)` : ''}`;
}
