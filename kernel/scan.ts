/**
 * What is done with very many rows of numbers. Dimensions are a multiple of 16; the caller sees to that, and to where everything
 * lies: all memory is its own. The plain JavaScript in src/embedding gives the same numbers to the last bit.
 */

/** Dot products of one question with many rows: bytes in the rows, 16 bits in the question, sums of 32. */
export function scan(rows: usize, count: i32, dimensions: i32, question: usize, out: usize): void {
  let row = rows;
  let sum = out;
  for (let left = count; left > 0; left--) {
    let low = i32x4.splat(0);
    let high = low;
    let q = question;
    const end = row + dimensions;
    do {
      const values = v128.load(row);
      low = i32x4.add(low, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(values), v128.load(q)));
      high = i32x4.add(high, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(values), v128.load(q, 16)));
      row += 16;
      q += 32;
    } while (row < end);
    low = i32x4.add(low, high);
    store<i32>(
      sum,
      i32x4.extract_lane(low, 0) +
        i32x4.extract_lane(low, 1) +
        (i32x4.extract_lane(low, 2) + i32x4.extract_lane(low, 3)),
    );
    sum += 4;
  }
}

/** The same for several ranges of rows, each by its first row and how many there are; sums one behind the other. */
export function scanRanges(
  rows: usize,
  ranges: usize,
  count: i32,
  dimensions: i32,
  question: usize,
  out: usize,
): void {
  let sum = out;
  for (let at = 0; at < count; at++) {
    const size = load<i32>(ranges + at * 8, 4);
    scan(rows + load<i32>(ranges + at * 8) * dimensions, size, dimensions, question, sum);
    sum += size << 2;
  }
}

/** Dot products of one question with some rows, named by their numbers: floats, in eight sums that are added up at the end. */
export function dots(
  rows: usize,
  dimensions: i32,
  numbers: usize,
  count: i32,
  question: usize,
  out: usize,
): void {
  const bytes = dimensions << 2;
  const end = question + bytes;
  for (let at = 0; at < count; at++) {
    let row = rows + load<i32>(numbers + at * 4) * bytes;
    let a = f32x4.splat(0);
    let b = a;
    let q = question;
    do {
      a = f32x4.add(a, f32x4.mul(v128.load(row), v128.load(q)));
      b = f32x4.add(b, f32x4.mul(v128.load(row, 16), v128.load(q, 16)));
      row += 32;
      q += 32;
    } while (q < end);
    a = f32x4.add(a, b);
    store<f32>(
      out + at * 4,
      f32x4.extract_lane(a, 0) +
        f32x4.extract_lane(a, 1) +
        (f32x4.extract_lane(a, 2) + f32x4.extract_lane(a, 3)),
    );
  }
}
