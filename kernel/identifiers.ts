/** Identifiers of a file that may refer to a definition elsewhere, by their hashes. */
import { moveTo, take } from './memory';
import { sortPairs } from './sort';
import { writeNumber } from './writer';

/** Each with an unused number beside it, as `sortPairs` wants it. */
let identifiers: usize = take(8192 * 8);
let room: u32 = 8192;
export let identifierCount: u32 = 0;

export function beginIdentifiers(): void {
  identifierCount = 0;
}

export function addIdentifier(hash: u32): void {
  if (identifierCount === room) {
    room *= 2;
    identifiers = moveTo(room * 8, identifiers, identifierCount * 8);
  }
  store<u32>(identifiers + identifierCount++ * 8, hash);
}

/** Ascending, each once: two words may be the same identifier behind their digits. */
export function writeIdentifiers(): void {
  const sorted = sortPairs(identifiers, identifierCount);
  let different: u32 = 0;
  let last: u32 = 0;
  for (let at: u32 = 0; at < identifierCount; at++) {
    const hash = load<u32>(sorted + at * 8);
    if (hash !== last) store<u32>(sorted + different++ * 8, hash);
    last = hash;
  }
  writeNumber(different);
  last = 0;
  for (let at: u32 = 0; at < different; at++) {
    const hash = load<u32>(sorted + at * 8);
    writeNumber(hash - last);
    last = hash;
  }
}
