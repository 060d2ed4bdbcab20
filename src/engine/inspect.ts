/** Looks into what is kept, beyond what tools ask: figures of an index, how every file was read, an entry of memory with its history. */
import type { Indexing } from '../indexing/index.ts';
import { isParsable } from '../languages/index.ts';
import {
  deleteEntries,
  editEntry,
  fileStateOf,
  stalenessOf,
  undoChange,
  type Memory,
} from '../memory/index.ts';
import { explainPath } from '../workspace/index.ts';
import type { Engine, ReadState } from './port.ts';

type Inspection = Pick<
  Engine,
  | 'indexStats'
  | 'coverage'
  | 'fileSizes'
  | 'explainFile'
  | 'memoryBranches'
  | 'staleness'
  | 'entryHistory'
  | 'editEntry'
  | 'forgetEntry'
  | 'unforgetEntry'
>;

export function createInspection({
  indexing,
  memory,
}: {
  readonly indexing: Indexing;
  readonly memory: Memory;
}): Inspection {
  return {
    async indexStats({ root }) {
      const stats = await indexing.stats(root);
      const parsable = stats.byLanguage
        .filter(({ language }) => isParsable(language))
        .reduce((sum, { files }) => sum + files, 0);
      return { ...stats, parsable, encoder: await indexing.encoder(root) };
    },
    async coverage({ root }) {
      const store = await indexing.store(root);
      const failed = new Set((await store.parseFailures()).map(({ path }) => path));
      const waiting = new Set(await indexing.waitingPaths(root));
      const shares = new Map((await store.misread()).map(({ path, errorShare }) => [path, errorShare]));
      const { files } = await store.files();
      return {
        files: files.map(({ path, language, lines }) => {
          const isFailed = failed.has(path);
          const errorShare = shares.get(path);
          const state = stateOf(language, { isFailed, isWaiting: waiting.has(path), errorShare });
          return { path, language, lines, state, ...(state === 'partly' && { errorShare }) };
        }),
        skips: await indexing.skips(root),
      };
    },
    async fileSizes({ root }) {
      const manifest = await (await indexing.store(root)).manifest();
      return manifest.map(({ path, sizeBytes }) => [path, sizeBytes] as const);
    },
    async explainFile({ root, path }) {
      const explained = explainPath(root, path, indexing.scopeOf(root).list);
      if (explained.kind !== 'listed' || (await indexing.state(root)).state === 'missing')
        return { ...explained, failure: undefined };
      const failures = await indexing.parseFailures(root);
      return { ...explained, failure: failures.find((failed) => failed.path === explained.path)?.detail };
    },
    async memoryBranches({ root }) {
      const isEmpty = (await memory.list(root, { limit: 1 })).length === 0;
      return isEmpty ? [] : (await memory.storeOf(root)).branches();
    },
    async staleness({ root, entries }) {
      const { root: top } = memory.placeOf(root);
      const { around } = memory;
      // Entries of one day speak of the same files.
      const hashes = new Map<string, string | undefined>();
      const hashFile = (from: string, path: string): string | undefined => {
        if (!hashes.has(path)) hashes.set(path, around.hashFile(from, path));
        return hashes.get(path);
      };
      return entries.map((entry) =>
        stalenessOf(entry, top, { hashFile, readFile: (from, path) => around.readFile(from, path) }),
      );
    },
    async entryHistory({ root, id }) {
      const stored = await memory.get(root, id);
      const versions = await (await memory.storeOf(root)).versions(id);
      const place = memory.placeOf(root);
      const files = stored.entry.files.map((mark) => ({
        path: mark.path,
        state: fileStateOf(mark, memory.around.hashFile(place.root, mark.path)),
      }));
      return { ...stored, versions, files };
    },
    editEntry: ({ root, author, id, edit }) => editEntry(memory, root, author, id, edit),
    forgetEntry: async ({ root, id, by }) => (await deleteEntries(memory, root, [id], by)).length > 0,
    unforgetEntry: async ({ root, id, by }) => void (await undoChange(memory, root, id, by)),
  };
}

function stateOf(
  language: string,
  {
    isFailed,
    isWaiting,
    errorShare,
  }: {
    readonly isFailed: boolean;
    readonly isWaiting: boolean;
    readonly errorShare: number | undefined;
  },
): ReadState {
  if (isFailed) return 'failed';
  if (!isParsable(language)) return 'fast';
  if (isWaiting) return 'waiting';
  return errorShare === undefined ? 'exact' : 'partly';
}
