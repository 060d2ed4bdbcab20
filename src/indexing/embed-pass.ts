/**
 * The embedding pass: sends chunks without vectors of the configured service to it, some files at a time, and stores what comes
 * back beside the vectors of the fast pass. A chunk whose text was sent before is not sent again.
 */
import { createHash } from 'node:crypto';
import { AppError, type Clock, type Logger } from '../core/index.ts';
import type { Analyzer } from './analyze-file.ts';
import type { IdleTask } from './idle-queue.ts';
import {
  type EncoderChoice,
  type HttpEncoder,
  normalize,
  quantize,
  wrongDimensions,
} from '../embedding/index.ts';
import type { EmbeddedFile, IndexStore, UnembeddedFile } from '../storage/index.ts';
import { CHUNK_LIMITS, chunkFile } from './chunk.ts';
import { type TryLock, whileLocked } from './open-indexes.ts';
import { readUnchanged } from './read-files.ts';
import type { IndexProgress } from './reconcile.ts';

export interface EmbedOutcome {
  readonly files: number;
  /** Texts that were sent. */
  readonly sent: number;
  readonly ms: number;
}

export interface EmbedOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: IndexProgress) => void;
}

export type EmbedPass = (root: string, options: EmbedOptions) => Promise<EmbedOutcome>;

export interface EmbedParts {
  readonly openStore: (root: string) => Promise<IndexStore>;
  readonly tryLock: TryLock;
  readonly analyzer: () => Analyzer;
  readonly clock: Clock;
}

/** Few enough that a pass that is killed has lost little of what was paid for. */
const GROUP_FILES = 100;
const GROUP_CHUNKS = 256;

interface Waiting {
  readonly file: UnembeddedFile;
  readonly chunks: readonly { readonly text: string; readonly digest: Uint8Array; readonly key: string }[];
}

export function createEmbedPass(parts: EmbedParts, encoder: HttpEncoder): EmbedPass {
  const { clock } = parts;
  return async (root, { signal, onProgress }) => {
    const startedAt = clock.elapsed();
    const store = await parts.openStore(root);
    const analyzer = parts.analyzer();
    const files = (await store.unembedded(encoder.id)).filter(({ analysis }) => analysis === analyzer.id);
    const tally = { files: 0, sent: 0 };
    const tell = (done: number): void =>
      onProgress?.({ done, total: files.length, doneBytes: done, totalBytes: files.length });

    const readOne = async (file: UnembeddedFile): Promise<Waiting | undefined> => {
      const read = readUnchanged(root, file, analyzer, clock);
      if (read === undefined) return undefined;
      const chunks = chunkFile(read.lines, await store.definitionsOf(file.path), CHUNK_LIMITS);
      // Nothing is sent that could not be kept.
      if (chunks.length !== file.chunks) return undefined;
      return { file, chunks: chunks.map(({ text }) => ({ text, ...digestOf(text) })) };
    };

    const embedGroup = async (group: readonly Waiting[]): Promise<void> => {
      const known = new Map<string, Float32Array>();
      const paths = new Set(group.map(({ file }) => file.path));
      for (const { key } of group.flatMap(({ chunks }) => chunks)) {
        const moved = vanished.get(key);
        if (moved !== undefined) paths.add(moved);
      }
      for (const path of paths) {
        const before = await store.embeddingAt(encoder.id, path);
        before?.digests.forEach((digest, at) => known.set(hex(digest), vectorAt(before, at + 1)));
      }
      const missing = new Map(
        group.flatMap(({ chunks }) =>
          chunks.filter(({ key }) => !known.has(key)).map(({ key, text }) => [key, text]),
        ),
      );
      const vectors = await encoder.embed([...missing.values()], signal);
      const { dimensions: stored } = await store.embeddingState(encoder.id);
      for (const { length } of vectors)
        if (stored !== undefined && length !== stored) throw wrongDimensions(encoder, length, stored);
      [...missing.keys()].forEach((key, at) => known.set(key, vectors[at] ?? new Float32Array()));
      const made = group.map((waiting) => toEmbedded(waiting, known, encoder.id));
      await whileLocked(
        () => parts.tryLock(root),
        signal,
        () => store.commitEmbeddings(made),
      );
      tally.files += group.length;
      tally.sent += missing.size;
    };

    if (files.length === 0) return { ...tally, ms: 0 };
    const vanished = await textsOfVanished(store, encoder.id);
    tell(0);
    let group: Waiting[] = [];
    let chunks = 0;
    for (const [at, file] of files.entries()) {
      const read = await readOne(file);
      if (read !== undefined) {
        group.push(read);
        chunks += read.chunks.length;
      }
      const isLast = at === files.length - 1;
      if (group.length === 0 || (!isLast && group.length < GROUP_FILES && chunks < GROUP_CHUNKS)) continue;
      await embedGroup(group);
      tell(at + 1);
      [group, chunks] = [[], 0];
    }
    // The vectors of an earlier model have answered until now.
    if ((await store.unembedded(encoder.id)).length === 0) await store.keepEmbeddingsOf(encoder.id);
    return { ...tally, ms: Math.round(clock.elapsed() - startedAt) };
  };
}

