/** Takes a memory out to a folder that people and git can read, and back in. */
import type { MemoryEntry, MemoryStore } from '../../storage/index.ts';
import { createCleaner } from '../clean-entry.ts';
import { flagText } from '../instruction-like.ts';
import { checkLimit } from '../limits.ts';
import type { Memory } from '../memory.ts';
import { provenanceOf, type Author, type Place } from '../place.ts';
import { estimateTokens } from '../token-estimate.ts';
import { historyPathOf, parseEntryFile, pathOf, renderEntryFile, type ReadEntry } from './entry-file.ts';
import { parseSkillFile, renderSkillFile, skillPathOf } from './skill-file.ts';

/** Where files come from and go to; the machine provides it. */
export interface Folder {
  list(): readonly string[];
  read(path: string): string | undefined;
  write(path: string, text: string): void;
}

export interface ImportReport {
  readonly added: number;
  /** Already here; nothing was changed. */
  readonly known: number;
  /** Files that hold no entry, and why. */
  readonly ignored: readonly string[];
}

const EVERYTHING = 1_000_000;

export async function exportMemory(memory: Memory, root: string, folder: Folder): Promise<number> {
  const store = await memory.storeOf(root);
  const stored = await store.list({ limit: EVERYTHING });
  for (const { entry } of stored) {
    folder.write(pathOf(entry), renderEntryFile(entry));
    for (const version of await store.versions(entry.id))
      folder.write(historyPathOf(version), renderEntryFile(version));
  }
  return stored.length;
}

export async function exportSkills(memory: Memory, root: string, folder: Folder): Promise<number> {
  const stored = await (await memory.storeOf(root)).list({ kinds: ['skill'], limit: EVERYTHING });
  for (const { entry } of stored) folder.write(skillPathOf(entry), renderSkillFile(entry));
  return stored.length;
}

export async function importMemory(
  memory: Memory,
  root: string,
  folder: Folder,
  author: Author,
): Promise<ImportReport> {
  const place = memory.placeOf(root);
  const store = await memory.storeOf(root);
  const paths = folder.list().filter((path) => path.endsWith('.md'));
  const history = readHistory(folder, paths);
  const ignored: string[] = [];
  let added = 0;
  let known = 0;
  for (const path of paths.filter((candidate) => !candidate.startsWith('history/'))) {
    const outcome = await importFile(path);
    if (outcome === 'ignored') ignored.push(path);
    else if (outcome === 'added') added += 1;
    else known += 1;
  }
  return { added, known, ignored };

  async function importFile(path: string): Promise<'added' | 'known' | 'ignored'> {
    const text = folder.read(path);
    if (text === undefined) return 'ignored';
    const read = parseEntryFile(text);
    if (read !== undefined) return adopt(store, read);
    const skill = /(?:^|\/)SKILL\.md$/.test(path) ? parseSkillFile(text) : undefined;
    if (skill === undefined) return 'ignored';
    const { repeated } = await memory.save(root, author, skill, `import ${path} ${text}`.slice(0, 10_000));
    return repeated ? 'known' : 'added';
  }

  async function adopt(into: MemoryStore, read: ReadEntry): Promise<'added' | 'known'> {
    const earlier = (history.get(read.id) ?? []).toSorted((a, b) => a.version - b.version);
    const entries = [read, ...earlier].map((one) => toEntry(one, place, author, memory.around.user));
    const [entry, ...versions] = entries;
    if (entry === undefined) return 'known';
    return (await into.adopt(entry, versions)) ? 'added' : 'known';
  }
}

function readHistory(folder: Folder, paths: readonly string[]): ReadonlyMap<string, readonly ReadEntry[]> {
  const found = new Map<string, ReadEntry[]>();
  for (const path of paths.filter((candidate) => candidate.startsWith('history/'))) {
    const read = parseEntryFile(folder.read(path) ?? '');
    if (read !== undefined) found.set(read.id, [...(found.get(read.id) ?? []), read]);
  }
  return found;
}

/** Whatever a file claims, what comes from a file is imported; secrets go, and the flags are ours to set. */
function toEntry(read: ReadEntry, place: Place, author: Author, user: string): MemoryEntry {
  const { claims, ...rest } = read;
  const cleaner = createCleaner();
  const content = cleaner.text(rest.content);
  checkLimit('content', content);
  const fields = Object.fromEntries(
    Object.entries(rest.fields).map(([name, text]) => [name, cleaner.text(text)]),
  );
  return {
    ...rest,
    name: cleaner.text(rest.name),
    summary: cleaner.text(rest.summary),
    tags: rest.tags.map((tag) => cleaner.text(tag)),
    content,
    fields,
    // Cleaning keeps the shape of a value, and this one was an object.
    metadata: cleaner.value(rest.metadata) as Readonly<Record<string, unknown>>,
    flags: flagText(rest.name, rest.summary, content, ...rest.tags, ...Object.values(fields)),
    tokens: estimateTokens(content),
    provenance: { ...provenanceOf(place, author, user), claims: cleaner.text(claims) },
  };
}
