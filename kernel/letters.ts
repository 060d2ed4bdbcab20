/** What a letter of code is: bytes below 128. */

/** 1 lower case, 2 upper case, 4 digit, 8 low line: a word is made of these. */
export const LOWER: u32 = 1;
export const UPPER: u32 = 2;
export const DIGIT: u32 = 4;

const KINDS: usize = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 2, 2,
  2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 8, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
  1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0,
]);

/** 0 for what is in no word. */
export function kindOf(code: u32): u32 {
  return code < 128 ? <u32>load<u8>(KINDS + code) : 0;
}

export function toLower(code: u32): u32 {
  return kindOf(code) === UPPER ? code + 32 : code;
}

/** Longer runs are data, not names. */
export const MOST_LETTERS: i32 = 80;

export const FNV_START: u32 = 0x811c9dc5;
export const FNV_PRIME: u32 = 0x01000193;

/** Mixes, so that every bit depends on every letter. */
export function finishHash(fnv: u32): u32 {
  let hash = (fnv ^ (fnv >>> 16)) * 0x85ebca6b;
  hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
  return hash ^ (hash >>> 16);
}
