/** Takes secrets out of text before it is stored, embedded or logged; every line stays where it was. */
import { createWordFinder, type WordFinder } from '../../kernel/index.ts';
import { once } from '../../core/index.ts';
import { type Assignment, createAssignmentReader, type ReadAssignment } from './assignment.ts';
import { CLOUD_NAMES, CLOUD_SHAPES } from './cloud-rules.ts';
import { CODE_NAMES, CODE_SHAPES } from './code-rules.ts';
import { KEY_SHAPES } from './key-rules.ts';
import { bareText } from './bare-text.ts';
import { isFilled, isPlaceholder } from './placeholder.ts';
import { entropyOf, isWordy } from './randomness.ts';
import type { NamedRule, ShapeRule } from './rule.ts';
import { SERVICE_NAMES, SERVICE_SHAPES } from './service-rules.ts';
import { escapeControl } from '../shown-text.ts';
import { isTellingSecret, TELLING_NAMES, type TellingName } from './telling-names.ts';

export interface Redaction {
  readonly text: string;
  readonly found: readonly FoundSecret[];
}

/** Where a secret was, in the text that came in: both 1-based, the column in UTF-16 units. Never the secret itself. */
export interface FoundSecret {
  readonly kind: string;
  readonly line: number;
  readonly column: number;
}

/** Text without secrets comes back as the very string that came in. */
export function redactSecrets(text: string): Redaction {
  const spans = findSecrets(text);
  if (spans.length === 0) return { text, found: [] };
  const found: FoundSecret[] = [];
  const pieces: string[] = [];
  let done = 0;
  let line = 1;
  let lineStart = 0;
  const advance = (piece: string): void => {
    for (const match of piece.matchAll(LINE_BREAK)) {
      line += 1;
      lineStart = done + match.index + match[0].length;
    }
    done += piece.length;
  };
  for (const { kind, start, end } of spans) {
    const kept = text.slice(done, start);
    advance(kept);
    found.push({ kind, line, column: start - lineStart + 1 });
    const secret = text.slice(start, end);
    advance(secret);
    pieces.push(kept, `[redacted:${kind}]`, lineBreaksOf(secret));
  }
  return { text: pieces.join('') + text.slice(done), found };
}

const LINE_BREAK = /\r\n|\r|\n/g;

/** The mark stands on a secret's first line; of its other lines only the ends remain, so that no line changes its number. */
function lineBreaksOf(secret: string): string {
  return (secret.match(LINE_BREAK) ?? []).join('');
}

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

interface Tables {
  readonly entries: readonly Entry[];
  readonly finder: WordFinder;
}

/** Most commands never log or index anything. */
const tables: () => Tables = once(() => {
  const entries = buildEntries();
  return { entries, finder: createWordFinder(entries.map((entry) => entry.word)) };
});

function buildEntries(): readonly Entry[] {
  const shapes = byWord(SHAPES);
  const names = byWord(NAMES);
  const telling = byWord(TELLING_NAMES);
  return [...new Set([...shapes.keys(), ...names.keys(), ...telling.keys()])].map((word) => ({
    word,
    shapes: shapes.get(word) ?? [],
    names: names.get(word) ?? [],
    telling: telling.get(word)?.[0],
  }));
}

function byWord<T extends { readonly words: readonly string[] }>(
  rules: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  const found = new Map<string, T[]>();
  for (const rule of rules)
    for (const word of rule.words) found.set(word, [...(found.get(word) ?? []), rule]);
  return found;
}

/** Every word that makes the scan look closer; the benchmark builds its worst texts of them. */
export function secretWords(): readonly string[] {
  return tables().entries.map((entry) => entry.word);
}

/** In order, never overlapping. Where lines have numbers or text is escaped, also what is a secret without that. */
export function findSecrets(text: string): readonly SecretSpan[] {
  const found = scan(text);
  const bare = bareText(text);
  if (bare === undefined) return found;
  const behind = scan(bare.text).map(({ kind, start, end }) => ({
    kind,
    start: bare.placeOf(start),
    end: bare.placeOf(end - 1) + 1,
  }));
  return merge([...found, ...behind]);
}

