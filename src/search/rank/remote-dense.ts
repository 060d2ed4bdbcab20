/**
 * Nearness by a service's vectors in place of the static ones. The weights of ranking were learnt on the static model's
 * numbers, and every model spreads its own in another range: so they are moved and stretched until their mean and spread over
 * all files are those of the static ones. That also lets a file whose vectors are not there yet keep its static number.
 */
import type { VectorTable } from '../../embedding/index.ts';
import type { DenseScores } from './dense.ts';
import type { PlacedSegment, View } from '../view/view.ts';

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
      files.forEach(({ segment, local: file }, at) => {
        const tables = tablesOf(segment);
        if (tables === undefined || tables.has[file] !== 1) return;
        const place = places[at] ?? 0;
        const count = (places[at + 1] ?? 0) - place;
        const own = out.subarray(place, place + count);
        tables.chunks.scanRows(question, { from: segment.chunkOffsets[file] ?? 0, count }, own);
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
