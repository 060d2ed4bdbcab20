/** Takes a memory out to a folder that people and git can read, and back in. */
import { AppError, type ProjectPlace } from '../../core/index.ts';
import type { MemoryEntry, TakenIn } from '../../storage/index.ts';
import { checkLimit } from '../entry-text.ts';
import { introduce, type Memory } from '../memory.ts';
import { provenanceOf, type Author } from '../make-entry.ts';
import { isExportPath, noEntry, parseEntryFile, type ReadEntry } from './parse-entry-file.ts';
import { historyPathOf, pathOf, renderEntryFile } from './entry-file.ts';
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

/** Every file is read and checked before the first takes effect, and all take effect in one transaction. */
export async function importMemory(
  memory: Memory,
  root: string,
  folder: Folder,
  author: Author,
): Promise<ImportReport> {
  const place = memory.placeOf(root);
  const paths = folder.list().filter((path) => path.endsWith('.md'));
  const history = readHistory(folder, paths);
  const ignored: string[] = [];
  const items: TakenIn[] = [];
  const seen = new Map<string, string>();
  for (const path of paths.filter((candidate) => !candidate.startsWith('history/'))) {
    const item = naming(path, () => readItem(path));
    if (item === undefined) ignored.push(path);
    else items.push(item);
  }
  const outcomes = items.length === 0 ? [] : await takeIn(items);
  const added = outcomes.filter((outcome) => outcome === 'added').length;
  return { added, known: outcomes.length - added, ignored };

  async function takeIn(taken: readonly TakenIn[]): Promise<readonly ('added' | 'known')[]> {
    const store = await memory.storeOf(root);
    const outcome = await store.takeIn(taken);
    await introduce(store, place, memory.clock);
    return outcome;
  }

  /** Undefined if the file is not meant to be an entry. */
  function readItem(path: string): TakenIn | undefined {
    const text = folder.read(path);
    const read = text === undefined ? undefined : parseEntryFile(text);
    if (text === undefined || read === undefined) {
      if (isExportPath(path)) throw noEntry('cannot be read as the entry that its name promises');
      return text === undefined || !/(?:^|\/)SKILL\.md$/.test(path) ? undefined : readSkill(path, text);
    }
    const earlier = (history.get(read.id) ?? []).toSorted((a, b) => a.version - b.version);
    const [entry, ...versions] = [read, ...earlier].map((one) =>
      toEntry(one, place, author, memory.around.user),
    );
    if (entry === undefined) return undefined;
    const twin = seen.get(entry.id);
    if (twin !== undefined && twin !== text) throw noEntry('has the id of another file');
    seen.set(entry.id, text);
    return { entry, history: versions };
  }

  function readSkill(path: string, text: string): TakenIn | undefined {
    const skill = parseSkillFile(text);
    if (skill === undefined) return undefined;
    checkLimit('content', skill.fields?.['front_matter'] ?? '');
    const saveKey = `import ${path} ${text}`.slice(0, 10_000);
    return { ...memory.prepare(root, author, skill, saveKey), history: [] };
  }
}

function readHistory(folder: Folder, paths: readonly string[]): ReadonlyMap<string, readonly ReadEntry[]> {
  const found = new Map<string, ReadEntry[]>();
  for (const path of paths.filter((candidate) => candidate.startsWith('history/'))) {
    const read = naming(path, () => {
      const text = folder.read(path);
      const entry = text === undefined ? undefined : parseEntryFile(text);
      if (entry === undefined && isExportPath(path))
        throw noEntry('cannot be read as the entry that its name promises');
      return entry;
    });
    if (read !== undefined) found.set(read.id, [...(found.get(read.id) ?? []), read]);
  }
  return found;
}

/** Says which file it is that something is wrong with. */
function naming<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    throw new AppError(thrown.code, `${path}: ${thrown.message} Nothing was imported.`, {
      hint: 'Correct that file or take it out of the folder, and import again.',
      cause: thrown,
    });
  }
}

/** Whatever a file claims, what comes from a file is imported. */
function toEntry(read: ReadEntry, place: ProjectPlace, author: Author, user: string): MemoryEntry {
  const { claims, ...rest } = read;
  const provenance = { ...provenanceOf(place, author, user), claims: JSON.stringify(claims) };
  return { ...rest, flags: [], tokens: 0, provenance };
}
