/**
 * Keeps a folder of Markdown and a memory in step, both ways. Each step is done in the memory first and noted last, and doing it
 * again changes nothing: a kill in between is made good by the next run.
 */
import { basename, dirname } from 'node:path';
import { AppError, isPushedRoot, type ProjectPlace } from '../../core/index.ts';
import type { MemoryEntry, MemoryStore } from '../../storage/index.ts';
import { gate } from '../admit-entry.ts';
import { isDraft } from '../draft-fix.ts';
import { cutToLimit } from '../entry-text.ts';
import { deleteEntries, editEntry, undoChange } from '../manage.ts';
import { type LinkFolder, provenanceOf } from '../make-entry.ts';
import {
  ID_PREFIXES,
  introduce,
  isLinkedToFiles,
  LINKED_TO_FILES,
  placeMark,
  type Memory,
} from '../memory.ts';
import { pathOf } from './entry-file.ts';
import { planLink, type LinkStep } from './link-plan.ts';
import { digestOf, type LinkedFile, parseLinked, renderLinked, sidesOf } from './linked-file.ts';

export interface LinkReport {
  readonly written: number;
  readonly taken: number;
  readonly deleted: number;
  readonly conflicts: number;
}

const BY = 'typed: files';
const AUTHOR = { origin: 'typed', client: 'files', tool: 'memory link' } as const;
const EVERYTHING = 1_000_000;
const MOST_FACT_CHARS = 600;
const ID_DIGITS = 12;

/**
 * Files stay where they are when they are no longer kept in step. Where their folder is gone, all of them are written again; where
 * it is that of another place, nothing is forgotten for want of a file.
 */
export async function linkFiles(memory: Memory, root: string, isOn: boolean): Promise<void> {
  const store = await memory.storeOf(root);
  const place = memory.placeOf(root);
  const done = await store.inStep(async () => {
    const hasFolder = memory.around.openFiles?.(place.root).exists() !== false;
    const isKept = isOn && hasFolder && (await isLinkedToFiles(memory, root));
    if (isOn) {
      await introduce(store, place, memory.clock);
      await store.agree(LINKED_TO_FILES, placeMark(place.identity));
    }
    if (isKept) return true;
    for (const id of (await store.agreed()).keys())
      if (!isOn || id !== LINKED_TO_FILES) await store.agree(id, undefined);
    return true;
  });
  if (done === undefined)
    throw new AppError('storage_busy', 'Another process is bringing the files and the memory in step.', {
      hint: 'Try again in a moment.',
    });
}

/** Undefined if this memory is kept in no files, or another process brings them in step. */
export async function syncIfLinked(memory: Memory, root: string): Promise<LinkReport | undefined> {
  const { around } = memory;
  // Worktrees share a memory; the files of one of them are in step with it, or each would undo what the other says.
  if (isLinkedWorktree(memory.placeOf(root))) return undefined;
  if (around.openFiles === undefined || isPushedRoot(root) || !(await isLinkedToFiles(memory, root)))
    return undefined;
  return syncFiles(memory, root, around.openFiles(memory.placeOf(root).root));
}

/** One process after the other; undefined if another one does not finish soon. */
export async function syncFiles(
  memory: Memory,
  root: string,
  folder: LinkFolder,
): Promise<LinkReport | undefined> {
  const store = await memory.storeOf(root);
  return store.inStep(() => bringInStep({ memory, root, store, folder }));
}

