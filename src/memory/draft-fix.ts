/** A fix that Waymark read out of a session: shown once, kept if it helped, else it expires. */
import type { MemoryEntry, MemoryStore } from '../storage/index.ts';

/** The field that says of a fix that it is a guess of ours, and whether it was shown. */
const DRAFT = 'draft';
export const NEW_DRAFT = { [DRAFT]: 'new' } as const;
const DRAFT_MS = 14 * 24 * 3600 * 1000;
const MOST_DRAFTS = 1_000;
const BY = 'waymark';

export function isDraft({ fields }: Pick<MemoryEntry, 'fields'>): boolean {
  return fields[DRAFT] !== undefined;
}

/** A draft that helped is a fix like any other. */
export function withoutDraft(fields: MemoryEntry['fields']): MemoryEntry['fields'] {
  const { [DRAFT]: _draft, ...rest } = fields;
  return rest;
}

/** No session was told of it yet. */
export function isNewDraft({ fields }: Pick<MemoryEntry, 'fields'>): boolean {
  return fields[DRAFT] === 'new';
}

/** What became something else meanwhile stays as it is. */
export async function markShown(store: MemoryStore, ids: readonly string[]): Promise<void> {
  for (const id of ids)
    await store.revise(
      id,
      (entry) => (isNewDraft(entry) ? { ...entry, fields: { ...entry.fields, [DRAFT]: 'shown' } } : entry),
      BY,
    );
}

/** What did not help within its time goes to the bin. */
export async function expireDrafts(store: MemoryStore, now: number): Promise<number> {
  const old = (await drafts(store)).filter(({ createdAt }) => createdAt < now - DRAFT_MS);
  return old.length === 0
    ? 0
    : (
        await store.remove(
          old.map(({ id }) => id),
          BY,
        )
      ).length;
}

async function drafts(store: MemoryStore): Promise<readonly MemoryEntry[]> {
  const found = await store.list({ kinds: ['remediation'], limit: MOST_DRAFTS });
  return found.map(({ entry }) => entry).filter(isDraft);
}
