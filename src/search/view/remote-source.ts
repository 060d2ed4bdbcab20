/** A service's vectors of one project: which of them answer now, loaded beside the view, and what to say if they do not. */
import { createVectorTable, NO_FIT, type HttpEncoder } from '../../embedding/index.ts';
import { packedCount, type EmbeddingState, type FileEntry, type IndexStore } from '../../storage/index.ts';
import { escapeControl } from '../../text/index.ts';
import type { DenseScores } from '../rank/dense.ts';
import { scoreRemote, type RemoteTables } from '../rank/dense.ts';
import type { PlacedSegment, View } from './view.ts';

export interface RemoteSource {
  /** As far as the service's vectors are there now. */
  of(view: View): Promise<RemoteView>;
}

export interface RemoteView {
  /** Answers with the same key come from the same vectors. */
  readonly key: string;
  ask(text: string): Promise<RemoteAnswer>;
}

export interface RemoteAnswer {
  /** Static scores to the service's; undefined if those must do. */
  readonly near: ((local: DenseScores) => DenseScores) | undefined;
  /** One line, if the configured model did not answer. */
  readonly note: string | undefined;
  /** It may be otherwise in a moment, though nothing in the index changes. */
  readonly isPassing: boolean;
}

/**
 * With a smaller share of the files embedded, the vectors before answer. Chosen, not measured: a few files that were just saved are
 * no reason to change the model in the middle of work, and while the first embedding is under way, answers should not mix
 * many files of one model with many of another.
 */
const ENOUGH = 0.9;
const LOAD_BATCH = 200;

interface Active {
  readonly encoder: HttpEncoder;
  readonly dimensions: number;
}

export function createRemoteSource(store: IndexStore, configured: HttpEncoder): RemoteSource {
  let active: Active | undefined;
  let loaded = new Map<readonly FileEntry[], RemoteTables>();
  let current:
    | { readonly view: View; readonly stamp: number; readonly made: Promise<RemoteView> }
    | undefined;

  async function choose(state: EmbeddingState): Promise<Active | undefined> {
    if (isEnough(state)) return { encoder: configured, dimensions: state.dimensions ?? 0 };
    for (const id of await store.embeddedModels()) {
      const encoder = configured.earlier(id);
      const before = encoder === undefined ? undefined : await store.embeddingState(id);
      if (encoder !== undefined && before !== undefined && isEnough(before))
        return { encoder, dimensions: before.dimensions ?? 0 };
    }
    return undefined;
  }

  async function make(view: View, state: EmbeddingState): Promise<RemoteView> {
    const chosen = await choose(state);
    const isSame = chosen?.encoder.id === active?.encoder.id && chosen?.dimensions === active?.dimensions;
    // The same object goes on, with the questions it has answered.
    if (!isSame) [active, loaded] = [chosen, new Map()];
    if (active !== undefined) loaded = await loadAll(view, active, loaded);
    return toView({ view, state, active, tables: loaded });
  }

  async function loadAll(
    view: View,
    { encoder, dimensions }: Active,
    before: typeof loaded,
  ): Promise<typeof loaded> {
    const tables: typeof loaded = new Map();
    for (const segment of view.segments) {
      const own = before.get(segment.files) ?? emptyTables(segment, dimensions);
      await fill(own, segment, encoder.id, dimensions);
      tables.set(segment.files, own);
    }
    return tables;
  }

  /** What is not there yet is looked for once more. */
  async function fill(
    tables: RemoteTables,
    segment: PlacedSegment,
    model: string,
    dimensions: number,
  ): Promise<void> {
    const missing = segment.files.flatMap(({ id }, file) =>
      segment.alive[file] === 1 && tables.has[file] === 0 ? [{ id, file }] : [],
    );
    for (let at = 0; at < missing.length; at += LOAD_BATCH) {
      const places = new Map(missing.slice(at, at + LOAD_BATCH).map(({ id, file }) => [id, file]));
      for (const { fileId, packed, dimensions: found } of await store.embeddings(model, [...places.keys()])) {
        const file = places.get(fileId) ?? 0;
        const first = segment.chunkOffsets[file] ?? 0;
        const count = (segment.chunkOffsets[file + 1] ?? 0) - first;
        if (found !== dimensions || packedCount(packed, found) !== count + 1) continue;
        tables.files.copyRows(file, packed, { from: 0, count: 1 });
        tables.chunks.copyRows(first, packed, { from: 1, count });
        tables.has[file] = 1;
      }
    }
  }

  return {
    async of(view) {
      const state = await store.embeddingState(configured.id);
      if (current?.view !== view || current.stamp !== state.stamp) {
        // One after the other: they fill the same tables.
        const before = current?.made.catch(() => {}) ?? Promise.resolve();
        const made = before.then(() => make(view, state));
        current = { view, stamp: state.stamp, made };
        made.catch(() => (current = undefined));
      }
      return current.made;
    },
  };

  function toView(input: {
    readonly view: View;
    readonly state: EmbeddingState;
    readonly active: Active | undefined;
    readonly tables: ReadonlyMap<readonly FileEntry[], RemoteTables>;
  }): RemoteView {
    const { view, state, tables } = input;
    const answering = input.active;
    const used = answering?.encoder === configured ? undefined : (answering?.encoder.model ?? STATIC);
    const percent = Math.floor((state.embedded / Math.max(1, state.files)) * 100);
    const behind =
      used === undefined || state.files === 0
        ? undefined
        : `meaning by ${escapeControl(used)}: ${escapeControl(configured.model)} has embedded ${percent} % of the files`;
    const instead = (why: string, model: string): RemoteAnswer => ({
      near: undefined,
      note: `meaning by ${STATIC}: ${escapeControl(model)} ${why}`,
      isPassing: true,
    });
    return {
      key: `${answering?.encoder.id ?? ''} ${state.stamp}`,
      async ask(text) {
        if (text === '' || answering === undefined)
          return { near: undefined, note: behind, isPassing: false };
        const { encoder, dimensions } = answering;
        const asked = await encoder.ask(text);
        if (asked.kind === 'none') return instead(asked.why, encoder.model);
        const { vector: question } = asked;
        if (question.length !== dimensions) return instead(NO_FIT, encoder.model);
        const tablesOf = (segment: PlacedSegment): RemoteTables | undefined => tables.get(segment.files);
        return {
          near: (local) => scoreRemote({ view, tablesOf, question }, local),
          note: behind,
          isPassing: false,
        };
      },
    };
  }
}

const STATIC = 'the static model';

function isEnough({ files, embedded }: EmbeddingState): boolean {
  return embedded > 0 && embedded >= files * ENOUGH;
}

function emptyTables({ files, chunkOffsets }: PlacedSegment, dimensions: number): RemoteTables {
  return {
    files: createVectorTable(dimensions, files.length),
    chunks: createVectorTable(dimensions, chunkOffsets.at(-1) ?? 0),
    has: new Uint8Array(files.length),
  };
}
