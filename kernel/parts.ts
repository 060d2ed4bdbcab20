/** Where the parts of a word are: case borders, digits, low lines. */
import { DIGIT, kindOf, LOWER, UPPER } from './letters';

/** Set by `nextPart`: where the part begins and ends, and of what it is made. */
export let partStart: usize = 0;
export let partEnd: usize = 0;
export let partKind: u32 = 0;

/** The next part at or behind a place; false if there is none. */
export function nextPart(from: usize, end: usize): bool {
  let at = from;
  let kind: u32 = 0;
  while (at < end) {
    kind = kindOf(load<u8>(at));
    if ((kind & (LOWER | UPPER | DIGIT)) !== 0) break;
    at += 1;
  }
  if (at >= end) return false;
  partStart = at;
  partKind = kind;
  at = runEnd(at, end, kind);
  if (kind === UPPER && at < end && kindOf(load<u8>(at)) === LOWER) {
    // `Name` is one part; of `HTTPServer` the last capital belongs to what follows.
    if (at === partStart + 1) {
      at = runEnd(at, end, LOWER);
      partKind = LOWER;
    } else at -= 1;
  }
  partEnd = at;
  return true;
}

/**
 * The same as the model has them: a plural acronym (`URLs`) loses its s, which is passed over; `partEnd` is then in front of
 * the s, and what is given is where to go on. 0 if there is none.
 */
export function nextModelPart(from: usize, end: usize): usize {
  if (!nextPart(from, end)) return 0;
  if (partKind !== UPPER) return partEnd;
  const run = runEnd(partStart, end, UPPER);
  const isPlural =
    run - partStart >= 2 &&
    run < end &&
    load<u8>(run) === 0x73 &&
    (run + 1 >= end || kindOf(load<u8>(run + 1)) !== LOWER);
  if (!isPlural) return partEnd;
  partEnd = run;
  return run + 1;
}

function runEnd(from: usize, end: usize, kind: u32): usize {
  let at = from;
  while (at < end && kindOf(load<u8>(at)) === kind) at += 1;
  return at;
}