/** One span for those that overlap. */
function merge(spans: readonly SecretSpan[]): readonly SecretSpan[] {
  const merged: SecretSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last === undefined || span.start >= last.end) merged.push(span);
    else if (span.end > last.end) merged[merged.length - 1] = { ...last, end: span.end };
  }
  return merged;
}

/** One scan for the words of all tables, with a closer look only where one stands. */
function scan(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  let coveredTo = 0;
  const { entries, finder } = tables();
  const search: Search = { text, read: once(() => createAssignmentReader(text)), rejectedTo: new Map() };
  finder.scan(text, (end, words) => {
    if (end <= coveredTo) return coveredTo;
    for (const index of words) {
      const entry = entries[index];
      if (entry === undefined) continue;
      for (const span of spansAt(search, end, entry)) {
        if (span.start < coveredTo) continue;
        spans.push(span);
        coveredTo = span.end;
      }
    }
    return coveredTo;
  });
  return spans;
}

interface Search {
  readonly text: string;
  /** Made for the first word that may be a secret's name: most texts have none. */
  readonly read: () => ReadAssignment;
  /** Up to where the last match of a rule was refused: what starts inside it would be refused for the same text again. */
  readonly rejectedTo: Map<ShapeRule, number>;
}

function spansAt(search: Search, end: number, entry: Entry): readonly SecretSpan[] {
  const { text, read } = search;
  const start = end - entry.word.length;
  const spans = entry.shapes.length === 0 ? NOTHING : shapesAt(search, start, entry);
  if (spans.length > 0 || (entry.names.length === 0 && entry.telling === undefined)) return spans;
  const found = read()(start, end);
  const kind = found === undefined ? undefined : kindOfAssigned(text, start, entry, found);
  if (found === undefined || kind === undefined) return NOTHING;
  return [{ kind, start: found.valueStart, end: found.valueStart + found.value.length }];
}

const NOTHING: readonly SecretSpan[] = [];

function shapesAt(search: Search, start: number, entry: Entry): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const rule of entry.shapes) {
    const span = matchShape(rule, search, start, entry.word);
    if (span !== undefined && span.start >= (spans.at(-1)?.end ?? 0)) spans.push(span);
  }
  return spans;
}

/** As much as a host has. */
const MOST_BEHIND = 80;

function matchShape(
  rule: ShapeRule,
  { text, rejectedTo }: Search,
  start: number,
  word: string,
): SecretSpan | undefined {
  if (rule.place === undefined && !beginsWord(text, start)) return undefined;
  if (start < (rejectedTo.get(rule) ?? 0)) return undefined;
  rule.pattern.lastIndex = start;
  // Testing makes no objects, and nearly all words fail here.
  if (!rule.pattern.test(text)) return undefined;
  rule.pattern.lastIndex = start;
  const match = rule.pattern.exec(text);
  if (match === null) return undefined;
  const from = start + (match.groups?.['lead']?.length ?? 0) - (match.groups?.['before']?.length ?? 0);
  const to = start + match[0].length;
  const secret = text.slice(from, to);
  const accepted =
    rule.accept === undefined
      ? isGenerated(secret, from === start ? word.length : 0)
      : rule.accept(secret, text.slice(to, to + MOST_BEHIND));
  if (accepted) return { kind: rule.kind, start: from, end: to };
  if (from === start) rejectedTo.set(rule, to);
  return undefined;
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
  const before = text.charCodeAt(at - 1);
  // Names are put together with dashes and underscores.
  if (at === 0 || before === 0x5f || !isWordCode(before)) return true;
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

const MOST_NAME_READ_CHARS = 4_096;
const MOST_NAME_CHARS = 80;

/**
 * What a client calls itself, as it is kept and shown: without secrets, in one line, and short.
 * Each word by itself, and before it is cut: what another word follows, and what is left of a secret, is known by nothing.
 */
export function renderClient(words: readonly (string | undefined)[]): string {
  const cleaned = words.flatMap((word) =>
    word === undefined ? [] : [redactSecrets(word.slice(0, MOST_NAME_READ_CHARS)).text],
  );
  return escapeControl(cleaned.join(' ')).slice(0, MOST_NAME_CHARS) || 'unknown client';
}
