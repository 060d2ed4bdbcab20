/**
 * Finds every occurrence of many words in one pass over a text, ignoring the case of ASCII letters: an Aho–Corasick automaton,
 * as a table of what follows each state for each kind of character.
 */
import { take } from './memory';

const LINE_END: u32 = 10;
const ASCII: u32 = 128;
/** Set in an entry that leads to a state where a word ends: the scan sees it without a second look. */
const ENDS: u32 = 0x8000;

let text: usize = take(16_384);
let textRoom: u32 = 8192;

/** Characters that no word contains share class 0; both cases of a letter share one class. */
const CLASS_OF: usize = memory.data(128);
let classes: u32 = 1;
/** The next state for every state and class. */
let next: usize = 0;
/** By state: the word that ends there, plus one; the longest shorter suffix that is a state; the longest at which a word ends. */
let wordOf: usize = 0;
let fallbackOf: usize = 0;
let shorterOf: usize = 0;

/** Where the last search stopped. */
let state: u32 = 0;

/** Where a text of so many units may be written. */
export function reserveText(units: u32): usize {
  if (units > textRoom) {
    // The block first: without one there is no room either.
    const room = units + (units >>> 1);
    text = take(room * 2);
    textRoom = room;
  }
  return text;
}

/** Takes the words that stand in the text: lower-case ASCII, a line end behind each, at least one word, at most 32,000 characters. Once. */
export function takeWords(units: u32): void {
  for (let at: u32 = 0; at < units; at++) classify(<u32>load<u16>(text + at * 2));
  next = take(units * classes * 2);
  wordOf = take(units * 4);
  fallbackOf = take(units * 2);
  shorterOf = take(units * 2);
  const queue = take(units * 2);
  let states: u32 = 1;
  let from: u32 = 0;
  let word: u32 = 0;
  for (let at: u32 = 0; at < units; at++) {
    const code = <u32>load<u16>(text + at * 2);
    if (code === LINE_END) {
      word += 1;
      if (load<u32>(wordOf + from * 4) === 0) store<u32>(wordOf + from * 4, word);
      from = 0;
      continue;
    }
    const entry = entryOf(from, <u32>load<u8>(CLASS_OF + code));
    from = <u32>load<u16>(entry);
    if (from === 0) {
      from = states++;
      store<u16>(entry, <u16>from);
    }
  }
  link(queue);
  for (let entry = next; entry < next + states * classes * 2; entry += 2) {
    const to = <u32>load<u16>(entry);
    if (load<u32>(wordOf + to * 4) !== 0 || load<u16>(shorterOf + to * 2) !== 0)
      store<u16>(entry, <u16>(to | ENDS));
  }
}

/** From short to long, so that what is behind a suffix is known before what is behind the whole. */
function link(queue: usize): void {
  let last = queue;
  for (let first = queue - 2; first < last; first += 2) {
    const from = first < queue ? 0 : <u32>load<u16>(first);
    const fallback = <u32>load<u16>(fallbackOf + from * 2);
    for (let kind: u32 = 1; kind < classes; kind++) {
      const entry = entryOf(from, kind);
      const to = <u32>load<u16>(entry);
      const behind = from === 0 ? 0 : <u32>load<u16>(entryOf(fallback, kind));
      if (to === 0) {
        store<u16>(entry, <u16>behind);
        continue;
      }
      store<u16>(fallbackOf + to * 2, <u16>behind);
      store<u16>(
        shorterOf + to * 2,
        load<u32>(wordOf + behind * 4) !== 0 ? <u16>behind : load<u16>(shorterOf + behind * 2),
      );
      store<u16>(last, <u16>to);
      last += 2;
    }
  }
}

function classify(code: u32): void {
  if (code === LINE_END || load<u8>(CLASS_OF + code) !== 0) return;
  store<u8>(CLASS_OF + code, <u8>classes);
  if (code >= 0x61 && code <= 0x7a) store<u8>(CLASS_OF + code - 32, <u8>classes);
  classes += 1;
}

function entryOf(from: u32, kind: u32): usize {
  return next + (from * classes + kind) * 2;
}

/** Behind the next place where a word ends, or -1. Goes on in the state of the last search, or begins anew. */
export function find(from: u32, to: u32, goesOn: bool): i32 {
  let now: u32 = goesOn ? state : 0;
  const end = text + to * 2;
  for (let at = text + from * 2; at < end; at += 2) {
    const code = <u32>load<u16>(at);
    now = code < ASCII ? <u32>load<u16>(entryOf(now, <u32>load<u8>(CLASS_OF + code))) : 0;
    if (now < ENDS) continue;
    state = now & ~ENDS;
    return <i32>((at - text) >>> 1) + 1;
  }
  return -1;
}

/** The state that the last search stopped in. */
export function stateNow(): u32 {
  return state;
}

/** The word that ends at a state, from 0; -1 if it is a shorter one. */
export function wordAt(at: u32): i32 {
  return load<i32>(wordOf + at * 4) - 1;
}

/** The next shorter state at which a word ends; 0 if there is none. */
export function shorterThan(at: u32): u32 {
  return <u32>load<u16>(shorterOf + at * 2);
}