async function bringInStep(linked: Linked): Promise<LinkReport> {
  const { memory, root, store, folder } = linked;
  const report = { written: 0, taken: 0, deleted: 0, conflicts: 0 };
  // A branch from before the folder: its memory is not forgotten, and nothing is put in the way of the next checkout.
  if (!folder.exists() && [...(await store.agreed()).keys()].some((id) => id !== LINKED_TO_FILES))
    return report;
  const { files, unread } = readFiles(folder);
  const merged = new Map(
    [...files].flatMap(([path, text]) => {
      const sides = sidesOf(text);
      return sides === undefined ? [] : [[path, sides] as const];
    }),
  );
  const byId = new Map<string, string>();
  const others: string[] = [];
  for (const [path, text] of files) {
    const { id } = parseLinked(merged.get(path)?.[0] ?? text);
    if (id !== undefined && !byId.has(id)) byId.set(id, path);
    else others.push(path);
  }
  const adoptOnce = (file: LinkedFile, ...from: readonly string[]): Promise<MemoryEntry | undefined> =>
    unlessRefused(() => adoptNew(linked, file, { from, isTaken: (id) => byId.has(id) }));
  // Both sides of a conflict become entries before anything is compared.
  for (const [path, [ours, theirs]] of merged) {
    report.conflicts += 1;
    const made = await adoptOnce(otherSideOf(parseLinked(theirs), parseLinked(ours)), path, theirs);
    if (made !== undefined && putInPlace(folder, { path, old: files.get(path), text: ours }))
      files.set(path, ours);
    else setAside(path);
  }
  // Files that a person made, or copied: entries of their own, which the next step writes under their own names.
  for (const path of others) {
    const text = files.get(path);
    if (text === undefined || isTooLong(parseLinked(text))) continue;
    // By its first line: a clone may have more of it when it comes to see it.
    const file = parseLinked(text);
    const made = await adoptOnce(file, path, file.content.split('\n', 1)[0] ?? '');
    if (made === undefined) continue;
    byId.set(made.id, path);
    const written = renderLinked(made);
    if (!putInPlace(folder, { path, old: text, text: written })) {
      setAside(path);
      continue;
    }
    await store.agree(made.id, digestOf(written));
    files.set(path, written);
    report.taken += 1;
  }
  const agreed = new Map([...(await store.agreed())].filter(([id]) => id !== LINKED_TO_FILES));
  const live = new Map(
    (await store.list({ limit: EVERYTHING }))
      .filter(({ entry }) => isLinked(entry))
      .map(({ entry }) => [entry.id, entry]),
  );
  for (const id of new Set([...live.keys(), ...byId.keys(), ...agreed.keys()])) {
    const entry = live.get(id);
    const path = byId.get(id) ?? (entry === undefined ? undefined : pathOf(entry));
    // What cannot be read is not gone.
    if (path !== undefined && unread.has(path)) continue;
    const sides = { id, entry, path, file: path === undefined ? undefined : files.get(path) };
    if (stepOf(sides, agreed.get(id)) === 'nothing' && !agreed.has(id)) continue;
    const now = stepOf(sides, agreed.get(id)) === 'agree' ? sides : await lookAgain(sides);
    const step = stepOf(now, agreed.get(id));
    const takesFile = step === 'take_file' || step === 'adopt_file' || step === 'restore_from_file';
    // A text beyond the limit stays with the person who wrote it: its end would be lost.
    if (takesFile && isTooLong(parseLinked(now.file ?? ''))) continue;
    // A file that cannot be read may be that of any entry.
    if (step === 'forget_entry' && unread.size > 0) continue;
    await unlessRefused(() => take(step, now));
  }
  return report;

  /** It was changed meanwhile: the next run looks at it. */
  function setAside(path: string): void {
    files.delete(path);
    unread.add(path);
  }

  function stepOf({ entry, file }: Side, digest: string | undefined): LinkStep {
    const said = entry === undefined ? undefined : renderLinked(entry);
    return planLink({ entry: said, file, agreed: digest }, digestOf);
  }

  /** Another process may have brought both in step since they were read. */
  async function lookAgain({ id, path, file }: Side): Promise<Side> {
    const known = await store.get(id);
    const digest = (await store.agreed()).get(id);
    if (digest === undefined) agreed.delete(id);
    else agreed.set(id, digest);
    const entry =
      known !== undefined && known.deletedAt === undefined && isLinked(known.entry) ? known.entry : undefined;
    return { id, entry, path, file: path === undefined ? file : folder.read(path) };
  }

  async function take(step: LinkStep, { id, entry, path, file }: Side): Promise<void> {
    const write = async (now: MemoryEntry): Promise<void> => {
      const text = renderLinked(now);
      if (path === undefined || putInPlace(folder, { path, old: file, text }))
        await store.agree(id, digestOf(text));
    };
    switch (step) {
      case 'agree':
        if (agreed.get(id) !== digestOf(file ?? '')) await store.agree(id, digestOf(file ?? ''));
        return;
      case 'write_file':
        report.written += 1;
        if (entry !== undefined) await write(entry);
        return;
      case 'take_file':
        report.taken += 1;
        await write(await revise(memory, root, id, parseLinked(file ?? '')));
        return;
      case 'forget_entry':
        report.deleted += 1;
        await deleteEntries(memory, root, [id], BY);
        await store.agree(id, undefined);
        return;
      case 'delete_file':
        report.deleted += 1;
        if (path !== undefined && folder.read(path) !== file) return;
        if (path !== undefined) folder.remove(path);
        await store.agree(id, undefined);
        return;
      case 'restore_from_file': {
        report.taken += 1;
        const known = await store.get(id);
        if (known?.deletedAt !== undefined) await undoChange(memory, root, id, BY);
        const back = await ((await store.get(id)) === undefined
          ? adopt(linked, parseLinked(file ?? ''), 'imported')
          : revise(memory, root, id, parseLinked(file ?? '')));
        if (back !== undefined) await write(back);
        return;
      }
      case 'adopt_file': {
        // Forgotten here and never agreed on: what is in the bin stays there until its file changes.
        const known = await store.get(id);
        if (known !== undefined) {
          if (known.deletedAt === undefined) return;
          await undoChange(memory, root, id, BY);
          await write(await revise(memory, root, id, parseLinked(file ?? '')));
        } else {
          const made = await adopt(linked, parseLinked(file ?? ''), 'imported');
          if (made !== undefined) await write(made);
        }
        report.taken += 1;
        return;
      }
      case 'nothing':
        if (agreed.has(id)) await store.agree(id, undefined);
    }
  }
}

