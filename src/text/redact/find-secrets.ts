/** Where the secrets in a text are: one pass for the words of all tables, and a closer look only where one stands. */
import { readAssignment, type Assignment } from './assignment.ts';
import { CLOUD_NAMES, CLOUD_SHAPES } from './cloud-rules.ts';
import { CODE_NAMES, CODE_SHAPES } from './code-rules.ts';
import { KEY_SHAPES } from './key-rules.ts';
import { isFilled, isPlaceholder } from './placeholder.ts';
import { entropyOf, isWordy } from './randomness.ts';
import type { NamedRule, ShapeRule } from './rule.ts';
import { SERVICE_NAMES, SERVICE_SHAPES } from './service-rules.ts';
import { isTellingSecret, TELLING_NAMES, type TellingName } from './telling-names.ts';
import { createWordScanner } from './word-scanner.ts';

/** `start` and `end` are indices into the text, `end` behind the last character. */
export interface SecretSpan {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

const SHAPES: readonly ShapeRule[] = [...KEY_SHAPES, ...CLOUD_SHAPES, ...CODE_SHAPES, ...SERVICE_SHAPES];
const NAMES: readonly NamedRule[] = [...CLOUD_NAMES, ...CODE_NAMES, ...SERVICE_NAMES];

/** What is tried where a word stands. */
interface Entry {
  readonly word: string;
  readonly shapes: readonly ShapeRule[];
  readonly names: readonly NamedRule[];
  readonly telling: TellingName | undefined;
}

const ENTRIES: readonly Entry[] = [
  ...new Set([...SHAPES, ...NAMES, ...TELLING_NAMES].flatMap((rule) => rule.words)),
].map((word) => ({
  word,
  shapes: SHAPES.filter((rule) => rule.words.includes(word)),
  names: NAMES.filter((rule) => rule.words.includes(word)),
  telling: TELLING_NAMES.find((rule) => rule.words.includes(word)),
}));
const SCANNER = createWordScanner(ENTRIES.map((entry) => entry.word));

/** In order, never overlapping. */
export function findSecrets(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  let coveredTo = 0;
  SCANNER.scan(text, (end, words) => {
    if (end <= coveredTo) return coveredTo;
    for (const index of words) {
      const entry = ENTRIES[index];
      if (entry === undefined) continue;
      for (const span of spansAt(text, end - entry.word.length, end, entry)) {
        if (span.start < coveredTo) continue;
        spans.push(span);
        coveredTo = span.end;
      }
    }
    return coveredTo;
  });
  return spans;
}

function spansAt(text: string, start: number, end: number, entry: Entry): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const rule of entry.shapes) {
    const span = matchShape(rule, text, start, entry.word);
    if (span !== undefined && span.start >= (spans.at(-1)?.end ?? 0)) spans.push(span);
  }
  if (spans.length > 0 || (entry.names.length === 0 && entry.telling === undefined)) return spans;
  const found = readAssignment(text, start, end);
  if (found === undefined) return spans;
  const kind = kindOfAssigned(text, start, entry, found);
  return kind === undefined
    ? []
    : [{ kind, start: found.valueStart, end: found.valueStart + found.value.length }];
}

function matchShape(rule: ShapeRule, text: string, start: number, word: string): SecretSpan | undefined {
  if (rule.place === undefined && !beginsWord(text, start)) return undefined;
  rule.pattern.lastIndex = start;
  const match = rule.pattern.exec(text);
  if (match === null) return undefined;
  const from = start + (match.groups?.['lead']?.length ?? 0) - (match.groups?.['before']?.length ?? 0);
  const to = start + match[0].length;
  const secret = text.slice(from, to);
  const accepted =
    rule.accept === undefined ? isGenerated(secret, from === start ? word.length : 0) : rule.accept(secret);
  return accepted ? { kind: rule.kind, start: from, end: to } : undefined;
}

/** Whether the part behind the known prefix was made by a machine. */
function isGenerated(secret: string, prefixLength: number): boolean {
  const body = secret.slice(prefixLength);
  return !isFilled(body) && entropyOf(body) >= (body.length >= 20 ? 2.6 : 2.2);
}

function kindOfAssigned(
  text: string,
  wordStart: number,
  entry: Entry,
  found: Assignment,
): string | undefined {
  const rule = entry.names.find((name) => name.value.test(found.value));
  if (rule !== undefined && isMadeForName(found.value)) {
    return rule.kind;
  }
  const { telling } = entry;
  if (telling === undefined) return undefined;
  return isTellingSecret(telling.kind, found, { text, wordStart }) ? telling.kind : undefined;
}

/** The name and the shape speak for it; only what was plainly typed by a person is left. */
function isMadeForName(value: string): boolean {
  return !isPlaceholder(value) && entropyOf(value) >= 2.6 && (/\d/.test(value) || !isWordy(value));
}

/** Whether a word could start here: not in the middle of another one, unless what is in front is an escape (`\n`, `%3D`). */
function beginsWord(text: string, at: number): boolean {
  if (at === 0 || !isWordCode(text.charCodeAt(at - 1))) return true;
  if (text[at - 2] === '\\') return /[nrtvfb0]/.test(text[at - 1] ?? '');
  return text[at - 3] === '%' && /^[0-9A-Fa-f]{2}$/.test(text.slice(at - 2, at));
}

function isWordCode(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f
  );
}
