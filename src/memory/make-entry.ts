/** From what a caller wants kept to an entry: checked, without secrets, flagged, with its files marked. */
import type { ProjectPlace } from '../core/index.ts';
import type { EntryKind, FileMark, MemoryEntry } from '../storage/index.ts';
import { createCleaner, type Cleaner } from './clean-entry.ts';
import { flagText } from './instruction-like.ts';
import { checkCount, checkLimit, checkPresent, LIMITS, MOST_FILES, type LimitedText } from './limits.ts';
import { mentionedFiles } from './mentioned-files.ts';
import { fromTop, provenanceOf, type Author, type Surroundings, type Uncommitted } from './place.ts';
import { estimateTokens } from './token-estimate.ts';

export interface EntryDraft {
  readonly kind: EntryKind;
  readonly name?: string | undefined;
  readonly summary?: string | undefined;
  readonly content: string;
  readonly tags?: readonly string[] | undefined;
  readonly fields?: Readonly<Record<string, string | undefined>>;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly files?: readonly string[] | undefined;
}

export interface MadeEntry {
  readonly entry: MemoryEntry;
  readonly redacted: readonly { readonly kind: string; readonly count: number }[];
}

export interface MakeEntryOptions {
  readonly id: string;
  readonly now: number;
  readonly place: ProjectPlace;
  readonly author: Author;
  readonly around: Surroundings;
  /** Kept with a checkpoint. */
  readonly uncommitted?: Uncommitted;
}

/** Files that a text merely mentions; those named by the caller come first and are not counted. */
const MOST_MENTIONED = 40;
const NONE: Uncommitted = { files: [], isPartial: false };
/** The field that says so where not all uncommitted files were found. */
const UNCOMMITTED = 'uncommitted';
const PARTIAL = 'partial';
const SUMMARY_CHARS = 240;
const NAME_CHARS = 80;

export function makeEntry(draft: EntryDraft, options: MakeEntryOptions): MadeEntry {
  checkDraft(draft);
  const { id, now, place, author, around, uncommitted = NONE } = options;
  const cleaner = createCleaner();
  const content = cleaner.text(draft.content);
  const fields: Readonly<Record<string, string>> = {
    ...cleanFields(draft.fields ?? {}, cleaner),
    ...(uncommitted.isPartial ? { [UNCOMMITTED]: PARTIAL } : {}),
  };
  const summary = cleaner.text(draft.summary ?? '') || summaryOf(content);
  const name = cleaner.text(draft.name ?? '') || nameOf(fields['error'] ?? summary);
  const tags = (draft.tags ?? []).map((tag) => cleaner.text(tag));
  // Cleaning keeps the shape of a value, and this one was an object.
  const metadata = cleaner.value(draft.metadata ?? {}) as Readonly<Record<string, unknown>>;
  return {
    entry: {
      id,
      kind: draft.kind,
      name,
      summary,
      content,
      tags,
      fields,
      metadata,
      files: addDirty(
        markFiles(draft.files ?? [], [content, fields['stack'] ?? ''].join('\n'), place, around),
        uncommitted.files,
        (path) => around.hashFile(place.root, path),
      ),
      flags: flagText(
        name,
        summary,
        content,
        tags.join('\n'),
        ...Object.values(fields),
        JSON.stringify(metadata),
      ),
      confidence: 0.5,
      tokens: estimateTokens(content),
      provenance: provenanceOf(place, author, around.user),
      createdAt: now,
      updatedAt: now,
      version: 1,
    },
    redacted: cleaner.found(),
  };
}

/** Whether a checkpoint's list of uncommitted files is not all of them. */
export function isPartial({ fields }: Pick<MemoryEntry, 'fields'>): boolean {
  return fields[UNCOMMITTED] === PARTIAL;
}

/** What stands in for a missing summary. */
export function summaryOf(content: string): string {
  return firstWords(content, SUMMARY_CHARS);
}

/** The same for a name. */
export function nameOf(summary: string): string {
  return firstWords(summary, NAME_CHARS);
}

function checkDraft(draft: EntryDraft): void {
  const { kind, name, summary, content, tags = [], fields = {}, metadata, files = [] } = draft;
  const body: LimitedText = kind === 'remediation' ? 'solution' : 'content';
  checkPresent(body, content);
  checkLimit(body, content);
  checkLimit('name', name ?? '');
  checkLimit('summary', summary ?? '');
  checkCount('tags', tags.length);
  for (const tag of tags) checkLimit('tag', tag);
  checkCount('files', files.length);
  checkLimit('metadata', JSON.stringify(metadata ?? {}));
  for (const [field, text] of Object.entries(fields)) if (isLimited(field)) checkLimit(field, text ?? '');
}

function isLimited(field: string): field is LimitedText {
  return Object.hasOwn(LIMITS, field);
}

function cleanFields(
  fields: Readonly<Record<string, string | undefined>>,
  cleaner: Cleaner,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, text]) =>
      text === undefined || text === '' ? [] : [[field, cleaner.text(text)]],
    ),
  );
}

/** Files the caller names are kept even if they do not exist: they may have been deleted, which is worth knowing. */
export function markFiles(
  named: readonly string[],
  text: string,
  place: ProjectPlace,
  around: Surroundings,
): readonly FileMark[] {
  const marks = new Map<string, FileMark>();
  const hashOf = (path: string): string | undefined => around.hashFile(place.root, path);
  const fromHere = (path: string): string => fromTop(place, path, (one) => hashOf(one) !== undefined);
  for (const path of named.map(fromHere)) {
    const hash = hashOf(path);
    marks.set(path, { path, ...(hash === undefined ? {} : { hash }) });
  }
  for (const path of mentionedFiles(text, MOST_MENTIONED).map(fromHere)) {
    const hash = marks.has(path) || marks.size >= MOST_FILES ? undefined : hashOf(path);
    if (hash !== undefined) marks.set(path, { path, hash });
  }
  return [...marks.values()];
}

/** What was not committed belongs to where the work stood, whether or not the text speaks of it. */
function addDirty(
  files: readonly FileMark[],
  dirty: Uncommitted['files'],
  hashOf: (path: string) => string | undefined,
): readonly FileMark[] {
  const marks = new Map(files.map((file) => [file.path, file]));
  for (const { path, state } of dirty) {
    const known = marks.get(path);
    if (known === undefined && marks.size >= MOST_FILES) break;
    const hash = known === undefined ? hashOf(path) : known.hash;
    marks.set(path, { path, ...(hash === undefined ? {} : { hash }), dirty: state });
  }
  return [...marks.values()];
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
