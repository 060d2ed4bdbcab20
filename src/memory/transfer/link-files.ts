/**
 * Keeps a folder of Markdown and a memory in step, both ways. Each step is done in the memory first and noted last, and doing it
 * again changes nothing: a kill in between is made good by the next run.
 */
import { basename, dirname } from 'node:path';
import { isPushedRoot, type ProjectPlace } from '../../core/index.ts';
import type { MemoryEntry, MemoryStore } from '../../storage/index.ts';
import { gate } from '../admit-entry.ts';
import { isDraft } from '../draft-fix.ts';
import { cutToLimit } from '../entry-text.ts';
import { deleteEntries, editEntry, undoChange } from '../manage.ts';
import { type LinkFolder, provenanceOf } from '../make-entry.ts';
import { isLinkedToFiles, LINKED_TO_FILES, type Memory } from '../memory.ts';
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

/** Files stay where they are when they are no longer kept in step. Where their folder is gone, all of them are written again. */
export async function linkFiles(memory: Memory, root: string, isOn: boolean): Promise<void> {
  const store = await memory.storeOf(root);
  const isKept = isOn && memory.around.openFiles?.(memory.placeOf(root).root).exists() !== false;
  if (isOn) await store.agree(LINKED_TO_FILES, 'on');
  if (isKept) return;
  for (const id of (await store.agreed()).keys())
    if (!isOn || id !== LINKED_TO_FILES) await store.agree(id, undefined);
}

/** Undefined if this memory is kept in no files. */
export async function syncIfLinked(memory: Memory, root: string): Promise<LinkReport | undefined> {
  const { around } = memory;
  // Worktrees share a memory; the files of one of them are in step with it, or each would undo what the other says.
  if (isLinkedWorktree(memory.placeOf(root))) return undefined;
  if (around.openFiles === undefined || isPushedRoot(root) || !(await isLinkedToFiles(memory, root)))
    return undefined;
  return syncFiles(memory, root, around.openFiles(memory.placeOf(root).root));
}

export async function syncFiles(memory: Memory, root: string, folder: LinkFolder): Promise<LinkReport> {
  const store = await memory.storeOf(root);
  const report = { written: 0, taken: 0, deleted: 0, conflicts: 0 };
  // A branch from before the folder: its memory is not forgotten, and nothing is put in the way of the next checkout.
  if (!folder.exists() && [...(await store.agreed()).keys()].some((id) => id !== LINKED_TO_FILES))
    return report;
  const { files, unread } = readFiles(folder);
  // Both sides of a conflict become entries before anything is compared.
  for (const [path, text] of files) {
    const sides = sidesOf(text);
    if (sides === undefined) continue;
    report.conflicts += 1;
    const [ours, theirs] = sides.map((side) => parseLinked(side));
    if (ours === undefined || theirs === undefined) continue;
    await adopt(memory, root, store, {
      ...theirs,
      id: undefined,
      kind: theirs.kind ?? ours.kind,
      name: `${theirs.name ?? ours.name ?? ''} (the other side)`.trim(),
    });
    files.set(path, sides[0]);
    folder.write(path, sides[0]);
  }
  const byId = new Map<string, string>();
  for (const [path, text] of files) {
    const { id } = parseLinked(text);
    if (id !== undefined && !byId.has(id)) byId.set(id, path);
    else {
      // A file that a person made, or copied: an entry of its own, which the next step writes under its own name.
      if (isTooLong(parseLinked(text))) continue;
      const made = await adopt(memory, root, store, { ...parseLinked(text), id: undefined });
      if (made === undefined) continue;
      const written = renderLinked(made);
      folder.write(path, written);
      await store.agree(made.id, digestOf(written));
      files.set(path, written);
      byId.set(made.id, path);
      report.taken += 1;
    }
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
    await take(step, now);
  }
  return report;

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
      if (path !== undefined) folder.write(path, text);
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
        if (path !== undefined) folder.remove(path);
        await store.agree(id, undefined);
        return;
      case 'restore_from_file': {
        report.taken += 1;
        const known = await store.get(id);
        if (known?.deletedAt !== undefined) await undoChange(memory, root, id, BY);
        const back =
          (await store.get(id)) === undefined
            ? await adopt(memory, root, store, parseLinked(file ?? ''))
            : await revise(memory, root, id, parseLinked(file ?? ''));
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
          const made = await adopt(memory, root, store, parseLinked(file ?? ''));
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
  readonly unread: ReadonlySet<string>;
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

/** With the id of the file, where it has one: the same entry in every clone. Undefined if the file says nothing. */
async function adopt(
  memory: Memory,
  root: string,
  store: MemoryStore,
  { id, kind, name, tags, fields, content }: LinkedFile,
): Promise<MemoryEntry | undefined> {
  if (content === '') return undefined;
  const as = kind ?? (content.length <= MOST_FACT_CHARS ? 'fact' : 'guide');
  const draft = { kind: as, name, content: cutToLimit(bodyOf(as), content), tags, fields } as const;
  if (id === undefined)
    return (
      await memory.save(root, AUTHOR, draft, { replaces: (_old, entry) => entry, matches: () => false })
    ).entry;
  const { entry } = memory.prepare(root, AUTHOR, draft, '');
  const provenance = provenanceOf(
    memory.placeOf(root),
    { ...AUTHOR, origin: 'imported' },
    memory.around.user,
  );
  await store.takeIn([{ entry: { ...entry, id, provenance }, history: [] }]);
  return (await store.get(id))?.entry;
}

function bodyOf(kind: MemoryEntry['kind']): 'solution' | 'fact' | 'content' {
  return kind === 'remediation' ? 'solution' : kind === 'fact' ? 'fact' : 'content';
}
