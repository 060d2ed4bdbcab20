/** A service's vectors of one project: which of them answer now, nearness by them, and what to say where they do not answer. */
import { createVectorTable, NO_FIT, type HttpEncoder, type VectorTable } from '../../embedding/index.ts';
import { packedCount, type EmbeddingState, type FileEntry, type IndexStore } from '../../storage/index.ts';
import { escapeControl } from '../../text/index.ts';
import { spanOf } from '../view/segment.ts';
import type { PlacedSegment, View } from '../view/view.ts';
import type { DenseScores } from './passages.ts';

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
        const { start: first, end } = spanOf(segment.chunkOffsets, file);
        const count = end - first;
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

/** Of one segment. */
export interface RemoteTables {
  readonly files: VectorTable;
  readonly chunks: VectorTable;
  /** 1 for each file whose vectors are there. */
  readonly has: Uint8Array;
}

export interface RemoteDenseInput {
  readonly view: View;
  readonly tablesOf: (segment: PlacedSegment) => RemoteTables | undefined;
  readonly question: Float32Array;
}

export function scoreRemote({ view, tablesOf, question }: RemoteDenseInput, local: DenseScores): DenseScores {
  const raw = new Float32Array(view.fileCount);
  const has = new Uint8Array(view.fileCount);
  for (const segment of view.segments) {
    const tables = tablesOf(segment);
    if (tables === undefined) continue;
    tables.files.scan(question, raw.subarray(segment.firstFile));
    for (let file = 0; file < segment.files.length; file++)
      has[segment.firstFile + file] = (tables.has[file] ?? 0) & (segment.alive[file] ?? 0);
  }
  const [ours, theirs] = [local.isBlank ? USUAL : spreadOf(local.files, has), spreadOf(raw, has)];
  const stretch = theirs.deviation > 0 ? ours.deviation / theirs.deviation : 0;
  const fit = (value: number): number => ours.mean + (value - theirs.mean) * stretch;
  return {
    files: raw.map((value, file) => (has[file] === 1 ? fit(value) : (local.files[file] ?? 0))),
    // What a path says is the static model's word: services get no paths.
    readPaths: local.readPaths,
    isBlank: false,
    readChunks(files, places, out) {
      local.readChunks(files, places, out);
      files.forEach(({ segment, local: file, chunkStart, chunkEnd }, at) => {
        const tables = tablesOf(segment);
        if (tables === undefined || tables.has[file] !== 1) return;
        const place = places[at] ?? 0;
        const count = chunkEnd - chunkStart;
        const own = out.subarray(place, place + count);
        tables.chunks.scanRows(question, { from: chunkStart, count }, own);
        for (let chunk = 0; chunk < count; chunk++) own[chunk] = fit(own[chunk] ?? 0);
      });
    },
  };
}

interface Spread {
  readonly mean: number;
  readonly deviation: number;
}

/**
 * Mean and deviation of nearness over all files, about as the static model has them for a question that it knows. Used only where
 * it knows no word of the question (another script, say): there is nothing to fit to then, and the service's word must not be
 * lost. Chosen near the upper end of what was seen for ten plain questions in six repositories: means from -0.07 to 0.24 (half of
 * them between 0.0 and 0.1), deviations from 0.06 to 0.15. No bench depends on it: a larger deviation only lets nearness weigh
 * more beside the other features, which have little to say of such a question.
 */
const USUAL: Spread = { mean: 0.1, deviation: 0.12 };

function spreadOf(values: Float32Array, counts: Uint8Array): Spread {
  let [sum, squares, count] = [0, 0, 0];
  for (let at = 0; at < values.length; at++) {
    if (counts[at] !== 1) continue;
    const value = values[at] ?? 0;
    sum += value;
    squares += value * value;
    count += 1;
  }
  if (count === 0) return { mean: 0, deviation: 0 };
  const mean = sum / count;
  return { mean, deviation: Math.sqrt(Math.max(0, squares / count - mean * mean)) };
}
