/** Facts and preferences: short, of a project or of the person; one that says the same merges, one that contradicts takes its place. */
import type { MemoryEntry } from '../storage/index.ts';
import { isAbout, isSameStatement, nearFacts, subjectOf } from './fact-subject.ts';
import type { Author } from './make-entry.ts';
import type { Memory, SaveCall, Saved } from './memory.ts';

export const FACT_SCOPES = ['project', 'person'] as const;
export type FactScope = (typeof FACT_SCOPES)[number];

export interface FactDraft {
  readonly text: string;
  /** What it is about: a later fact of the same subject takes its place. Told by the form of the text, if left out. */
  readonly subject?: string | undefined;
  readonly scope: FactScope;
  readonly tags?: readonly string[] | undefined;
}

export interface SavedFact extends Saved {
  /** What stood there before, if the fact took its place. */
  readonly before: string | undefined;
  /** Others that speak of nearly the same. */
  readonly near: readonly MemoryEntry[];
}

/** Facts are few; of more, the newest are compared. */
const MOST_COMPARED = 500;

export async function saveFact(
  memory: Memory,
  root: string,
  author: Author,
  fact: FactDraft,
  call: SaveCall = {},
): Promise<SavedFact> {
  const { text, scope, tags } = fact;
  const subject = fact.subject ?? subjectOf(text);
  const saved = await memory.save(
    root,
    author,
    { kind: 'fact', name: subject, content: text, fields: { subject }, tags },
    { ...call, scope, matches: isAbout, replaces: replaceFact },
  );
  const { entry, revised } = saved;
  const store = scope === 'person' ? await memory.storeOfPerson() : await memory.storeOf(root);
  const [earlier] = revised ? await store.versions(entry.id) : [];
  const before =
    earlier === undefined || isSameStatement(earlier.content, entry.content) ? undefined : earlier.content;
  const others = await store.list({ kinds: ['fact'], limit: MOST_COMPARED });
  return {
    ...saved,
    before,
    near: nearFacts(
      entry,
      others.map((stored) => stored.entry),
    ),
  };
}

function replaceFact(old: MemoryEntry, entry: MemoryEntry): MemoryEntry {
  const tags = [...new Set([...old.tags, ...entry.tags])];
  const paths = new Set(entry.files.map(({ path }) => path));
  const files = [...entry.files, ...old.files.filter(({ path }) => !paths.has(path))];
  const kept = { id: old.id, createdAt: old.createdAt, confidence: old.confidence };
  if (!isSameStatement(old.content, entry.content)) return { ...entry, ...kept, tags };
  const adds = tags.length > old.tags.length || files.length > old.files.length;
  return adds ? { ...old, tags, files, updatedAt: entry.updatedAt } : old;
}
