/** What entries are found by: words, the sort of an error, vectors. Of entries and of questions. Pure. */
import { createHash } from 'node:crypto';
import type { KeyMaker, MemoryEntry } from '../storage/index.ts';
import { createStemFinder, identifiersIn, termsOf } from '../text/index.ts';

/** Raise it whenever the words or fingerprints of an entry change: every store then makes them anew. */
const KEYS_VERSION = 2;
const MOST_ENCODED_CHARS = 4_000;

export function createKeyMaker(encoder: Encoder | undefined): KeyMaker {
  return {
    version: `${KEYS_VERSION} ${encoder?.id ?? 'no vectors'}`,
    keysOf(entry) {
      const error = errorOf(entry);
      const { title, body } = textsOf(entry, error);
      return {
        fingerprint: error?.fingerprint,
        title: wordsOf(title).join(' '),
        body: wordsOf(body).join(' '),
        vector: encoder === undefined ? undefined : quantise(encoder.encode(encodedText(entry))),
      };
    },
  };
}

/** What an entry is about, and everything else it says. */
export function textsOf(
  entry: MemoryEntry,
  error: NormalisedError | undefined,
): { readonly title: string; readonly body: string } {
  const { stack = '', cause = '', context = '', when = '' } = entry.fields;
  const files = entry.files.map(({ path }) => path).join(' ');
  return {
    title: [entry.name, entry.tags.join(' '), entry.summary, when].join('\n'),
    body: [
      error?.text ?? '',
      error?.frames.join(' ') ?? '',
      cause,
      entry.content,
      context,
      stack.slice(0, 2_000),
      files,
    ].join('\n'),
  };
}

export function errorOf({ fields }: MemoryEntry): NormalisedError | undefined {
  const error = fields['error'];
  return error === undefined ? undefined : normaliseError(error, fields['stack']);
}

function encodedText({ name, summary, content, tags, fields }: MemoryEntry): string {
  const { error = '', cause = '', when = '' } = fields;
  return [name, tags.join(' '), summary, when, normaliseText(error), cause, content]
    .join('\n')
    .slice(0, MOST_ENCODED_CHARS);
}

/** Longer texts are found by their beginning. */
const MOST_WORD_CHARS = 20_000;
const MOST_QUERY_WORDS = 60;

/** Words that say nothing about what is meant, as their stems. */
const STOP = new Set(
  (
    'a an and are as at be been but by can did do doe for from get got had has hav how i if in into is it its just me my no not of on or our ' +
    'out should so some than that the their them then there they thi this to us use was we were what when where which who why will with would you ' +
    'your about also any becau because befor after again ar ther wher thes thos whos hi'
  ).split(' '),
);

/** Words of any conversation: they are searched for, but that an entry holds them does not make it an answer. */
const FILLERS = new Set(
  (
    'hello hey thank pleas yes ok okay good great fine nice morn afternoon today tomorrow think help name day done one two thre four five go ' +
    'going know like see want make let tell say said time year who are you sound ahead mind never try mean interest continu joke sing song happy ' +
    'birthday once upon really mayb sorry sure well thing someth anyth noth everyth stuf now here very much more could shall might must ' +
    'error file code object type list line first found valu fail need function method class'
  ).split(' '),
);

const OTHER_SCRIPTS = /[\p{L}\p{N}_]{2,80}/gu;
const ASCII = /^[\u0020-\u007e]*$/;
const BEYOND_ASCII = /[\u0080-\uffff]/;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Every word of a text as often as it occurs. Letters without accents only; see below for the others. */
export function wordsOf(text: string): readonly string[] {
  const start = text.slice(0, MOST_WORD_CHARS);
  const words = identifiersIn(start).flatMap((name) => termsOf(name).map(({ stem }) => stem));
  return BEYOND_ASCII.test(start) ? [...words, ...otherScripts(start)] : words;
}

/** Which of certain words a text holds. */
export type WordFinder = (text: string) => ReadonlySet<string>;

