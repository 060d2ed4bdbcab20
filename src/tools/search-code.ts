/** Tool `search_code`: the right lines in few tokens. */
import * as z from 'zod';
import { AppError, HIT_LIMITS, SEARCH_KINDS, type Project } from '../core/index.ts';
import type { Freshness } from '../indexing/index.ts';
import { DETAILS, FILTER_LIMITS } from '../search/index.ts';
import { escapeControl, quoteForeign } from '../text/index.ts';
import { defineTool, projectOf, type ToolCall } from './define-tool.ts';
import { ensureIndexed, FRESHNESS_VALUE, renderFreshness, toFreshnessValue } from './freshness.ts';
import { renderFailure } from './failures.ts';
import { MOST_BUDGET, renderEncoderNotes, renderHits } from './render-hits.ts';
import { namesUpTo, PROJECT_ARGUMENT_CHARS, textUpTo } from './schemas.ts';

const LEAST_BUDGET = 100;
const MOST_PROJECTS = 20;
const MOST_CURSOR_CHARS = 100;
const NAMES = namesUpTo(FILTER_LIMITS.count, FILTER_LIMITS.chars);

export const searchCode = defineTool({
  name: 'search_code',
  toolset: 'search',
  scope: 'search',
  title: 'Search code',
  alwaysLoad: true,
  description:
    'Search the codebase: find code by meaning, by words or by name, where something is defined, handled or configured, and ' +
    'get the lines that matter with their paths. Use it before grep or reading files. Ask in a sentence ("how are sessions expired"), name a symbol (`SessionStore.get`), quote exact text ' +
    '("retry after"), or give a /regex/. Filters may stand in the query: lang:ts path:src/** -path:test kind:class symbol:Name changed:yes branch:main.',
  project: 'required',
  input: z.strictObject({
    query: z.string().describe('Sentence, symbol, "exact text" or /regex/, with filters'),
    lang: NAMES.optional(),
    path: NAMES.optional().describe('Globs; ! excludes'),
    kind: z.array(z.enum(SEARCH_KINDS)).optional(),
    symbol: NAMES.optional(),
    changed: z.boolean().optional().describe('Only uncommitted files'),
    branch: textUpTo(FILTER_LIMITS.chars)
      .optional()
      .describe('Only what differs from where it left this branch'),
    limit: z.number().int().min(1).max(HIT_LIMITS.matches.most).optional(),
    budget: z.number().int().min(LEAST_BUDGET).max(MOST_BUDGET).optional().describe('Tokens, default 2000'),
    detail: z.enum(DETAILS).optional(),
    cursor: textUpTo(MOST_CURSOR_CHARS).optional(),
    similar_to: textUpTo(PROJECT_ARGUMENT_CHARS).optional().describe('path:line'),
    projects: namesUpTo(MOST_PROJECTS, PROJECT_ARGUMENT_CHARS)
      .optional()
      .describe('Search these too; * for the whole workspace'),
  }),
  output: z.object({
    hits: z.array(
      z.object({
        path: z.string(),
        project: z.string().optional(),
        start_line: z.number(),
        end_line: z.number(),
        symbol: z.string().optional(),
        kind: z.string().optional(),
        lines: z.array(z.string()),
        more_lines: z.array(z.number()),
        cut: z.string().optional(),
        score: z.number(),
        why: z.array(z.string()),
      }),
    ),
    nearest: z
      .array(
        z.object({
          path: z.string(),
          project: z.string().optional(),
          start_line: z.number(),
          end_line: z.number(),
          symbol: z.string().optional(),
          kind: z.string().optional(),
        }),
      )
      .optional(),
    matched: z.number(),
    matched_lines: z.number().optional(),
    next_cursor: z.string().optional(),
    notes: z.array(z.string()).optional(),
    index: FRESHNESS_VALUE,
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: { query: 'where are sessions expired' },
  async run(input, call) {
    const ensured = await ensureIndexed(call);
    if (ensured.kind === 'failed') return ensured.answer;
    const { root } = projectOf(call).project;
    try {
      const others = await otherProjects(call, input.projects ?? []);
      const roots = [root, ...others.map((other) => other.root)];
      const answer = await call.services.engine.search(
        {
          roots,
          query: input.query,
          languages: input.lang,
          paths: input.path,
          kinds: input.kind,
          symbols: input.symbol,
          changed: input.changed,
          branch: input.branch,
          limit: input.limit,
          detail: input.detail,
          everyMatch: input.detail === 'locations' ? 'in-time' : undefined,
          cursor: input.cursor,
          similarTo: input.similar_to === '' ? undefined : input.similar_to,
        },
        { signal: call.signal },
      );
      const rendered = renderHits(answer, {
        query: input.query,
        budget: input.budget,
        roots,
      });
      const before = [...others.flatMap(renderOther), ...renderEncoderNotes(answer.encoderNotes, roots)];
      const notes = [...before, ...rendered.notes];
      return {
        text: `${[renderFreshness(ensured.freshness), ...before].join('\n')}\n\n${rendered.text}`,
        structured: {
          hits: rendered.hits,
          ...(rendered.nearest.length === 0 ? {} : { nearest: rendered.nearest }),
          matched: answer.matched,
          ...(answer.matchedLines === undefined ? {} : { matched_lines: answer.matchedLines }),
          ...(rendered.next === undefined ? {} : { next_cursor: rendered.next }),
          ...(notes.length === 0 ? {} : { notes }),
          index: toFreshnessValue(ensured.freshness),
        },
      };
    } catch (thrown) {
      if (!(thrown instanceof AppError) || thrown.facts.fault === 'bug') throw thrown;
      return renderFailure({
        errorType: thrown.code,
        message: thrown.message,
        instruction: thrown.hint ?? 'Call search_code with another query.',
      });
    }
  },
});

interface OtherProject extends Project {
  readonly freshness: Freshness;
}

/** Other projects, by path or known name, brought up to date like the call's own. */
async function otherProjects(call: ToolCall, names: readonly string[]): Promise<OtherProject[]> {
  const own = projectOf(call).project.root;
  const found = new Map<string, Project>();
  for (const name of new Set(names))
    for (const project of name === WORKSPACE ? workspaceOf(call) : [await byName(call, name)])
      if (project.root !== own) found.set(project.root, project);
  return Promise.all(
    [...found.values()].map(async (project) => {
      const freshness = await call.services.engine.ensureIndex(
        { root: project.root, mayWrite: true },
        { signal: call.signal },
      );
      if (freshness.state !== 'missing') {
        // An index whose project is not known is listed nowhere.
        await call.services.engine.rememberProject({ project });
        return { ...project, freshness };
      }
      throw new AppError('not_found', `There is no index of ${project.root}.`, {
        hint: `Call index_codebase with ${JSON.stringify({ project: project.root })}`,
      });
    }),
  );
}

const WORKSPACE = '*';

/** Every folder that the client has open. */
function workspaceOf({ detection }: ToolCall): readonly Project[] {
  return detection.reports.flatMap((report) => (report.kind === 'found' ? (report.workspace ?? []) : []));
}

async function byName(call: ToolCall, name: string): Promise<Project> {
  const named = await call.name(name);
  if (named.kind === 'found') return named.project;
  const known = (await call.candidates()).map((project) => quoteForeign(project.name));
  const names = known.length === 0 ? 'No project is known yet' : `Known projects are ${known.join(', ')}`;
  throw new AppError('bad_argument', named.message, {
    hint: `${names}. Put the absolute path or the name of an indexed project into projects, or "*" for every folder that is open.`,
  });
}

function renderOther({ name, freshness }: OtherProject): string[] {
  return freshness.state === 'fresh' ? [] : [`${escapeControl(name)}: ${renderFreshness(freshness)}`];
}
