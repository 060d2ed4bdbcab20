/**
 * What two occurrences of one error have in common: everything but paths, numbers, addresses, times, ids and quoted values.
 * Pure. Every pattern is linear and the text is bounded, because errors are often somebody else's text.
 */
import { createHash } from 'node:crypto';

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

const MOST_CHARS = 20_000;
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
  const lines = message.slice(0, MOST_CHARS).split(/\r?\n/);
  const said = lines.filter((line) => line.trim() !== '' && !STACK_LINE.test(line));
  const kept = said.slice(0, MOST_MESSAGE_LINES);
  const text = normaliseText(kept.join('\n'));
  const codes = [...new Set([...kept.join('\n').matchAll(CODE)].map(([code]) => code.toLowerCase()))];
  const frames = framesOf([...lines, ...stack.slice(0, MOST_CHARS).split(/\r?\n/)]);
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
