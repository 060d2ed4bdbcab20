/** What the owner of a memory does with it: edit, forget, undo, share, move, back up. */
import { join } from 'node:path';
import { AppError } from '../core/index.ts';
import type { MemoryEntry } from '../storage/index.ts';
import { nameOf, summaryOf } from './admit-entry.ts';
import { withoutDraft } from './draft-fix.ts';
import { type Author, isPartial, makeEntry } from './make-entry.ts';
import { BIN_MS, LINKED_TO_FILES, notFound, placeMark, type Memory } from './memory.ts';

export interface EntryEdit {
  readonly name?: string | undefined;
  readonly summary?: string | undefined;
  readonly content?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly files?: readonly string[] | undefined;
  /** In the place of those of the same name. */
  readonly fields?: MemoryEntry['fields'] | undefined;
}

/** `isLate`: whether the entry has moved on since; then it stays as it is. */
export async function editEntry(
  memory: Memory,
  root: string,
  author: Author,
  id: string,
  editOf: EntryEdit | ((old: MemoryEntry) => EntryEdit),
  isLate: (old: MemoryEntry) => boolean = () => false,
): Promise<MemoryEntry> {
  const store = await memory.storeWith(root, id);
  const { around, clock } = memory;
  const place = memory.placeOf(root);
  const changed = await store.revise(id, (old) => {
    if (isLate(old)) return old;
    const edit = typeof editOf === 'function' ? editOf(old) : editOf;
    const { kind, metadata } = old;
    const draft = {
      kind,
      metadata,
      // What a person or an agent has worked on is no guess of ours any more.
      fields: {
        ...(author.origin === 'captured' ? old.fields : withoutDraft(old.fields)),
        ...edit.fields,
      },
      // What was made from the old text is made again from the new one.
      name: edit.name ?? (old.name === nameOf(old.summary) ? undefined : old.name),
      summary: edit.summary ?? (old.summary === summaryOf(old.content) ? undefined : old.summary),
      content: edit.content ?? old.content,
      tags: edit.tags ?? old.tags,
      files: edit.files ?? old.files.map(({ path }) => path),
    };
    const uncommitted = {
      files: old.files.flatMap(({ path, dirty: state }) => (state === undefined ? [] : [{ path, state }])),
      isPartial: isPartial(old),
    };
    const entry = makeEntry(draft, { id, now: clock.now(), place, author, around, uncommitted });
    return { ...entry, createdAt: old.createdAt, confidence: old.confidence };
  });
  if (changed === undefined) throw notFound(id);
  return changed;
}

export async function deleteEntries(
  memory: Memory,
  root: string,
  ids: readonly string[],
  by: string,
): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const id of ids) removed.push(...(await (await memory.storeWith(root, id)).remove([id], by)));
  return removed;
}

/** What an agent does to an entry that is there. All of it can be taken back. */
export type EntryChange =
  | { readonly action: 'revise'; readonly edit: EntryEdit }
  | { readonly action: 'forget' }
  | { readonly action: 'undo' };

/** The entry as it is now, or was when it was forgotten. */
export async function changeEntry(
  memory: Memory,
  root: string,
  author: Author,
  id: string,
  change: EntryChange,
): Promise<MemoryEntry> {
  const by = `${author.origin}: ${author.client}`;
  switch (change.action) {
    case 'revise':
      return editEntry(memory, root, author, id, change.edit);
    case 'undo':
      return (await undoChange(memory, root, id, by)).entry;
    case 'forget': {
      const { entry } = await memory.get(root, id);
      const [removed] = await deleteEntries(memory, root, [id], by);
      if (removed === undefined) throw notFound(id);
      return entry;
    }
  }
}

export interface Undone {
  readonly entry: MemoryEntry;
  /** `restored`: it is out of the bin. `reverted`: it says again what it said before its last change. */
  readonly kind: 'restored' | 'reverted';
}

/** Takes back what was last done to an entry. Taking back a change is a change too: done twice, the change holds again. */
export async function undoChange(memory: Memory, root: string, id: string, by: string): Promise<Undone> {
  const store = await memory.storeWith(root, id);
  const found = await store.get(id);
  if (found === undefined) throw notFound(id);
  if (await store.undo(id, by)) return { entry: found.entry, kind: 'restored' };
  const [before] = await store.versions(id);
  const entry = before === undefined ? undefined : await store.revise(id, () => before, by);
  if (entry === undefined)
    throw new AppError('not_found', `There is nothing to undo about ${id}: it is as it was saved.`, {
      hint: `\`waymark memory list --bin\` shows what can be taken back; after ${BIN_MS / 86_400_000} days it is gone.`,
    });
  return { entry, kind: 'reverted' };
}

