/** Which chunk of a file is shown. */
import type { Measured } from './measured.ts';
import type { NameMatcher } from './name-match.ts';
import { nameWorth } from './name-worth.ts';
import type { ChunkScores } from './passages.ts';
import type { Question } from '../query/question.ts';
import type { Segment } from '../view/segment.ts';

export interface ChosenChunk {
  readonly startLine: number;
  readonly endLine: number;
  /** Where other chunks of the file begin that match nearly as well, in their order. */
  readonly moreLines: readonly number[];
}

/** What a filter asks for. */
export interface WantedDefinitions {
  /** Hashes. */
  readonly names: readonly number[];
  readonly weights: readonly number[];
}

/** Of the chunks of all candidates. */
export interface ShownScores extends ChunkScores {
  readonly best: number;
  /** To add up in: at least as large as the chunks of any of them. */
  readonly room: Float64Array;
}

const NEARNESS = 2;
const WANTED_BONUS = 4;
const SYMBOL_BONUS = 2;
const NAME_BONUS = 1;
const LIKE_NAME_BONUS = 0.8;
const LEAST_LIKE_NAME = 0.1;
const NEARLY = 0.75;
const NOTHING_WANTED: WantedDefinitions = { names: [], weights: [] };

export function chooseChunk(
  { facts, firstChunk }: Pick<Measured, 'facts' | 'firstChunk'>,
  question: Question,
  scores: ShownScores,
  names: NameMatcher,
  wanted: WantedDefinitions = NOTHING_WANTED,
): ChosenChunk {
  const { segment, local } = facts;
  const from = segment.chunkOffsets[local] ?? 0;
  const end = segment.chunkOffsets[local + 1] ?? 0;
  const count = Math.max(0, end - from);
  const bonuses = scores.room.fill(0, 0, count);
  const { offsets, hashes, startLines, weights } = segment.names;
  const give = (definition: number, bonus: number): void => {
    const line = startLines[definition] ?? 0;
    const chunk = chunkWith(line, segment, from, end);
    if (chunk < end) bonuses[chunk - from] = Math.max(bonuses[chunk - from] ?? 0, bonus);
  };
  const isAnyWanted = wanted.names.length + wanted.weights.length > 0;
  const wantedBonus = (at: number): number =>
    isAnyWanted && (wanted.names.includes(hashes[at] ?? 0) || wanted.weights.includes(weights[at] ?? 0))
      ? WANTED_BONUS
      : 0;
  const isAnyNamed = question.names.length > 0;
  const isNamed = (at: number): boolean => isAnyNamed && question.names.includes(hashes[at] ?? 0);
  names.forEachLike(facts, (at, like) => {
    if (!isNamed(at)) give(at, likeBonus(like) + wantedBonus(at));
  });
  if (isAnyWanted || isAnyNamed) {
    const last = offsets[local + 1] ?? 0;
    for (let at = offsets[local] ?? 0; at < last; at++) {
      // A class says more than its constructor, which bears its name.
      const ownBonus = isNamed(at)
        ? (question.isSymbol ? SYMBOL_BONUS : NAME_BONUS) * nameWorth(weights[at] ?? 0)
        : 0;
      const bonus = ownBonus + wantedBonus(at);
      if (bonus > 0) give(at, bonus);
    }
  }
  const { words, nearness, best } = scores;
  // What was the bonus becomes the sum.
  const totals = bonuses;
  let most = -Infinity;
  let shown = from;
  for (let at = 0; at < count; at++) {
    const word = best > 0 ? (words[firstChunk + at] ?? 0) / best : 0;
    const total = word + NEARNESS * (nearness[firstChunk + at] ?? 0) + (bonuses[at] ?? 0);
    totals[at] = total;
    if (total > most) {
      most = total;
      shown = from + at;
    }
  }
  const moreLines: number[] = [];
  for (let at = 0; at < count; at++)
    if ((totals[at] ?? 0) >= most * NEARLY && from + at !== shown)
      moreLines.push(segment.startLines[from + at] ?? 1);
  return { startLine: segment.startLines[shown] ?? 1, endLine: segment.endLines[shown] ?? 1, moreLines };
}

/** Chunks of a file stand in order and have no line in common; `end` for a line that is in none. */
function chunkWith(line: number, { startLines, endLines }: Segment, from: number, end: number): number {
  let low = from;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((endLines[middle] ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  return low < end && (startLines[low] ?? 0) <= line ? low : end;
}

function likeBonus(like: number): number {
  return like > LEAST_LIKE_NAME ? LIKE_NAME_BONUS * like : 0;
}
