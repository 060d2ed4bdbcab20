/** One entry as one Markdown file, and back: what is written is read again to the byte. Pure. */
import { ENTRY_KINDS, type EntryKind, type FileMark, type MemoryEntry } from '../../storage/index.ts';
import { parseFrontMatter, parseScalar, renderFrontMatter } from './front-matter.ts';

/** What an export's file said; provenance is kept as it was claimed. */
export type ReadEntry = Omit<MemoryEntry, 'provenance' | 'flags' | 'tokens'> & { readonly claims: string };

const BROKEN_TEXT = /\p{Cs}/u;
const NAME_CHARS = 48;

export function pathOf({ id, kind, name }: MemoryEntry): string {
  return `${kind}s/${slugOf(name)}${id}.md`;
}

export function historyPathOf({ id, version }: MemoryEntry): string {
  return `history/${id}/${String(version).padStart(4, '0')}.md`;
}

export function renderEntryFile(entry: MemoryEntry): string {
  const { id, kind, name, summary, content, tags, fields, metadata, files, confidence } = entry;
  const claims: unknown =
    entry.provenance.claims === undefined ? entry.provenance : JSON.parse(entry.provenance.claims);
  // Half a character cannot be written as UTF-8, but JSON can spell it.
  const isBroken = BROKEN_TEXT.test(content);
  return renderFrontMatter(
    [
      ['waymark', 1],
      ['id', id],
      ['kind', kind],
      ['name', name],
      ['summary', summary],
      ['tags', tags],
      ['fields', fields],
      ['metadata', metadata],
      ['files', files],
      ['confidence', confidence],
      ['provenance', claims],
      ['created_at', entry.createdAt],
      ['updated_at', entry.updatedAt],
      ['version', entry.version],
      ...(isBroken ? ([['content', content]] as const) : []),
    ],
    isBroken ? '' : content,
  );
}

/** Undefined if the file is no exported entry. */
export function parseEntryFile(text: string): ReadEntry | undefined {
  const parsed = parseFrontMatter(text);
  if (parsed?.fields.get('waymark') === undefined) return undefined;
  const value = (name: string): unknown => {
    const found = parsed.fields.get(name);
    return found === undefined ? undefined : parseScalar(found);
  };
  const kind = ENTRY_KINDS.find((known): known is EntryKind => known === value('kind'));
  const id = value('id');
  if (kind === undefined || typeof id !== 'string' || !/^[a-z]+-[0-9a-f]{12}$/.test(id)) return undefined;
  const content = value('content');
  return {
    id,
    kind,
    name: toText(value('name')),
    summary: toText(value('summary')),
    content: typeof content === 'string' ? content : parsed.body,
    tags: toTexts(value('tags')),
    fields: toTextFields(value('fields')),
    metadata: toObject(value('metadata')),
    files: toFiles(value('files')),
    confidence: Math.min(1, Math.max(0, toNumber(value('confidence'), 0.5))),
    claims: JSON.stringify(toObject(value('provenance'))),
    createdAt: toNumber(value('created_at'), 0),
    updatedAt: toNumber(value('updated_at'), 0),
    version: toNumber(value('version'), 1),
  };
}

function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, NAME_CHARS);
  return slug === '' ? '' : `${slug}-`;
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}

function toTextFields(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(toObject(value)).filter(
      (field): field is [string, string] => typeof field[1] === 'string',
    ),
  );
}

function toTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

function toFiles(value: unknown): readonly FileMark[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown) => {
    const { path, hash, dirty } = toObject(item);
    if (typeof path !== 'string') return [];
    return [
      {
        path,
        ...(typeof hash === 'string' ? { hash } : {}),
        ...(typeof dirty === 'string' ? { dirty } : {}),
      },
    ];
  });
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function toNumber(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}