interface Linked {
  readonly memory: Memory;
  readonly root: string;
  readonly store: MemoryStore;
  readonly folder: LinkFolder;
}

interface Side {
  readonly id: string;
  readonly entry: MemoryEntry | undefined;
  readonly path: string | undefined;
  readonly file: string | undefined;
}

function isLinkedWorktree({ gitDir }: ProjectPlace): boolean {
  return gitDir !== undefined && basename(dirname(gitDir)) === 'worktrees';
}

function isTooLong({ kind, content }: LinkedFile): boolean {
  const what = bodyOf(kind ?? 'guide');
  return cutToLimit(what, content) !== content;
}

/** Captured sessions and guesses are this machine's own; collections are lists of patterns. */
function isLinked(entry: MemoryEntry): boolean {
  return entry.kind !== 'collection' && entry.provenance.origin !== 'captured' && !isDraft(entry);
}

function readFiles(folder: LinkFolder): {
  readonly files: Map<string, string>;
  readonly unread: Set<string>;
} {
  const files = new Map<string, string>();
  const unread = new Set<string>();
  if (!folder.exists()) return { files, unread };
  for (const path of folder.list().filter((name) => name.endsWith('.md') && !name.startsWith('history/'))) {
    const text = folder.read(path);
    if (text === undefined) unread.add(path);
    else if (parseLinked(text).content !== '') files.set(path, text);
  }
  return { files, unread };
}

