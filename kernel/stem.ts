/** Light stemming of lower-case letters in memory: `indexes`, `indexing` and `indexed` meet, and no word loses its meaning. */

// Letters, and four of them as one number, the last one highest.
const A: u32 = 0x61;
const D: u32 = 0x64;
const E: u32 = 0x65;
const G: u32 = 0x67;
const I: u32 = 0x69;
const L: u32 = 0x6c;
const N: u32 = 0x6e;
const S: u32 = 0x73;
const Y: u32 = 0x79;
const Z: u32 = 0x7a;
const TION: u32 = 0x6e6f6974;
const IONS: u32 = 0x736e6f69;
const INGS: u32 = 0x73676e69;
const NGLY: u32 = 0x796c676e;
const SSES: u32 = 0x73657373;

/** Changes the letters in their place, and gives how many are left. */
export function stemInPlace(at: usize, letters: i32): i32 {
  if (letters <= 3) return letters;
  let size = withoutEnding(at, letters);
  if (size > 4) {
    const last = letter(at, size, 1);
    if (last === letter(at, size, 2) && last !== S && last !== L) size -= 1;
  }
  return size > 4 && letter(at, size, 1) === E ? size - 1 : size;
}

/** The first ending that fits, each only where three letters stay in front of it; test/support/plain-tokens.ts has them as a table. */
function withoutEnding(at: usize, size: i32): i32 {
  const four = load<u32>(at + size - 4);
  const last = four >>> 24;
  if (last === S) {
    if (size >= 9 && four === IONS && letter(at, size, 5) === 0x74 && letter(at, size, 6) === A) {
      store<u8>(at + size - 4, <u8>E); // ations: ate
      return size - 3;
    }
    if (size >= 7 && four === INGS) return size - 4;
    if (size >= 6 && letter(at, size, 2) === E && letter(at, size, 3) === I) {
      store<u8>(at + size - 3, <u8>Y); // ies: y
      return size - 2;
    }
    if (size >= 7 && four === SSES) return size - 2;
    return size - 1; // ers: er, es: e, s
  }
  if (last === G)
    return size >= 6 && letter(at, size, 2) === N && letter(at, size, 3) === I ? size - 3 : size;
  if (last === D) {
    if (letter(at, size, 2) !== E) return size;
    if (size >= 6 && letter(at, size, 3) === I) {
      store<u8>(at + size - 3, <u8>Y); // ied: y
      return size - 2;
    }
    return size >= 5 ? size - 2 : size;
  }
  if (last === N) {
    if (size < 8 || four !== TION || letter(at, size, 5) !== A) return size;
    if (size >= 10 && letter(at, size, 6) === Z && letter(at, size, 7) === I) {
      store<u8>(at + size - 5, <u8>E); // ization: ize
      return size - 4;
    }
    store<u8>(at + size - 3, <u8>E); // ation: ate
    return size - 2;
  }
  return last === Y && size >= 8 && four === NGLY && letter(at, size, 5) === I ? size - 5 : size;
}

/** Counted from the end; 1 is the last. */
function letter(at: usize, size: i32, fromEnd: i32): u32 {
  return <u32>load<u8>(at + size - fromEnd);
}
