/** A text as a vector: the weighted sum of the rows that stand for its words, of unit length. */
import { take } from './memory';
import { dimensions, rowCount, rowList, rows, weightOf } from './model';
import { rowsFrom, rowsTo } from './words';

const MOST: f64 = 127;

/** By row: how often it is in the text; all 0 between texts. */
let counts: usize = 0;
/** Rows of the text, each once, and their weights. */
let seen: usize = 0;
let weights: usize = 0;
let seenCount: u32 = 0;
/** The vector that was made last. */
export let vector: usize = 0;

export function useVectors(): void {
  counts = take(rowCount * 4);
  seen = take(rowCount * 4);
  weights = take(rowCount * 4);
  vector = take(dimensions * 4);
}

export function addToVector(word: usize, times: u32): void {
  const end = rowsTo(word);
  for (let place = rowsFrom(word); place < end; place++) {
    const row = load<u32>(rowList + place * 4);
    const counter = counts + row * 4;
    const before = load<u32>(counter);
    store<u32>(counter, before + times);
    if (before === 0) store<u32>(seen + seenCount++ * 4, row);
  }
}

/** Of all that was added since the last. All zeros for a text without a known word. */
export function endVector(): void {
  for (let at: u32 = 0; at < seenCount; at++) {
    const row = load<u32>(seen + at * 4);
    const counter = counts + row * 4;
    store<f32>(weights + at * 4, weightOf(row, load<u32>(counter)));
    store<u32>(counter, 0);
  }
  let d = 0;
  if (ASC_FEATURE_SIMD) for (; d + 16 <= dimensions; d += 16) sumSixteen(d);
  for (; d < dimensions; d++) sumOne(d);
  seenCount = 0;
  normalize(vector);
}

/** In the order of the rows, each number by itself: the same sums as one by one. */
function sumSixteen(d: i32): void {
  let a = f32x4.splat(0);
  let b = a;
  let c = a;
  let e = a;
  for (let at: u32 = 0; at < seenCount; at++) {
    const weight = v128.load_splat<u32>(weights + at * 4);
    const row = v128.load(rows + load<u32>(seen + at * 4) * dimensions + d);
    const low = i16x8.extend_low_i8x16_s(row);
    const high = i16x8.extend_high_i8x16_s(row);
    a = f32x4.add(a, f32x4.mul(weight, f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(low))));
    b = f32x4.add(b, f32x4.mul(weight, f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(low))));
    c = f32x4.add(c, f32x4.mul(weight, f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(high))));
    e = f32x4.add(e, f32x4.mul(weight, f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(high))));
  }
  v128.store(vector + d * 4, a);
  v128.store(vector + d * 4, b, 16);
  v128.store(vector + d * 4, c, 32);
  v128.store(vector + d * 4, e, 48);
}

function sumOne(d: i32): void {
  let sum: f32 = 0;
  for (let at: u32 = 0; at < seenCount; at++)
    sum += load<f32>(weights + at * 4) * <f32>load<i8>(rows + load<u32>(seen + at * 4) * dimensions + d);
  store<f32>(vector + d * 4, sum);
}

/** A vector of zeros stays one. */
export function normalize(numbers: usize): void {
  let sum: f64 = 0;
  for (let d = 0; d < dimensions; d++) {
    const value = <f64>load<f32>(numbers + d * 4);
    sum += value * value;
  }
  if (sum === 0) return;
  const factor = 1 / sqrt<f64>(sum);
  for (let d = 0; d < dimensions; d++)
    store<f32>(numbers + d * 4, <f32>(<f64>load<f32>(numbers + d * 4) * factor));
}

/** As it is stored: a byte for each number, and one scale, which is given: the same steps as `quantize` of src/embedding. */
export function quantizeTo(to: usize, from: usize): f32 {
  let largest: f64 = 0;
  for (let d = 0; d < dimensions; d++) largest = max(largest, abs(<f64>load<f32>(from + d * 4)));
  if (largest === 0) {
    memory.fill(to, 0, dimensions);
    return 0;
  }
  const scale = <f32>(largest / MOST);
  for (let d = 0; d < dimensions; d++) {
    const value = <f64>load<f32>(from + d * 4) / <f64>scale;
    const below = floor(value);
    store<i8>(to + d, <i8>(value - below >= 0.5 ? below + 1 : below));
  }
  return scale;
}
