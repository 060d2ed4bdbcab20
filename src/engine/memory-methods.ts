/** What the engine's port says of the memory, answered by the memory in this thread. */
import {
  changeEntry,
  createCollection,
  deleteCollection,
  findGuides,
  isLinkedToFiles,
  listCollections,
  listGuides,
  saveFact,
  syncIfLinked,
  type Memory,
} from '../memory/index.ts';
import type { Engine } from './port.ts';

type MemoryMethods = Pick<
  Engine,
  | 'saveEntry'
  | 'saveFact'
  | 'changeEntry'
  | 'recall'
  | 'listEntries'
  | 'getEntry'
  | 'resume'
  | 'rateFix'
  | 'memorySizes'
  | 'placeOf'
  | 'listGuides'
  | 'listCollections'
  | 'saveCollection'
  | 'deleteCollection'
>;

export function memoryMethods(memory: Memory): MemoryMethods {
  let turn: Promise<unknown> = Promise.resolve();
  /** One run after the other. What cannot be read or written now is so at the next call: no call fails by it. */
  const inStep = (root: string): Promise<unknown> => {
    turn = turn
      .then(async () => (await isLinkedToFiles(memory, root)) && syncIfLinked(memory, root))
      .catch(() => undefined);
    return turn;
  };
  const then = async <Answer>(root: string, work: Promise<Answer>): Promise<Answer> => {
    const answer = await work;
    await inStep(root);
    return answer;
  };
  return {
    saveEntry: ({ root, author, draft, saveKey }, { signal } = {}) =>
      then(root, memory.save(root, author, draft, { saveKey, signal })),
    saveFact: ({ root, author, fact, saveKey }, { signal } = {}) =>
      then(root, saveFact(memory, root, author, fact, { saveKey, signal })),
    async changeEntry({ root, author, id, change }) {
      await inStep(root);
      return then(root, changeEntry(memory, root, author, id, change));
    },
    async recall({ root, query }) {
      await inStep(root);
      return memory.recall(root, query);
    },
    listEntries: ({ root, ...filter }) => memory.list(root, filter),
    getEntry: async ({ root, id }) => (await memory.storeWith(root, id)).get(id),
    resume: ({ root, id }) => memory.resume(root, id),
    rateFix: ({ root, author, id, helped }) => memory.feedback(root, author, id, helped),
    async memorySizes({ root }) {
      // Asking must not make a memory.
      const isEmpty = (await memory.list(root, { limit: 1 })).length === 0;
      return isEmpty ? [] : (await memory.storeOf(root)).sizes();
    },
    placeOf: async ({ root }) => memory.placeOf(root),
    listGuides: ({ root, expressions }) =>
      expressions === undefined ? listGuides(memory, root) : findGuides(memory, root, expressions),
    listCollections: ({ root }) => listCollections(memory, root),
    saveCollection: ({ root, author, collection }) => createCollection(memory, root, author, collection),
    deleteCollection: ({ root, name, by }) => deleteCollection(memory, root, name, by),
  };
}