export interface Shared {
  readonly space: string;
  readonly copied: number;
}

/** This project uses the memory of another one from now on; what it has learned itself goes along. */
export async function linkTo(memory: Memory, root: string, otherRoot: string): Promise<Shared> {
  const other = memory.placeOf(otherRoot);
  return adoptSpace(memory, root, await memory.spaces.spaceOf(other.identity));
}

/** The project was somewhere else before, where nothing may be left: its memory is found by the old path. */
export async function moveFrom(memory: Memory, root: string, oldRoot: string): Promise<Shared> {
  const names = [join(oldRoot, '.git'), oldRoot];
  for (const identity of names) {
    const space = await memory.spaces.spaceOf(identity);
    if (!(await memory.spaces.exists(space))) continue;
    const store = await memory.spaces.open(space);
    if ((await store.agreed()).get(LINKED_TO_FILES) === placeMark(identity))
      await store.agree(LINKED_TO_FILES, placeMark(memory.placeOf(root).identity));
    return adoptSpace(memory, root, space);
  }
  throw new AppError('not_found', `There is no memory of ${oldRoot}.`, {
    hint: 'Give the path the project had when something was last saved in it.',
  });
}

/** Copies what another project has learned into this one's memory; both go on by themselves. */
export async function mergeFrom(memory: Memory, root: string, otherRoot: string): Promise<Shared> {
  const { spaces } = memory;
  const theirs = await spaces.spaceOf(memory.placeOf(otherRoot).identity);
  const own = await spaces.spaceOf(memory.placeOf(root).identity);
  if (theirs === own || !(await spaces.exists(theirs))) return { space: own, copied: 0 };
  await memory.storeOf(root);
  return { space: own, copied: await spaces.copy({ from: theirs, into: own }) };
}

async function adoptSpace(memory: Memory, root: string, space: string): Promise<Shared> {
  const { spaces, clock } = memory;
  const { identity, name } = memory.placeOf(root);
  const own = await spaces.spaceOf(identity);
  const store = await spaces.open(space);
  await store.addIdentity({ identity, name, since: clock.now() });
  const copied =
    own !== space && (await spaces.exists(own)) ? await spaces.copy({ from: own, into: space }) : 0;
  await spaces.link({ identity, space });
  return { space, copied };
}

export async function unlink(memory: Memory, root: string): Promise<boolean> {
  const { identity } = memory.placeOf(root);
  const store = await memory.storeOf(root);
  const wasLinked = await memory.spaces.unlink(identity);
  if (wasLinked) await store.removeIdentity(identity);
  return wasLinked;
}

/** A copy of every memory, each consistent in itself, while others may write. */
export async function backUp(
  { spaces }: Pick<Memory, 'spaces'>,
  directory: string,
  only?: string,
): Promise<readonly string[]> {
  const names = (await spaces.list()).filter((space) => only === undefined || space === only);
  for (const space of names) await (await spaces.open(space)).backupTo(join(directory, `${space}.db`));
  return names;
}

export interface Restored {
  readonly space: string;
  readonly entries: number;
}

/**
 * Puts copies in place of what is there now; that is copied to `safety` first. Every copy is checked whole before the first
 * takes effect, and if a later one fails after all, those before it are put back.
 */
export async function restore(
  { spaces }: Pick<Memory, 'spaces'>,
  names: readonly string[],
  from: string,
  safety: string,
): Promise<readonly Restored[]> {
  for (const name of names) await spaces.checkBackup(join(from, name));
  const restored: Restored[] = [];
  try {
    for (const name of names) {
      const space = name.slice(0, -'.db'.length);
      const store = await spaces.open(space);
      await store.backupTo(join(safety, name));
      restored.push({ space, entries: await store.restoreFrom(join(from, name)) });
    }
    return restored;
  } catch (thrown) {
    for (const { space } of restored)
      await (await spaces.open(space)).restoreFrom(join(safety, `${space}.db`));
    throw thrown;
  }
}
