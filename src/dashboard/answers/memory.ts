/** What was learned in a project: a timeline, a search, one entry with its versions; edited, forgotten, taken back. */
import * as z from 'zod';
import { AppError, ENTRY_KINDS } from '../../core/index.ts';
import type { Engine } from '../../engine/index.ts';
import type { BranchesAnswer, EntriesAnswer, EntryDetails, EntryRow, EntryVersion } from '../api.ts';
import { defineRoute, projectAt } from '../page-route.ts';

type StoredEntry = Awaited<ReturnType<Engine['listEntries']>>[number];
type Entry = StoredEntry['entry'];
type Stale = Awaited<ReturnType<Engine['staleness']>>[number];

const ROOT = z.string().min(1).max(4_096);
const ID = z.string().min(1).max(100);
const BY = 'waymark page';
const PER_PAGE = 50;
const MOST_FOUND = 30;
/** Of one branch: the best of these that are on it. */
const MOST_SIFTED = 300;

export const MEMORY_ROUTES = [
  defineRoute({
    verb: 'GET',
    path: 'memory',
    input: z.strictObject({
      root: ROOT,
      kind: z.enum(ENTRY_KINDS).optional(),
      query: z.string().max(2_000).default(''),
      bin: z.enum(['true', 'false']).default('false'),
      branch: z.string().min(1).max(1_000).optional(),
      offset: z.coerce.number().int().min(0).default(0),
    }),
    async answer(request): Promise<EntriesAnswer> {
      const { input, page } = request;
      const { engine } = page;
      const { root } = await projectAt(request, input.root);
      const { branch } = input;
      const sizes = (await engine.memorySizes({ root })).filter(({ count }) => count > 0);
      const kinds = input.kind === undefined ? ENTRY_KINDS : [input.kind];
      if (input.query.trim() !== '') {
        const limit = branch === undefined ? MOST_FOUND : MOST_SIFTED;
        const { hits } = await engine.recall({ root, query: { text: input.query, kinds, limit } });
        const rows = hits
          .filter(({ entry }) => branch === undefined || entry.provenance.branch === branch)
          .slice(0, MOST_FOUND)
          .map(({ entry, reasons, stale }) => toRow(entry, { why: reasons, stale }));
        return { rows, sizes, hasMore: false };
      }
      const found = await engine.listEntries({
        root,
        kinds,
        branch,
        offset: input.offset,
        limit: PER_PAGE + 1,
        inBin: input.bin === 'true',
      });
      const shown = found.slice(0, PER_PAGE);
      const stale = await engine.staleness({
        root,
        entries: shown.map(({ entry: { files } }) => ({ files })),
      });
      return {
        sizes,
        rows: shown.map(({ entry, deletedAt }, at) => toRow(entry, { deletedAt, stale: stale[at] })),
        hasMore: found.length > PER_PAGE,
      };
    },
  }),
  // Apart from the list, and asked once: of 50,000 entries it takes a tenth of a second.
  defineRoute({
    verb: 'GET',
    path: 'memory/branches',
    input: z.strictObject({ root: ROOT }),
    async answer(request): Promise<BranchesAnswer> {
      const { root } = await projectAt(request, request.input.root);
      return { branches: await request.page.engine.memoryBranches({ root }) };
    },
  }),
  defineRoute({
    verb: 'GET',
    path: 'memory/entry',
    input: z.strictObject({ root: ROOT, id: ID }),
    async answer(request): Promise<EntryDetails> {
      const { root } = await projectAt(request, request.input.root);
      return readEntry(request.page.engine, root, request.input.id);
    },
  }),
  defineRoute({
    verb: 'POST',
    path: 'memory/edit',
    writes: true,
    input: z.strictObject({
      root: ROOT,
      id: ID,
      summary: z.string().max(10_000).optional(),
      content: z.string().max(500_000).optional(),
      tags: z.array(z.string().max(200)).max(50).optional(),
    }),
    async answer(request): Promise<EntryDetails> {
      const { root: named, id, ...edit } = request.input;
      const { root } = await projectAt(request, named);
      const author = { origin: 'typed', client: BY, tool: 'edit' } as const;
      const { engine } = request.page;
      await engine.editEntry({ root, author, id, edit });
      return readEntry(engine, root, id);
    },
  }),
  defineRoute({
    verb: 'POST',
    path: 'memory/forget',
    writes: true,
    input: z.strictObject({ root: ROOT, id: ID }),
    async answer(request): Promise<{ readonly id: string }> {
      const { id } = request.input;
      const { root } = await projectAt(request, request.input.root);
      if (await request.page.engine.forgetEntry({ root, id, by: BY })) return { id };
      throw new AppError('not_found', 'There is no such entry.');
    },
  }),
  defineRoute({
    verb: 'POST',
    path: 'memory/undo',
    writes: true,
    input: z.strictObject({ root: ROOT, id: ID }),
    async answer(request): Promise<{ readonly id: string }> {
      const { id } = request.input;
      const { root } = await projectAt(request, request.input.root);
      await request.page.engine.unforgetEntry({ root, id, by: BY });
      return { id };
    },
  }),
];

function toRow(
  entry: Entry,
  more: {
    readonly why?: readonly string[];
    readonly deletedAt?: number | undefined;
    readonly stale?: Stale | undefined;
  },
): EntryRow {
  const { id, kind, name, summary, tags, provenance, createdAt, updatedAt, version, flags } = entry;
  const { branch, client } = provenance;
  return {
    id,
    kind,
    name,
    summary,
    branch: branch ?? null,
    client,
    tags,
    createdAt,
    updatedAt,
    version,
    deletedAt: more.deletedAt ?? null,
    why: more.why ?? [],
    flags,
    stale: more.stale === undefined ? [] : toStaleWords(more.stale),
  };
}

function toStaleWords({ gone, lost, changed }: Stale): readonly string[] {
  return [
    ...gone.map((path) => `${path} is gone`),
    ...lost.map((name) => `${name} is no longer there`),
    ...changed.map((path) => `${path} has changed`),
  ];
}

function toVersion({ version, updatedAt, provenance, summary, content, tags }: Entry): EntryVersion {
  return { version, updatedAt, client: provenance.client, summary, content, tags };
}

async function readEntry(engine: Engine, root: string, id: string): Promise<EntryDetails> {
  const { entry, deletedAt, versions, files } = await engine.entryHistory({ root, id });
  const { content, fields, metadata, provenance, confidence } = entry;
  return {
    ...toRow(entry, { deletedAt }),
    content,
    fields,
    metadata: JSON.stringify(metadata, null, 2),
    origin: provenance.origin,
    commit: provenance.commit ?? null,
    confidence,
    files: files.map(({ path, state }) => ({ path, state })),
    versions: [toVersion(entry), ...versions.map(toVersion)],
  };
}
