/** One entry as one Markdown file; `parse-entry-file.ts` reads it again, to the byte. Pure. */
import type { MemoryEntry } from '../../storage/index.ts';
import { renderFrontMatter } from './front-matter.ts';

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

function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, NAME_CHARS);
  return slug === '' ? '' : `${slug}-`;
}
