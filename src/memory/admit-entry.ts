/** The one door to every memory: whatever is written, by whatever way it came, goes through it and leaves its secrets there. */
import type { Admitted, FileMark, MemoryEntry, Provenance, RecordGate } from '../storage/index.ts';
import { isReference, redactSecrets } from '../text/index.ts';
import { estimateTokens, flagText } from './entry-text.ts';

export const gate: RecordGate = { admit: admitEntry, clean: (text) => redactSecrets(text).text };

/** The whole of an entry, names and keys included; what is made from its texts is made from what is left of them. */
function admitEntry(entry: MemoryEntry): Admitted {
  const cleaner = createCleaner();
  const { text } = cleaner;
  const content = text(entry.content);
  const fields = toTexts(cleaner.value(entry.fields));
  const summary = text(entry.summary) || summaryOf(content);
  const name = text(entry.name) || nameOf(fields['error'] ?? summary);
  const tags = entry.tags.map(text);
  const metadata = toFields(cleaner.value(entry.metadata));
  const files = entry.files.map((file): FileMark => ({
    ...file,
    path: text(file.path),
    ...(file.names === undefined ? {} : { names: text(file.names) }),
  }));
  const provenance = cleanProvenance(entry.provenance, cleaner);
  const beside = [provenance.client, provenance.branch, provenance.worktree, provenance.source];
  const flags = flagText(
    name,
    summary,
    content,
    ...tags,
    ...Object.values(fields),
    JSON.stringify(metadata),
    ...files.map(({ path }) => path),
    ...beside.filter((one) => one !== undefined),
  );
  const tokens = estimateTokens(content);
  return {
    entry: { ...entry, name, summary, content, tags, fields, metadata, files, flags, tokens, provenance },
    redacted: cleaner.found(),
  };
}

function cleanProvenance(provenance: Provenance, cleaner: Cleaner): Provenance {
  const { claims, ...texts } = provenance;
  const cleaned = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, name === 'origin' ? text : cleaner.text(text)]),
  );
  // Each is the text it was, without what was taken out; claims are cleaned as a value, so that they stay JSON.
  return {
    ...texts,
    ...cleaned,
    ...(claims === undefined ? {} : { claims: JSON.stringify(cleaner.value(JSON.parse(claims))) }),
  };
}

const SUMMARY_CHARS = 240;
const NAME_CHARS = 80;

/** What stands in for a missing summary. */
export function summaryOf(content: string): string {
  return firstWords(content, SUMMARY_CHARS);
}

/** The same for a name. */
export function nameOf(summary: string): string {
  return firstWords(summary, NAME_CHARS);
}

/** The first line that says something, cut at a word. */
function firstWords(text: string, most: number): string {
  const line =
    text
      .split('\n')
      .find((candidate) => /[\p{L}\p{N}]/u.test(candidate))
      ?.trim() ?? text.trim();
  const bare = line.replace(/^#{1,6}\s+/, '');
  if (bare.length <= most) return bare;
  const cut = bare.slice(0, most);
  const blank = cut.lastIndexOf(' ');
  return `${blank > most / 2 ? cut.slice(0, blank) : cut}…`;
}

interface Cleaner {
  readonly text: (text: string) => string;
  readonly value: (value: unknown) => unknown;
  readonly found: () => Admitted['redacted'];
}

/** Deeper values are no notes. */
const MOST_DEPTH = 20;

/** Counts what it takes out. */
function createCleaner(): Cleaner {
  const counts = new Map<string, number>();
  const count = (kind: string): void => void counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const cleanText = (text: string): string => {
    const redaction = redactSecrets(text);
    for (const { kind } of redaction.found) count(kind);
    return redaction.text;
  };
  /** A text below telling names is looked at together with each of them. */
  const cleanBelow = (text: string, above: readonly string[], told = kindToldBy): string => {
    const cleaned = cleanText(text);
    if (cleaned !== text) return cleaned;
    for (const name of above) {
      const kind = redactSecrets(`${name}: ${JSON.stringify(text)}`).found[0]?.kind ?? told(name, text);
      if (kind === undefined) continue;
      count(kind);
      return `[redacted:${kind}]`;
    }
    return text;
  };
  const cleanValue = (value: unknown, above: readonly string[], depth: number): unknown => {
    if (typeof value === 'string') return cleanBelow(value, above);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= MOST_DEPTH) return null;
    if (Array.isArray(value)) return value.map((item) => cleanValue(item, above, depth + 1));
    const kept = new Map<string, unknown>();
    for (const [name, item] of Object.entries(value))
      kept.set(
        freeName(
          cleanBelow(name, above, () => undefined),
          kept,
        ),
        cleanValue(item, [...above, name], depth + 1),
      );
    return Object.fromEntries(kept);
  };
  return {
    text: cleanText,
    value: (value) => cleanValue(value, [], 0),
    found: () => [...counts].map(([kind, times]) => ({ kind, count: times })),
  };
}

/** Names that lost a secret may be the same afterwards. */
function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name} ${number}`;
  return free;
}

const PASSWORD_NAME = /(?:^|[_.\- ])(?:pass(?:word|wd|phrase|code)?s?|pwd|pin)$/;
const SECRET_NAME =
  /(?:^|[_.\- ])(?:secrets?|tokens?|credentials?|bearer|cookie|(?:api|access|private|secret|auth|signing|encryption|master)[_.\- ]?keys?)$/;
const ONE_WORD = /^[A-Za-z]+$/;
const LEAST_SECRET = 6;

/** In what is filled in by name and value, a name that says it all needs no value that looks like a secret. */
function kindToldBy(name: string, value: string): string | undefined {
  const plain = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '_').toLowerCase();
  if (value === '' || isReference(value)) return undefined;
  if (PASSWORD_NAME.test(plain)) return 'password';
  const isLikely = value.length >= LEAST_SECRET && !/\s/.test(value) && !ONE_WORD.test(value);
  return isLikely && SECRET_NAME.test(plain) ? 'secret' : undefined;
}

/** Cleaning keeps the shape of a value. */
function toFields(value: unknown): Readonly<Record<string, unknown>> {
  // It was an object of anything, and is one.
  return value as Readonly<Record<string, unknown>>;
}

function toTexts(value: unknown): Readonly<Record<string, string>> {
  // It was an object of texts, and is one.
  return value as Readonly<Record<string, string>>;
}