/** Where a text was, of those in files that are gone: most of them were only renamed. */
async function textsOfVanished(store: IndexStore, model: string): Promise<ReadonlyMap<string, string>> {
  const paths = new Map<string, string>();
  for (const path of await store.vanishedEmbeddings(model)) {
    const before = await store.embeddingAt(model, path);
    before?.digests.forEach((digest) => paths.set(hex(digest), path));
  }
  return paths;
}

function toEmbedded(
  { file, chunks }: Waiting,
  known: ReadonlyMap<string, Float32Array>,
  model: string,
): EmbeddedFile {
  const vectors = chunks.map(({ key }) => known.get(key) ?? new Float32Array());
  const dimensions = vectors[0]?.length ?? 0;
  const whole = new Float32Array(dimensions);
  for (const vector of vectors)
    for (let d = 0; d < dimensions; d++) whole[d] = (whole[d] ?? 0) + (vector[d] ?? 0);
  const rows = new Int8Array((vectors.length + 1) * dimensions);
  const scales = new Float32Array(vectors.length + 1);
  [normalize(whole), ...vectors].forEach((vector, row) => {
    const { values, scale } = quantize(vector);
    rows.set(values, row * dimensions);
    scales[row] = scale;
  });
  return {
    fileId: file.id,
    path: file.path,
    digests: chunks.map(({ digest }) => digest),
    vectors: { model, dimensions, rows, scales },
  };
}

/** As it was stored: to quantize it again gives the same bytes. */
function vectorAt({ vectors: { dimensions, rows, scales } }: EmbeddedFile, row: number): Float32Array {
  const scale = scales[row] ?? 0;
  return Float32Array.from(rows.subarray(row * dimensions, (row + 1) * dimensions), (value) => value * scale);
}

const DIGEST_BYTES = 16;

function digestOf(text: string): { digest: Uint8Array; key: string } {
  const digest = createHash('sha256').update(text).digest().subarray(0, DIGEST_BYTES);
  return { digest, key: hex(digest) };
}

function hex(digest: Uint8Array): string {
  return Buffer.from(digest).toString('hex');
}

const FIRST_RETRY_MS = 10_000;
const LONGEST_RETRY_MS = 600_000;

export interface EmbedTask extends IdleTask {
  /** What the service said last, if it failed. */
  problem(): string | undefined;
}

export interface EmbedTaskParts {
  readonly embed: EmbedPass;
  /** Whether the project's chunks may still change: what would be sent twice waits. */
  readonly isUnsettled: (root: string) => boolean;
  readonly logger: Logger;
}

/** The embedding passes of a server, for its idle queue. Backs off while the service fails, whichever project it failed for. */
export function createEmbedTask({ embed, isUnsettled, logger }: EmbedTaskParts): EmbedTask {
  let retryMs = FIRST_RETRY_MS;
  let problem: string | undefined;
  return {
    isBlocked: isUnsettled,
    problem: () => problem,
    async run(root, signal) {
      try {
        const { files, sent, ms } = await embed(root, { signal });
        [retryMs, problem] = [FIRST_RETRY_MS, undefined];
        if (files > 0) logger.info('files were embedded', { root, files, sent, ms });
        return 'done';
      } catch (thrown) {
        if (signal.aborted) return 'done';
        problem = thrown instanceof AppError ? thrown.message : 'Something went wrong inside Waymark.';
        const hint = thrown instanceof AppError ? thrown.hint : undefined;
        const isPassing = thrown instanceof AppError && thrown.code === 'encoder_unavailable';
        logger.warn('files could not be embedded', { root, reason: problem, hint, again: isPassing });
        // What was refused would be refused again, until the settings change.
        if (!isPassing) return { restMs: Infinity };
        const restMs = retryMs;
        retryMs = Math.min(LONGEST_RETRY_MS, retryMs * 2);
        return { restMs };
      }
    },
  };
}

/** Which encoder an index is for, and how many files have its vectors. */
export interface EncoderState {
  readonly kind: EncoderChoice['kind'];
  readonly model: string | undefined;
  readonly url: string | undefined;
  /** Files that have something to be embedded, and those whose vectors are there. */
  readonly files: number;
  readonly embedded: number;
  /** Why the service does not get on, as far as this process knows. */
  readonly problem: string | undefined;
}

export async function readEncoderState(
  store: IndexStore,
  choice: EncoderChoice,
  problem: string | undefined,
): Promise<EncoderState> {
  const remote = choice.kind === 'http' ? choice.remote : undefined;
  const model = choice.kind === 'none' ? undefined : choice.model;
  const { files, embedded } =
    remote === undefined ? await store.vectorState(model ?? '') : await store.embeddingState(remote.id);
  return { kind: choice.kind, model, url: remote?.url, files, embedded, problem };
}

/** Never 100 before the last one. */
export function percentOf({ files, embedded }: Pick<EncoderState, 'files' | 'embedded'>): number {
  return files === 0 ? 100 : Math.floor((embedded / files) * 100);
}
