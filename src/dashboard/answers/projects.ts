/** Every project of this installation: what is indexed, what is remembered, which client asked last. */
import * as z from 'zod';
import { AppError } from '../../core/index.ts';
import type { OperationValue, OverviewAnswer, ProjectDetails, ProjectRow, ProjectsAnswer } from '../api.ts';
import { defineRoute, projectAt, type PageParts } from '../page-route.ts';

const ROOT = z.string().min(1).max(4_096);
const MOST_ROWS = 100;

export const PROJECT_ROUTES = [
  defineRoute({
    verb: 'GET',
    path: 'overview',
    input: z.strictObject({}),
    async answer({ exchange, call, page }): Promise<OverviewAnswer> {
      const url = `http://${exchange.header('host') ?? ''}/mcp`;
      const usual = await call.detect(undefined, { explain: false });
      return {
        version: page.version,
        url,
        connect: await page.connect(),
        hasClients: page.log.clients().length > 0,
        usual: usual.kind === 'found' ? { root: usual.project.root, name: usual.project.name } : null,
      };
    },
  }),
  defineRoute({
    verb: 'GET',
    path: 'projects',
    input: z.strictObject({
      query: z.string().max(200).default(''),
      offset: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(MOST_ROWS).default(50),
    }),
    async answer({ input, page }): Promise<ProjectsAnswer> {
      const wanted = input.query.toLowerCase();
      const rows = (await listProjects(page)).filter(
        ({ root, name }) => root.toLowerCase().includes(wanted) || name.toLowerCase().includes(wanted),
      );
      return { total: rows.length, rows: rows.slice(input.offset, input.offset + input.limit) };
    },
  }),
  defineRoute({
    verb: 'GET',
    path: 'project',
    input: z.strictObject({ root: ROOT }),
    answer: async (request) => {
      const { root } = await projectAt(request, request.input.root);
      return readDetails(request.page, root);
    },
  }),
  defineRoute({
    verb: 'POST',
    path: 'project/index',
    writes: true,
    input: z.strictObject({ root: ROOT }),
    async answer(request): Promise<OperationValue> {
      const { root } = await projectAt(request, request.input.root);
      const { engine } = request.page;
      await engine.rememberProject({ project: { root, name: root.split('/').at(-1) ?? root } });
      return toOperationValue(await engine.index({ root, waitMs: 0 }));
    },
  }),
  defineRoute({
    verb: 'GET',
    path: 'operation',
    input: z.strictObject({ id: z.string().max(100) }),
    async answer({ input, page }): Promise<OperationValue> {
      const found = await page.engine.operation({ id: input.id });
      if (found === undefined) throw new AppError('not_found', 'There is no such operation any more.');
      return toOperationValue(found);
    },
  }),
  defineRoute({
    verb: 'POST',
    path: 'project/clear',
    writes: true,
    input: z.strictObject({ root: ROOT }),
    async answer({ input, page }): Promise<{ readonly cleared: boolean }> {
      // Of a folder that is gone too: its index is what is left of it.
      const known = (await listProjects(page)).find(({ root }) => root === input.root);
      if (known === undefined) throw new AppError('not_found', 'There is no such project.');
      return { cleared: await page.engine.clearIndex({ root: known.root }) };
    },
  }),
];

/** Most recently used first; what this caller may not name is not told. */
async function listProjects({ engine, detector }: PageParts): Promise<readonly ProjectRow[]> {
  const [known, kept] = await Promise.all([engine.knownProjects({}), engine.listIndexes({})]);
  // One of an earlier release may lie beside it until it is long unused.
  const newestLast = kept.toSorted((a, b) => Number(a.kind === 'current') - Number(b.kind === 'current'));
  const indexes = new Map(
    newestLast.flatMap((index) => (index.root === undefined ? [] : [[index.root, index]])),
  );
  return known
    .filter(({ root }) => detector.mayName(root, 'http'))
    .map(({ root, name }) => {
      const index = indexes.get(root);
      return {
        root,
        name,
        usedAt: index?.usedAt ?? null,
        sizeBytes: index?.sizeBytes ?? null,
        index: index?.kind ?? 'none',
        isGone: index?.isGone ?? false,
      };
    });
}

async function readDetails({ engine, log }: PageParts, root: string): Promise<ProjectDetails> {
  const state = await engine.indexState({ root });
  const [place, memory, stats] = await Promise.all([
    engine.placeOf({ root }),
    orNull(engine.memorySizes({ root })),
    state.state === 'missing' ? null : orNull(engine.indexStats({ root })),
  ]);
  const parsed = stats?.parsed ?? [];
  const exact = parsed.reduce((sum, each) => sum + each.exact, 0);
  const failed = parsed.reduce((sum, each) => sum + each.failed, 0);
  const last = log.lastOf(root);
  return {
    root,
    branch: place.branch ?? null,
    freshness:
      state.state === 'updating'
        ? { state: 'updating', percent: state.percent ?? null }
        : { state: state.state },
    files: stats?.files ?? 0,
    definitions: stats?.definitions ?? 0,
    sourceBytes: stats?.sourceBytes ?? 0,
    leftOut: stats?.skips ?? 0,
    languages: (stats?.byLanguage ?? []).map(({ language, files }) => ({ language, files })),
    parsed: {
      exact,
      failed,
      waiting: stats === null ? 0 : Math.max(0, stats.parsable - exact - failed),
      errorShare: parsed.reduce((sum, each) => sum + each.errorShare * each.exact, 0) / Math.max(1, exact),
    },
    memory: memory?.filter(({ count }) => count > 0) ?? null,
    lastCall: last === undefined ? null : { client: last.client, tool: last.tool, at: last.at },
  };
}

/** What cannot be opened is left out: one damaged store must not hide the rest. */
async function orNull<Value>(asked: Promise<Value>): Promise<Value | null> {
  try {
    return await asked;
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.facts.fault !== 'bug') return null;
    throw thrown;
  }
}

type Ran = Awaited<ReturnType<PageParts['engine']['index']>>;

function toOperationValue(ran: Ran): OperationValue {
  const { id, state } = ran;
  if (state === 'running') return { id, state, percent: ran.percent ?? null };
  return state === 'failed' ? { id, state, message: ran.failure.message } : { id, state };
}
