/** What a fact is about, and when two facts say the same: what decides whether a new one merges, takes a place or stands beside. Pure. */
import type { MemoryEntry } from '../storage/index.ts';
import { queryWords } from './entry-keys.ts';

const WHO = '(?:(?:we|i|they|you|the (?:user|team|project)|this (?:project|repo(?:sitory)?)|user)\\s+)?';
const POLARITY =
  "(?:(?:always|never|must|must not|do not|don't|does not|doesn't|should|should not|no longer|now)\\s+)*";

/** Forms of which two cannot hold at once. A plain `X is Y` is none: a thing has many properties. */
const FORMS: readonly RegExp[] = [
  new RegExp(
    `^${WHO}${POLARITY}prefers?\\s+(?<one>.{1,60}?)\\s+(?:over|to|rather than|instead of)\\s+(?<two>.{1,60})$`,
    'i',
  ),
  new RegExp(
    `^${WHO}${POLARITY}uses?\\s+(?<one>.{1,60}?),?\\s+(?:and )?(?:not|instead of|rather than)\\s+(?<two>.{1,60})$`,
    'i',
  ),
  new RegExp(`^${WHO}${POLARITY}(?:uses?|prefers?)\\s+.{1,60}?\\s+(?:for|as)\\s+(?<one>.{1,60})$`, 'i'),
  /^(?:always|never|do not|don't|must not|no longer)\s+(?<one>.{3,120})$/i,
];
const MOST_CHARS = 200;

/** Undefined where the form of a statement does not tell: then it stands beside the others. */
export function subjectOf(text: string): string | undefined {
  const statement = text.trim().replace(/[.!]+$/, '');
  if (statement.length > MOST_CHARS || /[\n.;]\s/.test(statement)) return undefined;
  for (const form of FORMS) {
    const { one, two } = form.exec(statement)?.groups ?? {};
    if (one === undefined) continue;
    return two === undefined ? one : [one, two].toSorted((a, b) => a.localeCompare(b, 'en')).join(' or ');
  }
  return undefined;
}

/** The same for `Package manager`, `the package managers` and `package-manager`; `step 1` and `step 2`, `C` and `C#` are not. */
export function subjectKey(subject: string): string {
  const exact = [...subject.toLowerCase().matchAll(NUMBER_OR_LETTER)].map(([text]) => text);
  return [...new Set([...queryWords(subject), ...exact])].toSorted().join(' ');
}

/** What words of a question leave out, and tells subjects apart. No article, and nothing behind an apostrophe. */
const NUMBER_OR_LETTER = /\d+|(?<![\p{L}\p{N}'’])(?!a\s+[\p{L}\p{N}])\p{L}(?![\p{L}\p{N}])[#+]{0,2}/gu;

export function isSameStatement(one: string, other: string): boolean {
  return statementKey(one) === statementKey(other);
}

/** Every word and number counts, `not` above all; capitals, blanks and the last dot do not. */
function statementKey(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(/[\s.!]+$/, '')
    .trim();
}

export function isAbout(old: MemoryEntry, entry: MemoryEntry): boolean {
  const [one = '', other = ''] = [old.fields['subject'], entry.fields['subject']].map((subject) =>
    subject === undefined ? '' : subjectKey(subject),
  );
  return (one !== '' && one === other) || isSameStatement(old.content, entry.content);
}

const LEAST_SHARED = 0.5;
const MOST_NEAR = 3;

/** Facts that share most of their words with this one: a reader is asked whether both hold. */
export function nearFacts(entry: MemoryEntry, others: readonly MemoryEntry[]): readonly MemoryEntry[] {
  const own = new Set(queryWords(entry.content));
  return others
    .filter(({ id }) => id !== entry.id)
    .map((other) => ({ other, share: shareOf(own, new Set(queryWords(other.content))) }))
    .filter(({ share }) => share >= LEAST_SHARED)
    .toSorted((a, b) => b.share - a.share)
    .slice(0, MOST_NEAR)
    .map(({ other }) => other);
}

function shareOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((word) => other.has(word)).length;
  return shared === 0 ? 0 : shared / Math.min(one.size, other.size);
}
