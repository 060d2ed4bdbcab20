/** What a session is told when it starts: where the work stood on this branch, fixes to confirm, and facts that hold. */
import type { MemoryEntry, MemoryStore } from '../storage/index.ts';
import { newDrafts } from './draft-fix.ts';
import type { Memory } from './memory.ts';

export interface SessionBrief {
  /** The newest of this branch. */
  readonly checkpoint: MemoryEntry | undefined;
  /** One that was saved on purpose shortly before a captured one: it knows more of what was meant. */
  readonly meant: MemoryEntry | undefined;
  readonly drafts: readonly MemoryEntry[];
  /** Of the person and of the project, newest first. */
  readonly facts: readonly { readonly entry: MemoryEntry; readonly ofPerson: boolean }[];
}

const MOST_LOOKED_AT = 30;
const MOST_DRAFTS = 3;
const MOST_FACTS = 40;
const SAME_DAY_MS = 12 * 3600 * 1000;

/** Makes no memory by asking; undefined if there is nothing to tell. */
export async function briefOf(memory: Memory, root: string): Promise<SessionBrief | undefined> {
  const { spaces } = memory;
  const place = memory.placeOf(root);
  const own = await spaces.spaceOf(place.identity);
  const person = await spaces.spaceOf(memory.around.person);
  const store = (await spaces.exists(own)) ? await memory.storeOf(root) : undefined;
  const theirs = (await spaces.exists(person)) ? await memory.storeOfPerson() : undefined;
  const checkpoints = (await listOf(store, 'checkpoint', MOST_LOOKED_AT)).filter(
    ({ provenance }) => provenance.branch === place.branch,
  );
  const [checkpoint] = checkpoints;
  const brief = {
    checkpoint,
    meant: checkpoint?.provenance.origin === 'captured' ? meantWith(checkpoint, checkpoints) : undefined,
    drafts: store === undefined ? [] : await newDrafts(store, MOST_DRAFTS),
    facts: [
      ...(await listOf(theirs, 'fact', MOST_FACTS)).map((entry) => ({ entry, ofPerson: true })),
      ...(await listOf(store, 'fact', MOST_FACTS)).map((entry) => ({ entry, ofPerson: false })),
    ],
  };
  return brief.checkpoint === undefined && brief.drafts.length + brief.facts.length === 0 ? undefined : brief;
}

function meantWith(captured: MemoryEntry, all: readonly MemoryEntry[]): MemoryEntry | undefined {
  return all.find(
    ({ provenance, updatedAt }) =>
      provenance.origin !== 'captured' && captured.updatedAt - updatedAt < SAME_DAY_MS,
  );
}

async function listOf(
  store: MemoryStore | undefined,
  kind: MemoryEntry['kind'],
  limit: number,
): Promise<readonly MemoryEntry[]> {
  return ((await store?.list({ kinds: [kind], limit })) ?? []).map(({ entry }) => entry);
}