async function revise(memory: Memory, root: string, id: string, file: LinkedFile): Promise<MemoryEntry> {
  const { entry } = await memory.get(root, id);
  const { content, name, tags, fields } = file;
  const edit = { content: cutToLimit(bodyOf(entry.kind), content), name, tags, fields };
  const isSame =
    gate.clean(edit.content) === entry.content &&
    (name === undefined || name === entry.name) &&
    tags.join('\n') === entry.tags.join('\n') &&
    Object.entries(fields).every(([field, text]) => gate.clean(text ?? '') === entry.fields[field]);
  if (!isSame) return editEntry(memory, root, AUTHOR, id, edit);
  return entry;
}

/** With the id of the file: the same entry in every clone. Undefined if the file says nothing. */
async function adopt(
  { memory, root, store }: Linked,
  { id, kind, name, tags, fields, content }: LinkedFile,
  origin: 'typed' | 'imported',
): Promise<MemoryEntry | undefined> {
  if (content === '' || id === undefined) return undefined;
  const as = kindOf({ kind, content });
  const draft = { kind: as, name, content: cutToLimit(bodyOf(as), content), tags, fields } as const;
  const { entry } = memory.prepare(root, AUTHOR, draft, '');
  const provenance = provenanceOf(memory.placeOf(root), { ...AUTHOR, origin }, memory.around.user);
  await store.takeIn([{ entry: { ...entry, id, provenance }, history: [] }]);
  return (await store.get(id))?.entry;
}

/**
 * An entry of a text that has none. Its id is made of what tells the text apart, so that every clone gives it the same one, and a
 * run after a kill finds what the one before has made.
 */
async function adoptNew(
  linked: Linked,
  file: LinkedFile,
  { from, isTaken }: { readonly from: readonly string[]; readonly isTaken: (id: string) => boolean },
): Promise<MemoryEntry | undefined> {
  const { memory, root, store } = linked;
  const { name } = memory.placeOf(root);
  for (let copy = 0; ; copy += 1) {
    const digest = digestOf(JSON.stringify([name, copy, ...from]));
    const id = `${ID_PREFIXES[kindOf(file)]}-${digest.slice(0, ID_DIGITS)}`;
    if (isTaken(id)) continue;
    const known = await store.get(id);
    if (known === undefined) return adopt(linked, { ...file, id }, 'typed');
    if (known.deletedAt !== undefined) await undoChange(memory, root, id, BY);
    return revise(memory, root, id, file);
  }
}

/**
 * What is above a limit, such as a hundred tags, stays with the person who wrote it, and an entry that was forgotten meanwhile is
 * looked at by the next run: neither keeps other files from being in step.
 */
async function unlessRefused<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof AppError && (thrown.code === 'bad_argument' || thrown.code === 'not_found'))
      return undefined;
    throw thrown;
  }
}

/** As a guide where it is too long for its kind: nothing of it is cut. */
function otherSideOf(theirs: LinkedFile, ours: LinkedFile): LinkedFile {
  const side = { ...theirs, kind: theirs.kind ?? ours.kind };
  const label = `${theirs.name ?? ours.name ?? ''} (the other side)`.trim();
  return {
    ...side,
    kind: isTooLong(side) ? 'guide' : side.kind,
    name: cutToLimit('name', label) === label ? label : undefined,
  };
}

/** False where a person has written to the file since it was read: that stays. */
function putInPlace(
  folder: LinkFolder,
  { path, old, text }: { path: string; old: string | undefined; text: string },
): boolean {
  if (folder.read(path) !== old) return false;
  folder.write(path, text);
  return true;
}

function kindOf({ kind, content }: Pick<LinkedFile, 'kind' | 'content'>): MemoryEntry['kind'] {
  return kind ?? (content.length <= MOST_FACT_CHARS ? 'fact' : 'guide');
}

function bodyOf(kind: MemoryEntry['kind']): 'solution' | 'fact' | 'content' {
  return kind === 'remediation' ? 'solution' : kind === 'fact' ? 'fact' : 'content';
}