/** Finds the same as `wordsOf` would, in a fraction of its time. */
export function createWordFinder(words: readonly string[]): WordFinder {
  const wanted = new Set(words);
  const ascii = words.filter((word) => ASCII.test(word));
  const find = createStemFinder(ascii);
  return (text) => {
    const start = text.slice(0, MOST_WORD_CHARS);
    const found = new Set<string>();
    const pairs = find(start);
    for (let at = 1; at < pairs.length; at += 2) found.add(ascii[pairs[at] ?? 0] ?? '');
    if (BEYOND_ASCII.test(start))
      for (const word of otherScripts(start)) if (wanted.has(word)) found.add(word);
    return found;
  };
}

/** The words of a question that tell something; all of them if none does. */
export function queryWords(text: string): readonly string[] {
  const all = [...new Set(wordsOf(text))].filter((word) => word.length > 1);
  const telling = all.filter((word) => !STOP.has(word));
  return (telling.length === 0 ? all : telling).slice(0, MOST_QUERY_WORDS);
}

export function isFiller(word: string): boolean {
  return STOP.has(word) || FILLERS.has(word);
}

/** The words of a question by how `wordsOf` leaves them: readers are shown what they wrote, never a stem. */
export type WrittenWords = ReadonlyMap<string, string>;

export function wordsAsWritten(text: string): WrittenWords {
  const written = new Map<string, string>();
  for (const identifier of identifiersIn(text.slice(0, MOST_WORD_CHARS)))
    for (const { stem } of termsOf(identifier)) if (!written.has(stem)) written.set(stem, identifier.name);
  return written;
}

/** Scripts without blanks are cut into pairs, so that a part of a sentence finds the whole. */
function otherScripts(text: string): readonly string[] {
  const words: string[] = [];
  for (const [word] of text.normalize('NFC').toLowerCase().matchAll(OTHER_SCRIPTS)) {
    if (ASCII.test(word)) continue;
    if (!UNSPACED.test(word)) words.push(word);
    else for (let at = 0; at + 2 <= word.length; at++) words.push(word.slice(at, at + 2));
  }
  return words;
}

/** What two occurrences of one error have in common: everything but paths, numbers, addresses, times, ids and quoted values. */
export interface NormalisedError {
  /** The message with what varies replaced by a mark of its sort. */
  readonly text: string;
  /** Names and codes that tell the sort of error: `TypeError`, `ECONNREFUSED`, `E0382`. */
  readonly codes: readonly string[];
  /** Functions and files of the stack, without places. */
  readonly frames: readonly string[];
  /** Equal for equal texts; undefined if nothing is left that tells one error from another. */
  readonly fingerprint: string | undefined;
}

const MOST_ERROR_CHARS = 20_000;
const MOST_MESSAGE_LINES = 6;
const MOST_FRAMES = 30;
const LEAST_LETTERS = 6;

