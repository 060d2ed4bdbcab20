/** How entries of the memory are put into words: our own lines outside, stored text fenced and labelled inside. */
import {
  cutToTokens,
  estimateTokens,
  fence,
  fenceParts,
  type RecallAnswer,
  type Recalled,
  type Saved,
} from '../memory/index.ts';
import { escapeControl, escapeControlKeepingLines, escapeName } from '../text/index.ts';
import { SAVED } from './memory/memory-schemas.ts';
import type * as z from 'zod';

/** All the stored text of one answer; the whole stays under 8,000 with the lines around it. */
const ANSWER_TOKENS = 5_500;
const LEAST_TOKENS = 24;

type Entry = Saved['entry'];

export function renderSaved(what: string, { entry, repeated, revised, redacted }: Saved) {
  const count = redacted.reduce((sum, found) => sum + found.count, 0);
  const kinds = redacted.map((found) => `${found.count} × ${found.kind}`);
  const verb = repeated
    ? 'was saved already as'
    : revised
      ? `is now version ${entry.version} of`
      : 'saved as';
  const structured: z.input<typeof SAVED> = {
    id: entry.id,
    repeated,
    version: entry.version,
    redacted: count,
    redacted_kinds: kinds,
    flags: [...entry.flags],
  };
  const lines = [
    `${what} ${verb} ${entry.id}, on disk.`,
    ...(count === 0 ? [] : [`Secrets were taken out before it was stored: ${kinds.join(', ')}.`]),
    ...(entry.flags.length === 0 ? [] : [`It will be shown with a warning: ${entry.flags.join(', ')}.`]),
  ];
  return { text: lines.join('\n'), structured };
}

/** Whose words these are, in one line. */
export function renderOrigin({ provenance, createdAt, flags }: Entry): string {
  const { source, branch, worktree } = provenance;
  const parts = [
    renderWriter(provenance),
    ...(source === undefined ? [] : [`from ${short(source)}`]),
    ...(createdAt === 0 ? [] : [new Date(createdAt).toISOString().slice(0, 16)]),
    ...(branch === undefined ? [] : [`branch ${short(branch)}`]),
    ...(worktree === undefined ? [] : [`worktree ${short(worktree)}`]),
    ...(flags.length === 0 ? [] : [`CAUTION: ${flags.join(', ')}`]),
  ];
  return escapeControl(parts.join(', '));
}

export function renderWriter({ origin, client }: Entry['provenance']): string {
  return `${ORIGIN_WORDS[origin]} ${short(client)}`;
}

const MOST_NAME_CHARS = 60;

/** A name as it stands in a line of ours: short, and unlike the end of a fence. */
function short(name: string): string {
  const plain = escapeName(name);
  return plain.length <= MOST_NAME_CHARS ? plain : `${plain.slice(0, MOST_NAME_CHARS - 1)}…`;
}

/** The same for a path, whose end tells more than its beginning. What reads like a sentence is plainly quoted. */
export function shortPath(path: string, most: number): string {
  const plain = escapeName(path);
  const cut = plain.length <= most ? plain : `…${plain.slice(1 - most)}`;
  return /\s/.test(cut) ? `"${cut}"` : cut;
}

const ORIGIN_WORDS = {
  agent: 'written by agent',
  typed: 'typed in',
  imported: 'imported by',
  captured: 'captured from',
} as const;

/** A text that begins with its name needs no heading. */
export function withName(name: string, text: string): string {
  return text.startsWith(name) ? text : `${name}\n${text}`;
}

/** Tags and metadata stand behind the text, if there are any. */
export function withNotes(text: string, notes: string): string {
  return notes === '' ? text : `${text}\n\n${notes}`;
}

/** What a stored text is called, and the text; a text that is not there is left out. */
export type NamedText = readonly [label: string, text: string];

/** Everything an entry says, as far as it is shown: the text of an answer and its structured form are made from it. */
export interface EntryBody {
  /** In the order they are read; a label stands before its text, and none before the main one. */
  readonly texts: readonly NamedText[];
  readonly isCut: boolean;
}

/** The texts of an entry with the last of them, which is the longest, cut to what the answer has room for. */
function fitBody(texts: readonly NamedText[], most: number): EntryBody {
  const shown = texts.filter(([, text]) => text !== '');
  const last = shown.at(-1);
  if (last === undefined) return { texts: [], isCut: false };
  const others = shown.slice(0, -1);
  const room = most - estimateTokens(renderTexts(others));
  const { text, isCut } = cutToTokens(last[1], Math.max(LEAST_TOKENS, room));
  return { texts: [...others, [last[0], text]], isCut };
}

function renderTexts(texts: readonly NamedText[]): string {
  return texts.map(([label, text]) => (label === '' ? text : `${label}: ${text}`)).join('\n');
}

