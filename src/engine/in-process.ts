/** The engine in this thread: the services behind the port. */
import {
  createCollection,
  deleteCollection,
  findGuides,
  listCollections,
  listGuides,
} from '../memory/index.ts';
import { toOperation, waitFor } from '../indexing/index.ts';
import type { Engine } from './port.ts';
import type { EngineServices } from './services.ts';

const MAX_KNOWN = 10_000;
const NEVER = new AbortController().signal;

export function createEngine(services: EngineServices): Engine {
  const { indexing, search, memory, known, catalog } = services;
  return {
    ensureIndex: ({ root, mayWrite }, { signal = NEVER, onProgress } = {}) =>
      indexing.ensure(root, { mayWrite, signal, onProgress }),
    async index({ root, waitMs }, { signal = NEVER, onProgress } = {}) {
      const job = indexing.start(root);
      const letGo = job.hold();
      try {
        const end = await waitFor(job, { signal, maxMs: waitMs, onProgress });
        if (end?.kind === 'failed' && end.error.facts.fault === 'bug') throw end.error;
        const operation = toOperation(job);
        return operation.state === 'done'
          ? { ...operation, files: (await indexing.stats(root)).files }
          : operation;
      } catch (thrown) {
        // Cancelled: other callers that wait for the job keep it going.
        letGo();
        throw thrown;
      }
    },
    async operation({ id }) {
      const job = indexing.operation(id);
      return job && toOperation(job);
    },
    async followOperation({ id }, { signal = NEVER, onProgress } = {}) {
      const job = indexing.operation(id);
      if (job === undefined) return undefined;
      await waitFor(job, { signal, maxMs: Infinity, onProgress });
      return toOperation(job);
    },
    indexState: async ({ root }) => indexing.state(root),
    indexStats: async ({ root }) => ({
      ...(await indexing.stats(root)),
      encoder: await indexing.encoder(root),
    }),
    listIndexes: () => indexing.catalog.list(),
    clearIndex: ({ root }) => indexing.clear(root),

    search: (request, { signal = NEVER, client } = {}) => search.run({ ...request, signal, client }),
    analyzeQuery: (request, { signal = NEVER, client } = {}) =>
      search.analyze({ ...request, signal, client }),

    saveEntry: ({ root, author, draft, saveKey }, { signal } = {}) =>
      memory.save(root, author, draft, { saveKey, signal }),
    recall: ({ root, query }) => memory.recall(root, query),
    listEntries: ({ root, ...filter }) => memory.list(root, filter),
    getEntry: async ({ root, id }) => (await memory.storeOf(root)).get(id),
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

    knownProjects: () => known.list(MAX_KNOWN),
    projectsNamed: ({ name }) => known.byName(name),
    rememberProject: async ({ project }) => known.remember(project),
    checkStorage: async () => void (await (await catalog()).list({ limit: 1 })),
    close: () => services.close(),
  };
}
