/** Takes back everything an origin wrote, also where others have edited it since or it has edited what others wrote. */
import type { MemoryEntry, MemoryStore } from '../storage/index.ts';
import { summaryOf } from './admit-entry.ts';
import type { Memory } from './memory.ts';

export interface Forgotten {
  readonly project: string;
  /** Entries that were moved to the bin, or deleted. */
  readonly ids: readonly string[];
  /** Entries of others that were cleared of its words, or are again as they were before it came to them. */
  readonly restored: readonly string[];
}

const EVERYTHING = 1_000_000;
/** Shorter lines prove nothing: braces, headings, single words. */
const TELLING_CHARS = 16;

/** How an origin is named: `agent`, `typed`, `imported`, a client's name, or where an import came from. */
export function isOfOrigin({ provenance }: MemoryEntry, origin: string): boolean {
  const { client, source } = provenance;
  return [provenance.origin, client, client.split(' ')[0], source].includes(origin);
}

/** Moves everything an origin wrote to the bin, in this project or in all; with `forGood`, out of it as well. */
export async function forgetOrigin(
  memory: Memory,
  root: string,
  origin: string,
  options: { readonly everywhere: boolean; readonly forGood: boolean },
): Promise<readonly Forgotten[]> {
  const own = await memory.spaces.spaceOf(memory.placeOf(root).identity);
  const spaces = options.everywhere ? await memory.spaces.list() : [own];
  const forgotten: Forgotten[] = [];
  for (const space of spaces) {
    if (!(await memory.spaces.exists(space))) continue;
    const { ids, restored } = await forgetIn(await memory.spaces.open(space), origin, options.forGood);
    if (ids.length + restored.length > 0) forgotten.push({ project: space, ids, restored });
  }
  return forgotten;
}

type FateOfEntry =
  | { readonly kind: 'keep' | 'remove' }
  /** As it was before the origin came to it, or without what is left of its words. */
  | { readonly kind: 'restore'; readonly version: MemoryEntry };

/**
 * Which states of an entry hold words of the origin: what it wrote, and what others made of that. The editor of a text becomes
 * its author, but a line that the origin brought in is still the origin's. `all` is in any order. Pure.
 */
export function taintedBy(origin: string, all: readonly MemoryEntry[]): (one: MemoryEntry) => boolean {
  const brought = all
    .filter((state) => isOfOrigin(state, origin))
    .map((state) => {
      const others = all.filter((one) => one.version < state.version && !isOfOrigin(one, origin));
      const known = new Set(others.flatMap(linesOf));
      return { version: state.version, lines: linesOf(state).filter((line) => !known.has(line)) };
    });
  return (one) => {
    const lines = new Set(linesOf(one));
    return (
      isOfOrigin(one, origin) ||
      brought.some((theirs) => theirs.version < one.version && theirs.lines.some((line) => lines.has(line)))
    );
  };
}

/** `versions` are the earlier ones, newest first. Pure. */
export function decideFate(
  entry: MemoryEntry,
  versions: readonly MemoryEntry[],
  isTainted: (one: MemoryEntry) => boolean,
): FateOfEntry {
  if (!isTainted(entry)) {
    const cleared = versions.filter(isTainted).reduce(withoutFieldsOf, entry);
    return cleared === entry ? { kind: 'keep' } : { kind: 'restore', version: cleared };
  }
  const version = versions.find((candidate) => !isTainted(candidate));
  return version === undefined ? { kind: 'remove' } : { kind: 'restore', version };
}

/** The text was written anew, but what stands beside it may have been left as it was. */
function withoutFieldsOf(entry: MemoryEntry, theirs: MemoryEntry): MemoryEntry {
  const fields = Object.entries(entry.fields).filter(([field, text]) => text !== theirs.fields[field]);
  const isSummaryTheirs = entry.summary === theirs.summary && entry.summary !== summaryOf(entry.content);
  if (fields.length === Object.keys(entry.fields).length && !isSummaryTheirs) return entry;
  const summary = isSummaryTheirs ? summaryOf(entry.content) : entry.summary;
  return { ...entry, fields: Object.fromEntries(fields), summary };
}

/** The text itself, and the error that a fix is for. */
function linesOf({ content, fields }: MemoryEntry): readonly string[] {
  return [content, fields['error'] ?? '']
    .flatMap((text) => text.split('\n'))
    .map((line) => line.trim())
    .filter((line) => line.length >= TELLING_CHARS);
}

async function forgetIn(
  store: MemoryStore,
  origin: string,
  forGood: boolean,
): Promise<Pick<Forgotten, 'ids' | 'restored'>> {
  const by = `forget ${origin}`;
  const live = await store.list({ limit: EVERYTHING });
  const binned = forGood ? await store.list({ limit: EVERYTHING, inBin: true }) : [];
  const gone: string[] = [];
  const restored: string[] = [];
  for (const { entry, deletedAt } of [...live, ...binned]) {
    const versions = entry.version > 1 ? await store.versions(entry.id) : [];
    const isTainted = taintedBy(origin, [entry, ...versions]);
    const fate = decideFate(entry, versions, isTainted);
    if (fate.kind === 'remove' || (fate.kind === 'restore' && deletedAt !== undefined)) gone.push(entry.id);
    else if (fate.kind === 'restore') {
      await store.revise(entry.id, () => fate.version, by);
      restored.push(entry.id);
    }
    if (forGood) await store.dropVersions(entry.id, isTainted);
  }
  const removed = await store.remove(gone, by);
  if (!forGood) return { ids: removed, restored };
  await store.purge({ ids: gone }, by);
  return { ids: gone, restored };
}