/** An entry that got its name from what it says needs no heading. */
function headed(name: string, texts: readonly NamedText[]): string {
  const beginning = name.replace(/…$/, '');
  const isSaid = texts.some(([, text]) => text.startsWith(beginning));
  return isSaid ? renderTexts(texts) : `${name}\n${renderTexts(texts)}`;
}

export interface RenderedHit {
  readonly hit: Recalled;
  readonly body: EntryBody;
}

export interface HitsView {
  /** For the fence. */
  newWord(): string;
  readonly found: RecallAnswer;
  /** The longest comes last. */
  readonly textsOf: (entry: Entry) => readonly NamedText[];
  /** What stands in the line of an entry beside its score. */
  readonly noteOf?: (entry: Entry) => string;
  /** What is said if nothing is near enough. */
  readonly nothing: string;
  /** What all the stored text may cost. */
  readonly mostTokens?: number;
}

/** One fence around all of them. What is cut can be read as a resource, which has no limit of its own. */
export function renderHits(view: HitsView): {
  readonly text: string;
  readonly shown: readonly RenderedHit[];
} {
  const { newWord, found, textsOf, noteOf, nothing, mostTokens = ANSWER_TOKENS } = view;
  const { hits, nearest } = found;
  if (hits.length === 0) return { text: [nothing, ...renderNearest(nearest, newWord)].join('\n'), shown: [] };
  const each = Math.floor(mostTokens / hits.length);
  const shown = hits.map((hit) => ({ hit, body: fitBody(textsOf(hit.entry), each) }));
  const parts = shown.map(({ hit: { entry, score, reasons, elsewhere, ofPerson, stale }, body }, index) => {
    const other = elsewhere === undefined ? '' : ` FROM ANOTHER PROJECT (${short(elsewhere)})`;
    const place = ofPerson === true ? ' (of the person, in every project)' : other;
    const note = noteOf?.(entry) ?? '';
    const whole = isFile(entry) ? 'the file' : `resource waymark://project/current/entry/${entry.id}`;
    const cut = body.isCut ? `\n[cut; ${whole} has all of it]` : '';
    return {
      head: `${index + 1}. ${entry.id}${place}, score ${score.toFixed(2)} (${reasons.join('; ')})${note}, ${renderOrigin(entry)}${renderStale(stale)}`,
      text: `${headed(entry.name, body.texts)}${cut}`,
    };
  });
  return { text: fenceParts(parts, newWord), shown };
}

/** What became of what an entry speaks of: a reader looks again before believing it. */
function renderStale(stale: Recalled['stale']): string {
  if (stale === undefined) return '';
  const { gone, lost, changed } = stale;
  const paths = (all: readonly string[]): string =>
    all.map((path) => shortPath(path, MOST_NAME_CHARS)).join(', ');
  const told = [
    ...(gone.length === 0 ? [] : [`gone since: ${paths(gone)}`]),
    ...(lost.length === 0 ? [] : [`no longer there: ${lost.map(short).join(', ')}`]),
    ...(changed.length === 0 ? [] : [`changed since: ${paths(changed)}`]),
  ];
  return told.length === 0 ? '' : `, ${told.join('; ')}`;
}

/** A guide of the repository is in no store: its id is its path. */
function isFile({ id }: Entry): boolean {
  return id.includes('/');
}

/** Where to look on: ids and names, and none of what they say. */
function renderNearest(nearest: readonly Entry[], newWord: () => string): readonly string[] {
  if (nearest.length === 0) return [];
  const rows = nearest.map(({ id, name }) => `${id}  ${escapeControl(name)}`);
  return [fence({ label: 'the nearest names', text: rows.join('\n'), newWord })];
}

export function toNearestValue({ nearest }: RecallAnswer): { id: string; name: string }[] {
  return nearest.map(({ id, name }) => ({ id, name: escapeControl(name) }));
}

/** The text of this label as it is shown, or null. */
export function shownText({ texts }: EntryBody, label: string): string | null {
  const found = texts.find(([known]) => known === label);
  return found === undefined ? null : escapeControlKeepingLines(found[1]);
}

/** All that is kept of an entry. */
export function renderEntry({ name, content, summary, tags, files, metadata, fields }: Entry): string {
  const { when = '', error = '', cause = '', context = '', stack = '' } = fields;
  const texts: readonly NamedText[] = [
    ['summary', content.startsWith(summary) || summary === when ? '' : summary],
    ['when', when],
    ['error', error],
    ['root cause', cause],
    ['context', context],
    ['', content],
    ['stack', stack],
    ['tags', tags.join(', ')],
    ['files', files.map(({ path }) => path).join(', ')],
    ['metadata', Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata)],
  ];
  return headed(
    name,
    texts.filter(([, text]) => text !== ''),
  );
}