/** In this order: what comes first may contain what comes later. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  // oxlint-disable-next-line no-control-regex -- colours of a terminal are no part of an error
  [/\u001b\[[0-9;]{0,20}[A-Za-z]/g, ''],
  [/\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s"'`<>)\]]{1,500}/gi, ' <url> '],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, ' <id> '],
  [/\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?(?:[.,]\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})?/g, ' <time> '],
  [/"[^"\n]{0,300}"/g, ' <value> '],
  [/`[^`'\n]{0,300}[`']/g, ' <value> '],
  [/(?<![A-Za-z])'[^'\n]{0,300}'/g, ' <value> '],
  [/\b(?:[a-z][\w-]{0,40}\.){1,6}[a-z]{2,10}(?:\/[\w.@-]{1,80}){1,12}(?::\d{1,6}){0,2}/gi, ' <path> '],
  [/(?<![\w.@-])(?:[A-Za-z]:)?(?:[\\/][\w.@+~-]{1,100}){2,40}[\\/]?(?::\d{1,7}){0,2}/g, ' <path> '],
  [/\b(?:[\w.@-]{1,80}\/){1,20}[\w.@-]{1,80}(?::\d{1,7}){0,2}/g, ' <path> '],
  [/\b[\w-]{1,60}\.[a-z]{1,5}:\d{1,7}(?::\d{1,7})?/gi, ' <path> '],
  [/\b0x[0-9a-f]{1,32}\b/gi, ' <n> '],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?/g, ' <host> '],
  [/\b(?=[0-9a-f]{0,39}\d)(?=[0-9a-f]{0,39}[a-f])[0-9a-f]{7,64}\b/gi, ' <id> '],
  [/\b[\w-]{1,60}:\d{2,5}\b/g, ' <host> '],
  [/:{2,3}\d{1,5}\b/g, ' <host> '],
  [/\b[a-z_]\w{0,60}(?:\.[A-Za-z_]\w{0,60}){2,8}(?<!Error|Exception|Warning)\b/g, ' <name> '],
  [/\b(?:\d{1,9}(?:\.\d{1,9})?(?:ms|[dhms])){1,5}\b/gi, ' <n> '],
  [/\bv?\d+(?:\.\d+)*(?:[a-z]{1,3}\b|\s[KMGT]i?B\b)?/gi, ' <n> '],
];

const STACK_LINE =
  /^\s*(?:at\s|File\s"|-->|\.\.\.\s\d|goroutine\s\d|from\s[\w./-]{1,200}:\d|\^|\|\s|\d{1,4}\s\|)|^\t[\w/.]{1,200}:\d|^[\w.]{1,100}\(\*?[\w.]{0,80}\)\.\w{1,80}\(|^\w[\w./]{0,100}\.\([^)]{1,80}\)\.\w{1,80}\(/;
const CODE =
  /\b(?:[A-Z]\w{0,60}(?:Error|Exception|Warning|Violation|Detected|Failure|Fault)|E[A-Z]{3,14}|[A-Z]{1,6}_[A-Z_]{3,60}|[A-Z]{1,6}\d{3,6}|SIG[A-Z]{3,6}|SQLSTATE|OOMKilled|CrashLoopBackOff|Unauthorized|AccessDenied|panic)\b/g;
const FRAME = /(?:\bat\s{1,4}|\bin\s{1,4}|^)([\w$.<>*()]{2,100}?)\s{0,2}(?:\(|$)/;

export function normaliseError(message: string, stack = ''): NormalisedError {
  const lines = message.slice(0, MOST_ERROR_CHARS).split(/\r?\n/);
  const said = lines.filter((line) => line.trim() !== '' && !STACK_LINE.test(line));
  const kept = said.slice(0, MOST_MESSAGE_LINES);
  const text = normaliseText(kept.join('\n'));
  const codes = [...new Set([...kept.join('\n').matchAll(CODE)].map(([code]) => code.toLowerCase()))];
  const frames = framesOf([...lines, ...stack.slice(0, MOST_ERROR_CHARS).split(/\r?\n/)]);
  const tells = text.replaceAll(/<\w+>/g, '').replaceAll(/[^\p{L}]/gu, '').length >= LEAST_LETTERS;
  return { text, codes, frames, fingerprint: tells ? digest(text) : undefined };
}

export function normaliseText(text: string): string {
  const marked = VARYING.reduce((soFar, [pattern, mark]) => soFar.replace(pattern, mark), text);
  return marked
    .toLowerCase()
    .replaceAll(/[\s,;:.()[\]{}=]+/g, ' ')
    .replaceAll(/(<\w+>)(?: \1)+/g, '$1')
    .trim();
}

/** What stands in a stack whatever version or machine it comes from: names of functions, without anonymous ones. */
function framesOf(lines: readonly string[]): readonly string[] {
  const names = lines
    .filter((line) => STACK_LINE.test(line))
    .flatMap((line) => FRAME.exec(line.trim())?.[1] ?? [])
    .map((name) => name.toLowerCase())
    .filter((name) => !/^(?:async|new|<anonymous>|file|goroutine|module)$/.test(name));
  return [...new Set(names)].slice(0, MOST_FRAMES);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** What turns text into vectors, if there is one; and vectors as they are stored. Pure. */
export interface Encoder {
  readonly id: string;
  readonly dimensions: number;
  /** Of length one, or zero if the text says nothing. */
  encode(text: string): Float32Array;
}

export function quantise(vector: Float32Array): Int8Array {
  return Int8Array.from(vector, (value) => Math.max(-127, Math.min(127, Math.round(value * 127))));
}
