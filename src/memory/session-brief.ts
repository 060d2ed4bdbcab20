/** What a session is told when it starts: where the work stood on this branch, fixes to confirm, and facts that hold. */
import type { ProjectPlace } from '../core/index.ts';
import type { EntryKind, MemoryEntry, StoredEntry } from '../storage/index.ts';
import { isNewDraft } from './draft-fix.ts';
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
const MOST_FIXES = 200;
const MOST_DRAFTS = 3;
const MOST_FACTS = 40;
const SAME_DAY_MS = 12 * 3600 * 1000;

/** The newest entries of a memory, known by whose it is; none where there is no such memory. */
export type ListOf = (
  identity: string,
  filter: {
    readonly kinds: readonly EntryKind[];
    readonly limit: number;
    readonly branch?: string | undefined;
  },
) => Promise<readonly StoredEntry[]>;

/** Makes no memory by asking; undefined if there is nothing to tell. */
export async function briefOf(memory: Memory, root: string): Promise<SessionBrief | undefined> {
  const { spaces, around } = memory;
  const list: ListOf = async (identity, filter) => {
    const space = await spaces.spaceOf(identity);
    return (await spaces.exists(space)) ? (await spaces.open(space)).list(filter) : [];
  };
  return readBrief(list, memory.placeOf(root), around.person);
}

export async function readBrief(
  listOf: ListOf,
  { identity, branch }: Pick<ProjectPlace, 'identity' | 'branch'>,
  person: string,
): Promise<SessionBrief | undefined> {
  const list = async (
    owner: string,
    kind: EntryKind,
    limit: number,
    of?: string,
  ): Promise<readonly MemoryEntry[]> =>
    (await listOf(owner, { kinds: [kind], limit, branch: of })).map(({ entry }) => entry);
  const checkpoints = (await list(identity, 'checkpoint', MOST_LOOKED_AT, branch))
    .filter(({ provenance }) => provenance.branch === branch)
    .toSorted((a, b) => lastWorkAt(b) - lastWorkAt(a));
  const [checkpoint] = checkpoints;
  const brief = {
    checkpoint,
    meant: checkpoint?.provenance.origin === 'captured' ? meantWith(checkpoint, checkpoints) : undefined,
    drafts: (await list(identity, 'remediation', MOST_FIXES)).filter(isNewDraft).slice(0, MOST_DRAFTS),
    facts: [
      ...(await list(person, 'fact', MOST_FACTS)).map((entry) => ({ entry, ofPerson: true })),
      ...(await list(identity, 'fact', MOST_FACTS)).map((entry) => ({ entry, ofPerson: false })),
    ],
  };
  return brief.checkpoint === undefined && brief.drafts.length + brief.facts.length === 0 ? undefined : brief;
}

/** A session that went on the next day is the last work, although another was begun since; a corrected word is no work. */
function lastWorkAt({ provenance, createdAt, updatedAt }: MemoryEntry): number {
  return provenance.origin === 'captured' ? updatedAt : createdAt;
}

function meantWith(captured: MemoryEntry, all: readonly MemoryEntry[]): MemoryEntry | undefined {
  return all.find(
    ({ provenance, updatedAt }) =>
      provenance.origin !== 'captured' && captured.updatedAt - updatedAt < SAME_DAY_MS,
  );
}
