/** What was learned in a project: a timeline, a search, one entry with its versions; edited, forgotten, taken back. */
import * as z from 'zod';
import { AppError, ENTRY_KINDS } from '../../core/index.ts';
import type { Engine } from '../../engine/index.ts';
import type { EntriesAnswer, EntryDetails, EntryRow, EntryVersion } from '../api.ts';
import { defineRoute, projectAt } from '../page-route.ts';

type StoredEntry = Awaited<ReturnType<Engine['listEntries']>>[number];
type Entry = StoredEntry['entry'];

const ROOT = z.string().min(1).max(4_096);
const ID = z.string().min(1).max(100);
const BY = 'waymark page';
const PER_PAGE = 50;
const MOST_FOUND = 30;

export const MEMORY_ROUTES = [
  defineRoute({
    verb: 'GET',
    path: 'memory',
    input: z.strictObject({
      root: ROOT,
      kind: z.enum(ENTRY_KINDS).optional(),
      query: z.string().max(2_000).default(''),
      bin: z.enum(['true', 'false']).default('false'),
      offset: z.coerce.number().int().min(0).default(0),
    }),
    async answer(request): Promise<EntriesAnswer> {
      const { input, page } = request;
      const { root } = await projectAt(request, input.root);
      const sizes = (await page.engine.memorySizes({ root })).filter(({ count }) => count > 0);
      const kinds = input.kind === undefined ? ENTRY_KINDS : [input.kind];
      if (input.query.trim() !== '') {
        const { hits } = await page.engine.recall({
          root,
          query: { text: input.query, kinds, limit: MOST_FOUND },
        });
        return {
          rows: hits.map(({ entry, reasons }) => toRow(entry, { why: reasons })),
          sizes,
          hasMore: false,
        };
      }
      const found = await page.engine.listEntries({
        root,
        kinds,
        offset: input.offset,
        limit: PER_PAGE + 1,
        inBin: input.bin === 'true',
      });
      return {
        rows: found.slice(0, PER_PAGE).map(({ entry, deletedAt }) => toRow(entry, { deletedAt })),
        sizes,
        hasMore: found.length > PER_PAGE,
      };
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
  more: { readonly why?: readonly string[]; readonly deletedAt?: number | undefined },
): EntryRow {
  const { id, kind, name, summary, tags, provenance, updatedAt, version, flags } = entry;
  const { branch, client } = provenance;
  return {
    id,
    kind,
    name,
    summary,
    branch: branch ?? null,
    client,
    tags,
    updatedAt,
    version,
    deletedAt: more.deletedAt ?? null,
    why: more.why ?? [],
    flags,
  };
}

function toVersion({ version, updatedAt, provenance, summary, content, tags }: Entry): EntryVersion {
  return { version, updatedAt, client: provenance.client, summary, content, tags };
}

async function readEntry(engine: Engine, root: string, id: string): Promise<EntryDetails> {
  const { entry, deletedAt, versions, files } = await engine.entryHistory({ root, id });
  const { content, fields, metadata, provenance, createdAt, confidence } = entry;
  return {
    ...toRow(entry, { deletedAt }),
    content,
    fields,
    metadata: JSON.stringify(metadata, null, 2),
    origin: provenance.origin,
    commit: provenance.commit ?? null,
    createdAt,
    confidence,
    files: files.map(({ path, state }) => ({ path, state })),
    versions: [toVersion(entry), ...versions.map(toVersion)],
  };
}
